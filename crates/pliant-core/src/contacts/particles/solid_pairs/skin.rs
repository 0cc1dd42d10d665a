//! How far the outer particles have gone since their regions were looked at.

use pliant_math::DVec3;

use super::super::active_set::SearchMargin;
use super::patches::Patches;
use crate::parallel;

/// Farther from the origin [m] no place is counted from.
const FARTHEST: f64 = 1e6;

/// An outer particle.
#[derive(Clone, Copy, Debug, Default)]
pub struct SurfaceParticle {
    /// Position [m] from the mean place of all solids, so that none drifts in a common fall.
    pub position: DVec3,
    /// Half of the distance [m] within which it may touch one of the same.
    pub swept_radius: f64,
}

/// The outer particles, and which regions are to be looked at again; scratch of the stepper.
#[derive(Debug, Default)]
pub struct VerletSkin {
    /// In this substep.
    pub now: Vec<SurfaceParticle>,
    /// When their regions were looked at.
    at_rebuild: Vec<SurfaceParticle>,
    /// Whether each region is to be looked at in this substep.
    pub needs_rebuild: Vec<bool>,
}

impl VerletSkin {
    /// Takes the particles in: those of a new layout, or of one whose regions have been looked at.
    pub fn update(&mut self, patches: &Patches, reach: SearchMargin<'_>, is_new: bool) {
        let solids = &reach.search.solids;
        let sums = solids.by_method().map(|solids| {
            let positions = &reach.particles.position[solids.range.clone()];
            let of_chunk = |range| sum(&positions[range]);
            parallel::ordered_fold(positions.len(), DVec3::ZERO, of_chunk, |a, b| a + b)
        });
        let mean = origin(sums.sum::<DVec3>() / solids.count().max(1) as f64);
        let layout = &patches.layout;
        self.now
            .resize(layout.places.len(), SurfaceParticle::default());
        parallel::for_chunks(&mut self.now, |first, now| {
            for (outer, &place) in now.iter_mut().zip(&layout.places[first..]) {
                let place = place as usize;
                *outer = SurfaceParticle {
                    position: reach.particles.position[place] - mean,
                    swept_radius: reach.half(place),
                };
            }
        });
        self.needs_rebuild.clear();
        self.needs_rebuild.resize(layout.regions(), is_new);
        if is_new {
            self.at_rebuild.clone_from(&self.now);
            return;
        }
        let (now, at_rebuild) = (&self.now, &self.at_rebuild);
        parallel::for_items(&mut self.needs_rebuild, |region, needs_rebuild| {
            *needs_rebuild = !layout.of_region(region).all(|patch| {
                let outer = layout.patches[patch].outer.clone();
                let slack = f64::from(patches.patches[patch].slack);
                let mut both = now[outer.clone()].iter().zip(&at_rebuild[outer]);
                both.all(|(now, at_rebuild)| now.displacement_since(at_rebuild) <= slack)
            });
        });
        for region in (0..self.needs_rebuild.len()).filter(|&region| self.needs_rebuild[region]) {
            for plan in &layout.patches[layout.of_region(region)] {
                let outer = plan.outer.clone();
                self.at_rebuild[outer.clone()].copy_from_slice(&self.now[outer]);
            }
        }
    }
}

impl SurfaceParticle {
    /// How much nearer [m] than before it may be to touching another one.
    fn displacement_since(&self, at_rebuild: &Self) -> f64 {
        self.position.distance(at_rebuild.position) + (self.swept_radius - at_rebuild.swept_radius)
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
