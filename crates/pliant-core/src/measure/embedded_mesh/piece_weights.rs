//! To which piece of a body a point belongs.

use pliant_math::DVec3;

use super::near::Near;

/// The particles of a body, the pieces they belong to, and where these were parted.
#[derive(Debug)]
pub(super) struct Parts<'a> {
    /// Where they are at rest.
    pub near: Near<'a>,
    /// The piece of each, [`GONE`] for those that have left.
    pub piece: &'a [u32],
    /// Where ways between pieces were parted at rest.
    pub near_borders: Near<'a>,
    /// Of each of those places.
    pub borders: &'a [Border],
}

/// The piece of particles that are not there.
pub(super) const GONE: u32 = u32::MAX;

/// A way between two pieces that was parted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Border {
    /// Where [m], at rest.
    pub point: DVec3,
    /// Unit vector along the way, at rest.
    pub way: DVec3,
    /// The piece that it comes from, and the one it leads to.
    pub pieces: [u32; 2],
}

/// What is around a point: shares of the pieces, which add up to 1, and the borders of each two, with
/// the distance [support radii] to them on the side of the first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PieceWeights {
    shares: Vec<(u32, f64)>,
    borders: Vec<([u32; 2], f64)>,
}

impl Parts<'_> {
    /// What is around a point [m] of the rest shape.
    pub fn shares(&self, x: DVec3) -> PieceWeights {
        let piece = |particle: u32| self.piece[particle as usize];
        let border = |number: u32| Some(self.borders[number as usize]);
        PieceWeights::around(x, [&self.near, &self.near_borders], piece, border)
    }
}

impl PieceWeights {
    /// What is around a point [m] of the rest shape.
    ///
    /// * `near`, `near_borders` — particles, and places where ways were parted
    /// * `piece` — of a particle, [`GONE`] for those that are not to be counted
    /// * `border` — what is at such a place, `None` if it is not to be counted
    pub fn around(
        x: DVec3,
        [near, near_borders]: [&Near<'_>; 2],
        piece: impl Fn(u32) -> u32,
        border: impl Fn(u32) -> Option<Border>,
    ) -> Self {
        let mut shares: Vec<(u32, f64)> = Vec::new();
        near.for_each(x, |particle, weight| {
            let piece = piece(particle);
            match shares.iter_mut().find(|(of, _)| *of == piece) {
                _ if piece == GONE => {}
                Some((_, share)) => *share += weight,
                None => shares.push((piece, weight)),
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
            mut pieces,
        }) = border(number)
        else {
            return;
        };
        if pieces[0] > pieces[1] {
            (way, pieces) = (-way, [pieces[1], pieces[0]]);
        }
        let known = sums.iter().position(|(of, _)| *of == pieces);
        let place = known.unwrap_or(sums.len());
        if known.is_none() {
            sums.push((pieces, BorderSums::default()));
        }
        sums[place].1.add(point - x, way, weight);
    });
    let reach = near_borders.reach();
    let side = |(pieces, sums): ([u32; 2], BorderSums)| (pieces, sums.distance() / reach);
    sums.into_iter().map(side).collect()
}

/// Sums over the places around a point where two pieces were parted, seen from there.
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

impl PieceWeights {
    /// True if there is nothing around.
    pub fn is_empty(&self) -> bool {
        self.shares.is_empty()
    }

    /// The pieces around.
    pub fn pieces(&self) -> impl Iterator<Item = u32> {
        let shares = self.shares.iter().map(|(piece, _)| *piece);
        shares.chain(self.borders.iter().flat_map(|(pieces, _)| *pieces))
    }

    /// How far a point is inside of a piece, up to a factor; negative where others are. By the borders
    /// of the piece, or without any by its share against the greatest other one.
    pub fn lead(&self, piece: u32) -> f64 {
        let sides = self.borders.iter().filter_map(|&([one, other], side)| {
            let from_other = (other == piece).then_some(-side);
            (one == piece).then_some(side).or(from_other)
        });
        if let Some(least) = sides.reduce(f64::min) {
            return least;
        }
        let (mut own, mut most) = (0.0, 0.0);
        for &(of, share) in &self.shares {
            if of == piece {
                own = share;
            } else {
                most = f64::max(most, share);
            }
        }
        own - most
    }
}
