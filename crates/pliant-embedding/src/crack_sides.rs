//! On which side of the cuts of a body points are: where bonds were cut, particles around a point are on several.
//!
//! They are sorted into groups: neighbours that hold each other attract, those whose bond was cut repel, as do
//! those of different pieces, and the two groups that attract each other most are joined until none do (greedy
//! additive contraction, Keuper et al. 2015). So there is one group where most bonds hold, two where a blade
//! went, and more where blades crossed.

use pliant_math::DVec3;

use super::GONE;
use super::group_weights::{Border, GroupWeights, NONE};
use super::near::Near;
use crate::rest_body::{CutBond, RestBody};

/// The particles that carry a point, by their numbers in the body, and weights.
pub(super) type Bound = Vec<(u32, f64)>;

/// Bonds of a body that were cut.
#[derive(Debug, Default)]
pub(super) struct Cracks {
    /// Where, at rest [m].
    pub points: Vec<DVec3>,
    /// Their ends, by their numbers in the body.
    ends: Vec<[u32; 2]>,
    /// The same, the lesser first, increasing.
    pairs: Vec<[u32; 2]>,
}

/// The side of a crack that a point is on.
#[derive(Clone, Debug, Default)]
pub(super) struct Side {
    /// The particles around it on that side.
    pub bound: Bound,
    /// How far it is inside of the side [support radii], > 0.
    pub lead: f64,
    /// True if nothing is cut around it.
    is_whole: bool,
}

/// Tells sides in a body.
#[derive(Debug)]
pub(super) struct CrackSides<'a> {
    body: &'a dyn RestBody,
    near: Near<'a>,
    cracks: &'a Cracks,
    near_cracks: Near<'a>,
    /// The piece of each particle of the body, [`GONE`] for those that have left.
    piece: &'a [u32],
    /// Whether a bond of it was cut.
    is_cut: Vec<bool>,
}

/// The particles around a point in groups.
struct Groups {
    particles: Bound,
    /// Of each particle.
    group: Vec<u32>,
}

/// What counts as inside of a side, at least.
const LEAST_LEAD: f64 = 1e-6;

/// What a bond that was cut counts against one that holds.
const REPULSION: f64 = 1.0;

impl Cracks {
    /// Those of a body.
    pub fn new(body: &dyn RestBody, bonds: &[CutBond]) -> Self {
        let mut cracks = Self::default();
        for bond in bonds {
            let [from, to] = bond.ends.map(|end| body.positions()[end as usize]);
            cracks.points.push(from + (to - from) * f64::from(bond.at));
            cracks.ends.push(bond.ends);
            cracks.pairs.push(sorted(bond.ends));
        }
        cracks.pairs.sort_unstable();
        cracks
    }
}

impl<'a> CrackSides<'a> {
    /// Of a body.
    ///
    /// * `piece` — of each of its particles, [`GONE`] for those that have left
    pub fn new(body: &'a dyn RestBody, piece: &'a [u32], cracks: &'a Cracks) -> Self {
        let mut is_cut = vec![false; body.positions().len()];
        for &end in cracks.ends.as_flattened() {
            is_cut[end as usize] = true;
        }
        Self {
            body,
            near: Near::new(body.positions(), body.support_radius()),
            cracks,
            near_cracks: Near::new(&cracks.points, body.support_radius()),
            piece,
            is_cut,
        }
    }

    /// Where bonds were cut [m].
    pub fn cracks(&self) -> &[DVec3] {
        &self.cracks.points
    }

    /// True if a bond was cut within the support radius of a point [m].
    pub fn is_near_crack(&self, x: DVec3) -> bool {
        let mut is_near = false;
        self.near_cracks.for_each(x, |_, _| is_near = true);
        is_near
    }

    /// The side that a point [m] is on; nothing carries it if nothing is around.
    pub fn at(&self, x: DVec3) -> Side {
        let groups = self.groups(x);
        let of_particle = groups.by_particle();
        let group = |particle: u32| {
            let found = of_particle.binary_search_by_key(&particle, |(of, _)| *of);
            found.map_or(NONE, |k| of_particle[k].1)
        };
        let mut all = groups.group.clone();
        all.sort_unstable();
        all.dedup();
        if all.len() < 2 {
            return Side {
                bound: groups.particles,
                lead: 1.0,
                is_whole: true,
            };
        }
        let shares = GroupWeights::around(x, [&self.near, &self.near_cracks], group, |number| {
            self.border(number, group)
        });
        let lead = |group: &u32| shares.lead(*group);
        let ahead = |a: u32, b: u32| if lead(&b) > lead(&a) { b } else { a };
        let own = all.into_iter().reduce(ahead).unwrap_or_default();
        Side {
            lead: lead(&own).max(LEAST_LEAD),
            bound: groups.of(|group| group == own),
            is_whole: false,
        }
    }

    /// The same, and where nothing is around the nearest particle carries the point.
    pub fn at_or_nearest(&self, x: DVec3) -> Side {
        let mut side = self.at(x);
        if side.bound.is_empty() {
            let nearest = self.near.nearest(x, |k| self.counts(k));
            side.bound.extend(nearest.map(|particle| (particle, 1.0)));
        }
        side
    }

    /// The nearest particle that has not left.
    pub fn nearest_present(&self, x: DVec3) -> Option<u32> {
        self.near.nearest(x, |k| self.piece[k as usize] != GONE)
    }

    /// The place of a crack between two groups.
    fn border(&self, number: u32, group: impl Fn(u32) -> u32) -> Option<Border> {
        let ends = self.cracks.ends[number as usize];
        let groups = ends.map(group);
        let [from, to] = ends.map(|end| self.body.positions()[end as usize]);
        let divides = groups[0] != groups[1] && !groups.contains(&NONE);
        divides.then(|| Border {
            point: self.cracks.points[number as usize],
            way: (to - from).normalize_or_zero(),
            groups,
        })
    }

    /// True if there is a crack between two points [m]: they share few of the particles that carry them,
    /// and most bonds between these are cut.
    pub fn are_parted(&self, [x, y]: [DVec3; 2], [one, other]: [&Side; 2]) -> bool {
        if one.is_whole && other.is_whole {
            return false;
        }
        let (mut shared, mut all) = (0.0, 0.0);
        for (x, one, other) in [(y, one, other), (x, other, one)] {
            for &(particle, weight) in &one.bound {
                let both = weight * self.near.weight(particle, x);
                all += both;
                if carries(&other.bound, particle) {
                    shared += 0.5 * both;
                    all -= 0.5 * both;
                }
            }
        }
        if shared > 0.0 && 3.0 * shared >= all {
            return false;
        }
        let mut pull = 0.0;
        for &(i, a) in &one.bound {
            for &(j, b) in &other.bound {
                pull += a * b * if i == j { 1.0 } else { self.pull(i, j) };
            }
        }
        pull < 0.0
    }

    /// The particles that carry a point [m] of a side that others carry near it: those groups around it
    /// that are in the side for the most part, or else the one of which most is; if none is, those
    /// others.
    pub fn carriers(&self, x: DVec3, side: &Bound) -> Bound {
        let groups = self.groups(x);
        // Weights of each group in the side and beyond it.
        let mut sums = vec![[0.0; 2]; groups.particles.len()];
        for (&(particle, weight), &group) in groups.particles.iter().zip(&groups.group) {
            sums[group as usize][usize::from(!carries(side, particle))] += weight;
        }
        let is_in = |group: u32| sums[group as usize][0] > sums[group as usize][1];
        let most = groups.of(is_in);
        if !most.is_empty() {
            return most;
        }
        let inside = |group: u32| sums[group as usize][0];
        let more = |a: u32, b: u32| if inside(b) > inside(a) { b } else { a };
        let one = (0..sums.len() as u32).reduce(more);
        match one.filter(|one| inside(*one) > 0.0) {
            Some(one) => groups.of(|group| group == one),
            None => side.clone(),
        }
    }

    /// 1 for neighbours that hold each other, less than 0 for those that were cut apart, 0 for others.
    fn pull(&self, one: u32, other: u32) -> f64 {
        if self.piece[one as usize] != self.piece[other as usize] {
            return -REPULSION;
        }
        let neighbors = self.body.neighbors_of(one as usize);
        if neighbors.binary_search(&other).is_err() {
            return 0.0;
        }
        let may_be = self.is_cut[one as usize] && self.is_cut[other as usize];
        let is_parted = may_be && (self.cracks.pairs.binary_search(&sorted([one, other]))).is_ok();
        if is_parted { -REPULSION } else { 1.0 }
    }

    /// Particles that have left count where they were cut off: what was around them has left with them.
    fn counts(&self, particle: u32) -> bool {
        let particle = particle as usize;
        self.piece[particle] != GONE || self.is_cut[particle]
    }

    fn groups(&self, x: DVec3) -> Groups {
        let mut particles = Vec::new();
        self.near.for_each(x, |particle, weight| {
            if self.counts(particle) {
                particles.push((particle, weight));
            }
        });
        let count = particles.len();
        let is_cut = |&&(particle, _): &&(u32, f64)| self.is_cut[particle as usize];
        let mut group = vec![0; count];
        let piece = |&(particle, _): &(u32, f64)| self.piece[particle as usize];
        let has_pieces = particles
            .windows(2)
            .any(|two| piece(&two[0]) != piece(&two[1]));
        if has_pieces || particles.iter().filter(is_cut).count() > 1 {
            let mut pull = vec![0.0; count * count];
            let mut is_parted = false;
            for (i, &(one, a)) in particles.iter().enumerate() {
                for (j, &(other, b)) in particles.iter().enumerate().take(i) {
                    let sign = self.pull(one, other);
                    is_parted |= sign < 0.0;
                    pull[i * count + j] = sign * a * b;
                    pull[j * count + i] = sign * a * b;
                }
            }
            if is_parted {
                group = contracted(&mut pull, count);
            }
        }
        Groups { particles, group }
    }
}

impl Groups {
    fn of(&self, counts: impl Fn(u32) -> bool) -> Bound {
        let all = self.particles.iter().zip(&self.group);
        let of = all.filter(|(_, group)| counts(**group));
        of.map(|(bound, _)| *bound).collect()
    }

    /// The group of each particle, sorted by these.
    fn by_particle(&self) -> Vec<(u32, u32)> {
        let all = self.particles.iter().zip(&self.group);
        let mut all: Vec<_> = all
            .map(|((particle, _), &group)| (*particle, group))
            .collect();
        all.sort_unstable();
        all
    }
}

/// The group that each of some items comes into, named by its first, when the two that attract each other
/// most are joined until none do.
///
/// * `pull` — between each two, by rows
fn contracted(pull: &mut [f64], count: usize) -> Vec<u32> {
    let mut group: Vec<u32> = (0..count as u32).collect();
    let mut firsts: Vec<usize> = (0..count).collect();
    loop {
        let (mut most, mut found) = (0.0, None);
        for (k, &i) in firsts.iter().enumerate() {
            for &j in &firsts[k + 1..] {
                if pull[i * count + j] > most {
                    (most, found) = (pull[i * count + j], Some((i, j)));
                }
            }
        }
        let Some((i, j)) = found else {
            return group;
        };
        firsts.retain(|&first| first != j);
        for &k in &firsts {
            pull[i * count + k] += pull[j * count + k];
            pull[k * count + i] = pull[i * count + k];
        }
        for group in &mut group {
            if *group == j as u32 {
                *group = i as u32;
            }
        }
    }
}

fn carries(bound: &Bound, particle: u32) -> bool {
    bound.iter().any(|(of, _)| *of == particle)
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_joined_while_they_attract_each_other() {
        // Two pairs that repel each other more than one way between them attracts, and a fifth alone.
        let mut pull = vec![0.0; 25];
        for (i, j, of) in [(0, 1, 2.0), (2, 3, 1.0), (1, 2, 0.5), (0, 3, -0.7)] {
            pull[i * 5 + j] = of;
            pull[j * 5 + i] = of;
        }
        assert_eq!(contracted(&mut pull.clone(), 5), [0, 0, 2, 2, 4]);
        (pull[3], pull[15]) = (-0.4, -0.4);
        assert_eq!(contracted(&mut pull, 5), [0, 0, 0, 0, 4]);
    }
}
