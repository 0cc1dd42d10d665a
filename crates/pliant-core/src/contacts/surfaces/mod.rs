//! Contacts with triangles, of cloth and of solids: of particles of any body with triangles, and of edges.
//!
//! | what | here |
//! | --- | --- |
//! | all triangles | `surface` |
//! | trajectories and boxes around them | `swept` |
//! | who may meet whom | `candidates`, over `patches` in a tree; `strays`, where only a few have moved otherwise |
//! | who is surely too far away | `cull` |
//! | which patches surely cannot meet | `certificates`: `planar`, over a plane in a `reference` configuration, or `affine` |
//! | which particles are inside of solids, and where they come out | `interior`, by `rays` |
//! | contacts of those that are near | `task`, by `narrow` |
//! | the last check: trajectories that cross a surface | `passages`, by `ccd` |
//!
//! Nearest points and normals are taken once, at the start of the substep; a particle is on the side
//! where it is then, and the last check sees to it that it stays there. Only what is inside a solid is
//! pushed to the other side.

mod affine;
mod candidates;
mod certificates;
mod cull;
mod interior;
mod passages;
mod patches;
mod planar;
mod rays;
mod reference;
mod strays;
mod surface;
mod swept;
mod task;
#[cfg(test)]
mod tests;

pub use surface::Surface;

use pliant_math::DVec3;

use self::candidates::Candidates;
use self::interior::Interior;
use self::passages::Checked;
use crate::contacts::ccd::ImpactZones;
use crate::contacts::narrow::{Candidate, SurfaceSearch};
use crate::contacts::solve::LinearContacts;
use crate::parallel;
use crate::particles::Particles;

/// The search for contacts with surfaces, and the last check; scratch of the stepper.
#[derive(Debug, Default)]
pub struct SurfaceContacts {
    candidates: Candidates,
    interior: Interior,
    impact_zones: ImpactZones,
    checked: Checked,
    /// What meets on its way.
    impacts: Vec<Candidate>,
    /// What the last check has given particles that are held: place and impulse [N s].
    on_held: Vec<(u32, DVec3)>,
}

impl SurfaceContacts {
    /// Finds what may touch a surface within the substep, and hands it over.
    pub fn find(
        &mut self,
        surface: &Surface,
        particles: &Particles,
        search: &SurfaceSearch<'_>,
        contacts: &mut LinearContacts,
    ) {
        self.on_held.clear();
        if surface.triangles.is_empty() {
            self.candidates.tasks.clear();
            return;
        }
        self.candidates
            .find(surface, particles, search.acceleration, search.dt);
        self.interior
            .find(surface, &self.candidates, particles, search);
        self.checked.restart(self.candidates.room_of_checks());
        let Candidates { tasks, swept, .. } = &mut self.candidates;
        parallel::for_items(tasks, |_, task| {
            task.find_contacts(&swept.records, particles, search, &self.interior);
        });
        contacts.add_loose(tasks.iter_mut().map(|task| &mut task.contacts));
        contacts.add_loose(self.interior.contacts());
    }

    /// Adds the impulses [N s] that particles that are held have got in the last check of the substep.
    pub fn add_impulses(&self, on_particle: &mut [DVec3]) {
        for &(place, impulse) in &self.on_held {
            on_particle[place as usize] += impulse;
        }
    }
}
