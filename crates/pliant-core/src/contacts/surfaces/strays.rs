//! Candidates of a few particles that have left the room around their trajectories, as those that are stopped do:
//! only what is near them is searched again.

use pliant_math::simd::{Instructions, Job, Pack};
use pliant_math::to_double;

use super::candidates::{Candidates, PATCHES_A_TASK, contact_margin};
use super::surface::Surface;
use crate::contacts::broad::Tree;
use crate::particles::Particles;

/// Of so many particles one at most has left its room; where more have, all is searched again.
const FEW: usize = 16;

/// Who has left the room; scratch.
#[derive(Debug, Default)]
pub struct Strays {
    /// Their places.
    particles: Vec<u32>,
    /// Whether a patch has a corner of theirs.
    pub has_patch: Vec<bool>,
    patches: Vec<u32>,
    near: Vec<u32>,
    /// Whether what a task has found is to be found anew.
    pub is_due: Vec<bool>,
}

impl Candidates {
    /// Finds what may meet on the trajectories that velocities lead now, where what was found does not hold
    /// it: near particles that have left the room around their trajectories.
    pub fn follow(&mut self, surface: &Surface, particles: &Particles, dt: f64) {
        let (velocity, room) = (&self.velocity, self.room);
        let keeps = |i: usize| {
            let changed = to_double(particles.velocity[i]) - to_double(velocity[i]);
            changed.length() * dt <= room
        };
        if self.swept.follow(particles, &self.met, dt, keeps) {
            return;
        }
        let mut strays = std::mem::take(&mut self.strays);
        strays.particles.clear();
        let all = self.met.iter().cloned().flatten();
        strays
            .particles
            .extend(all.filter(|&i| !keeps(i)).map(|i| i as u32));
        if FEW * strays.particles.len() > particles.len() {
            self.fit(surface, particles, contact_margin(0.0, dt));
            self.collect(surface, particles, 0.0);
        } else {
            self.search_again(surface, particles, &mut strays);
        }
        self.strays = strays;
    }

    /// Fits boxes anew around what has strayed, and searches the tasks again that have to do with it. What others
    /// were found with, and without, holds as long as they stay in their room.
    fn search_again(&mut self, surface: &Surface, particles: &Particles, strays: &mut Strays) {
        strays.has_patch.clear();
        strays.has_patch.resize(self.patches.count(), false);
        for i in strays.particles.iter().map(|&i| i as usize) {
            self.velocity[i] = particles.velocity[i];
            self.fitted[i] = self.swept.records[i];
            if surface.vertices.contains(&i) {
                let vertex = (i - surface.vertices.start) as u32;
                for &patch in self.patches.around.of(vertex) {
                    strays.has_patch[patch as usize] = true;
                }
            }
        }
        self.fit_boxes(surface);
        self.certificates.forget(&strays.has_patch);
        let of_patches = self.patches.count().div_ceil(PATCHES_A_TASK);
        strays.is_due.clear();
        strays.is_due.resize(of_patches, false);
        // Particles in no patch are few, or meet what has strayed as well as not.
        strays.is_due.resize(self.tasks.len(), true);
        let has_patch = strays.has_patch.iter().zip(0..);
        strays.patches.clear();
        strays
            .patches
            .extend(has_patch.filter_map(|(&strayed, patch)| strayed.then_some(patch)));
        strays.near.clear();
        Instructions::best().run(Near {
            tree: &self.patches.tree,
            patches: &strays.patches,
            near: &mut strays.near,
        });
        for &patch in &strays.near {
            strays.is_due[patch as usize / PATCHES_A_TASK] = true;
        }
        self.search(surface, particles, |task| strays.is_due[task]);
    }
}

/// Lists the patches whose boxes overlap those of others, these among them.
struct Near<'a> {
    tree: &'a Tree,
    patches: &'a [u32],
    near: &'a mut Vec<u32>,
}

impl Job for Near<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        for &patch in self.patches {
            let bounds = self.tree.bounds(patch);
            self.tree
                .add_overlapping::<P>(&bounds, 0..0, &mut *self.near);
        }
    }
}
