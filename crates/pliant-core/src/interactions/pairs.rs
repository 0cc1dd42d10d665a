//! One pass over close pairs.
// Groups write to disjoint places of shared columns; see `parallel::Shared`.
#![allow(unsafe_code)]

use pliant_math::Real;
use pliant_math::simd::{Instructions, Job, LANES, Pack, Places};

use super::lanes::load_vector;
use super::lists::RowData;
use super::passes::moved;
use super::rows::ParticleRows;
use crate::constraints::minimum_distance::{MinimumDistance, PairRow};
use crate::parallel::{self, Shared, View};

/// Keeps close pairs at their minimum distance, colour by colour.
pub fn sweep_pairs<S: Sync>(
    instructions: Instructions,
    rule: MinimumDistance,
    rows: &ParticleRows,
    (pairs, data): (&mut [PairRow], &[RowData<S>]),
    velocity: &mut [[Real; 4]],
) {
    for color in &rows.colors {
        let velocity = Shared::new(velocity);
        let pairs = Shared::new(pairs);
        parallel::for_tasks(&rows.groups[color.clone()], |group| {
            let task = group.rows.start as u32;
            // SAFETY: a visit touches particles within 2r of its own; blocks of one colour are at least
            // 4r apart, and lanes without a block have places that no other group of the colour uses;
            // pairs are touched by the group of their first particles only.
            let (velocity, pairs) = unsafe { (velocity.view(task), pairs.view(task)) };
            instructions.run_lanes(
                group.lanes.len(),
                SweepPairs {
                    rule,
                    rows,
                    group: group.rows.clone(),
                    data,
                    pairs,
                    velocity,
                },
            );
        });
    }
}

/// Leaves out the pairs of which one is not chosen; before any was swept.
///
/// * `is_chosen` — of a particle by its number, spare places included
pub fn retain_pairs_of<S>(
    rows: &ParticleRows,
    (pairs, data): (&mut [PairRow], &[RowData<S>]),
    is_chosen: impl Fn(usize) -> bool,
) {
    for (particles, data) in rows.particle.iter().zip(data) {
        for pair in &mut pairs[data.pairs()] {
            for lane in 0..LANES {
                let ends = [particles.get(lane), pair.other.get(lane)];
                if !ends.into_iter().all(&is_chosen) {
                    pair.clear_lane(lane, ends[0]);
                }
            }
        }
    }
}

struct SweepPairs<'a, S> {
    rule: MinimumDistance,
    rows: &'a ParticleRows,
    group: std::ops::Range<usize>,
    data: &'a [RowData<S>],
    pairs: View<'a, PairRow>,
    velocity: View<'a, [Real; 4]>,
}

impl<S> Job for SweepPairs<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(mut self) {
        for row in self.group.clone() {
            let particles = &self.rows.particle[row];
            for pair in self.pairs.range(self.data[row].pairs()) {
                separate::<P>(self.rule, particles, pair, &mut self.velocity);
            }
        }
    }
}

/// Gives the pairs of a row the impulse that they lack.
#[inline(always)]
fn separate<P: Pack>(
    rule: MinimumDistance,
    particles: &Places,
    pair: &mut PairRow,
    velocity: &mut View<'_, [Real; 4]>,
) {
    let own: [P; 4] = velocity.gather(particles);
    let other: [P; 4] = velocity.gather(&pair.other);
    let normal = load_vector::<P>(&pair.normal);
    let speed = (other[0] - own[0]) * normal[0]
        + (other[1] - own[1]) * normal[1]
        + (other[2] - own[2]) * normal[2];
    let before = P::load(&pair.impulse);
    let distance = P::load(&pair.distance);
    let impulse = rule.missing_impulse(distance, before, speed, own[3] + other[3]);
    if !MinimumDistance::is_active(impulse) {
        return;
    }
    (before + impulse).store(&mut pair.impulse);
    // A lane without a pair has its own particle twice, and writes it twice unchanged.
    velocity.scatter(particles, moved(own, normal, -impulse * own[3]));
    velocity.scatter(&pair.other, moved(other, normal, impulse * other[3]));
}
