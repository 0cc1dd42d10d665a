//! To which of the groups of particles around it a point belongs.

use pliant_math::DVec3;

use super::near::Near;

/// The group of particles that are in none.
pub(super) const NONE: u32 = u32::MAX;

/// A bond between two groups that was cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Border {
    /// Where [m], at rest.
    pub point: DVec3,
    /// Unit vector along the bond, at rest.
    pub way: DVec3,
    /// The group that it comes from, and the one it leads to.
    pub groups: [u32; 2],
}

/// What is around a point: shares of the groups, which add up to 1, and the borders of each two, with
/// the distance [support radii] to them on the side of the first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct GroupWeights {
    shares: Vec<(u32, f64)>,
    borders: Vec<([u32; 2], f64)>,
}

impl GroupWeights {
    /// What is around a point [m] of the rest shape.
    ///
    /// * `near`, `near_borders` — particles, and places where bonds were cut
    /// * `group` — of a particle, [`NONE`] for those that are not to be counted
    /// * `border` — what is at such a place, `None` if it is not to be counted
    pub fn around(
        x: DVec3,
        [near, near_borders]: [&Near<'_>; 2],
        group: impl Fn(u32) -> u32,
        border: impl Fn(u32) -> Option<Border>,
    ) -> Self {
        let mut shares: Vec<(u32, f64)> = Vec::new();
        near.for_each(x, |particle, weight| {
            let group = group(particle);
            match shares.iter_mut().find(|(of, _)| *of == group) {
                _ if group == NONE => {}
                Some((_, share)) => *share += weight,
                None => shares.push((group, weight)),
            }
        });
        let total: f64 = shares.iter().map(|(_, share)| share).sum();
        for (_, share) in &mut shares {
            *share /= total;
        }
        let borders = borders_around(x, near_borders, border);
        Self { shares, borders }
    }
}

/// The borders around a point, with the distance to each.
fn borders_around(
    x: DVec3,
    near_borders: &Near<'_>,
    border: impl Fn(u32) -> Option<Border>,
) -> Vec<([u32; 2], f64)> {
    let mut sums: Vec<([u32; 2], BorderSums)> = Vec::new();
    near_borders.for_each(x, |number, weight| {
        let Some(Border {
            point,
            mut way,
            mut groups,
        }) = border(number)
        else {
            return;
        };
        if groups[0] > groups[1] {
            (way, groups) = (-way, [groups[1], groups[0]]);
        }
        let known = sums.iter().position(|(of, _)| *of == groups);
        let place = known.unwrap_or(sums.len());
        if known.is_none() {
            sums.push((groups, BorderSums::default()));
        }
        sums[place].1.add(point - x, way, weight);
    });
    let reach = near_borders.reach();
    let side = |(groups, sums): ([u32; 2], BorderSums)| (groups, sums.distance() / reach);
    sums.into_iter().map(side).collect()
}

/// Sums over the places around a point where two groups were cut apart, seen from there.
#[derive(Clone, Copy, Debug, Default)]
struct BorderSums {
    weight: f64,
    point: DVec3,
    way: DVec3,
    /// sum w x x^T, by columns.
    square: [DVec3; 3],
}

impl BorderSums {
    fn add(&mut self, point: DVec3, way: DVec3, weight: f64) {
        self.weight += weight;
        self.point += point * weight;
        self.way += way * weight;
        for (column, x) in self.square.iter_mut().zip(point.to_array()) {
            *column += point * (x * weight);
        }
    }

    /// Distance [m] to the plane through all of the places, positive on the side that ways come from.
    /// Blades leave places in a smooth surface, whatever the order of the particles.
    fn distance(&self) -> f64 {
        let middle = self.point / self.weight;
        let along = self.way.normalize_or_zero();
        let normal = self.normal(middle).unwrap_or(along);
        middle.dot(if normal.dot(along) < 0.0 {
            -normal
        } else {
            normal
        })
    }

    /// The normal of the plane, if the places are in one.
    fn normal(&self, middle: DVec3) -> Option<DVec3> {
        let [a, b, c] = self.square.map(|column| column / self.weight);
        let (a, b, c) = (
            a - middle * middle.x,
            b - middle * middle.y,
            c - middle * middle.z,
        );
        // The columns of the adjugate of a matrix of rank 2 are multiples of the normal.
        let cofactors = [b.cross(c), c.cross(a), a.cross(b)];
        let trace = a.x + b.y + c.z;
        let second = cofactors[0].x + cofactors[1].y + cofactors[2].z;
        let third = a.dot(cofactors[0]);
        let is_flat = second > 1e-3 * trace * trace && third < 0.02 * trace * second;
        let longest = |a: DVec3, b: DVec3| if b.length() > a.length() { b } else { a };
        is_flat.then(|| {
            cofactors
                .into_iter()
                .fold(DVec3::ZERO, longest)
                .normalize_or_zero()
        })
    }
}

impl GroupWeights {
    /// How far a point is inside of a group, up to a factor; negative where others are. By the borders
    /// of the group, or without any by its share against the greatest other one.
    pub fn lead(&self, group: u32) -> f64 {
        let sides = self.borders.iter().filter_map(|&([one, other], side)| {
            let from_other = (other == group).then_some(-side);
            (one == group).then_some(side).or(from_other)
        });
        if let Some(least) = sides.reduce(f64::min) {
            return least;
        }
        let (mut own, mut most) = (0.0, 0.0);
        for &(of, share) in &self.shares {
            if of == group {
                own = share;
            } else {
                most = f64::max(most, share);
            }
        }
        own - most
    }
}
