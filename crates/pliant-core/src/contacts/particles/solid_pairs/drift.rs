//! How far the outer particles have gone since their regions were looked at.

use pliant_math::DVec3;

use super::super::meeting::Reach;
use super::patches::Patches;
use crate::parallel;

/// Farther from the origin [m] no place is counted from.
const FARTHEST: f64 = 1e6;

/// An outer particle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outer {
    /// Position [m] from the mean place of all solids, so that none drifts in a common fall.
    pub position: DVec3,
    /// Half of the distance [m] within which it may touch one of the same.
    pub half_reach: f64,
}

/// The outer particles, and which regions are to be looked at again; scratch of the stepper.
#[derive(Debug, Default)]
pub struct Drift {
    /// In this substep.
    pub now: Vec<Outer>,
    /// When their regions were looked at.
    seen: Vec<Outer>,
    /// Whether each region is to be looked at in this substep.
    pub is_stale: Vec<bool>,
}

impl Drift {
    /// Takes the particles in: those of a new layout, or of one whose regions have been looked at.
    pub fn update(&mut self, patches: &Patches, reach: Reach<'_>, is_new: bool) {
        let positions = &reach.particles.position[reach.search.solids.range.clone()];
        let of_chunk = |range| sum(&positions[range]);
        let sum = parallel::ordered_fold(positions.len(), DVec3::ZERO, of_chunk, |a, b| a + b);
        let mean = origin(sum / positions.len().max(1) as f64);
        let layout = &patches.layout;
        self.now.resize(layout.places.len(), Outer::default());
        parallel::for_chunks(&mut self.now, |first, now| {
            for (outer, &place) in now.iter_mut().zip(&layout.places[first..]) {
                let place = place as usize;
                *outer = Outer {
                    position: reach.particles.position[place] - mean,
                    half_reach: reach.half(place),
                };
            }
        });
        self.is_stale.clear();
        self.is_stale.resize(layout.regions(), is_new);
        if is_new {
            self.seen.clone_from(&self.now);
            return;
        }
        let (now, seen) = (&self.now, &self.seen);
        parallel::for_items(&mut self.is_stale, |region, is_stale| {
            *is_stale = !layout.of_region(region).all(|patch| {
                let outer = layout.patches[patch].outer.clone();
                let slack = f64::from(patches.patches[patch].slack);
                let mut both = now[outer.clone()].iter().zip(&seen[outer]);
                both.all(|(now, seen)| now.drift_from(seen) <= slack)
            });
        });
        for region in (0..self.is_stale.len()).filter(|&region| self.is_stale[region]) {
            for plan in &layout.patches[layout.of_region(region)] {
                let outer = plan.outer.clone();
                self.seen[outer.clone()].copy_from_slice(&self.now[outer]);
            }
        }
    }
}

impl Outer {
    /// How much nearer [m] than before it may be to touching another one.
    fn drift_from(&self, seen: &Self) -> f64 {
        self.position.distance(seen.position) + (self.half_reach - seen.half_reach)
    }
}

/// A mean place [m], or the origin where so little of the coordinates would be left that nearness could
/// not be told.
fn origin(mean: DVec3) -> DVec3 {
    if mean.length() < FARTHEST {
        mean
    } else {
        DVec3::ZERO
    }
}

fn sum(positions: &[DVec3]) -> DVec3 {
    positions.iter().sum()
}
