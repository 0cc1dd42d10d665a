//! Contacts with the triangles of cloth: of particles of any body with triangles, and of edges.
//!
//! | what | here |
//! | --- | --- |
//! | who may meet whom | `candidates`, over `patches` in a `tree` |
//! | which patches cannot meet | `regions`, laid out by `layout` |
//! | nearest points of a point and a triangle, of two segments | `nearest` |
//! | which triangles a particle truly meets | `features` |
//! | non-penetration and friction of four particles | `contact` |
//! | the last check: ways that cross a surface | `passages`, by `sweep` and `zones` |
//!
//! Nearest points and normals are taken once, at the start of the substep; a particle is on the side
//! where it is then, and the last check sees to it that it stays there. Contacts are projected one
//! after the other, in an order that depends on the particles alone.

mod candidates;
mod contact;
mod features;
mod layout;
mod nearest;
mod passages;
mod patches;
mod regions;
mod sweep;
#[cfg(test)]
mod tests;
mod tree;
mod zones;

pub use candidates::Surface;
pub use contact::SurfaceSearch;

use pliant_math::{DVec3, Real, Vec3};

use self::candidates::{Candidate, Candidates};
use self::contact::{SurfaceContact, corners, nearest_of};
use self::features::{Met, is_met};
use self::passages::Checked;
use self::zones::Zones;
use crate::contacts::Acceleration;
use crate::contacts::acceleration::Before;
use crate::parallel;
use crate::particles::Particles;

/// The contacts of a substep; scratch of the stepper.
#[derive(Debug, Default)]
pub struct SurfaceContacts {
    contacts: Vec<SurfaceContact>,
    candidates: Candidates,
    zones: Zones,
    checked: Checked,
    chunks: Vec<Vec<SurfaceContact>>,
    before: Before,
}

impl SurfaceContacts {
    /// Finds what may touch a surface within the substep.
    pub fn find(&mut self, surface: &Surface, particles: &Particles, search: &SurfaceSearch<'_>) {
        self.contacts.clear();
        self.checked.clear();
        if surface.triangles.is_empty() {
            self.candidates.all.clear();
            return;
        }
        self.candidates
            .find(surface, particles, search.acceleration, search.dt);
        let groups: Vec<&[Candidate]> = self.candidates.all.chunk_by(meet_one_particle).collect();
        self.chunks
            .resize_with(parallel::chunk_count(groups.len()), Vec::new);
        parallel::for_items(&mut self.chunks, |number, contacts| {
            contacts.clear();
            let first = number * parallel::CHUNK;
            let end = (first + parallel::CHUNK).min(groups.len());
            for group in &groups[first..end] {
                find_of(group, particles, search, contacts);
            }
        });
        self.contacts.extend(self.chunks.iter().flatten());
        self.contacts.sort_unstable_by_key(SurfaceContact::order);
    }

    /// Projects every contact once, one after the other.
    pub fn project(&mut self, velocity: &mut [Vec3], inverse_mass: &[Real]) {
        for contact in &mut self.contacts {
            contact.project(velocity, inverse_mass);
        }
    }

    /// Lets contacts with certain particles go further the way they went.
    pub fn accelerate(
        &mut self,
        velocity: &mut [Vec3],
        inverse_mass: &[Real],
        acceleration: &Acceleration,
    ) {
        let all = self.contacts.iter().map(|c| c.concerns(acceleration));
        self.before.start(acceleration, all);
        for (number, before) in &mut self.before.0 {
            let contact = &mut self.contacts[*number as usize];
            contact.accelerate(before, acceleration.share(), velocity, inverse_mass);
        }
    }

    /// Number of contacts that press.
    pub fn pressed_count(&self) -> usize {
        self.contacts.iter().filter(|c| c.is_pressed()).count()
    }

    /// Adds the impulse [N s] of the contacts in this substep to their particles.
    pub fn add_impulses(&self, inverse_mass: &[Real], impulses: &mut [DVec3]) {
        for contact in &self.contacts {
            contact.add_impulse(inverse_mass, impulses);
        }
    }
}

/// True for two candidates of one particle and triangles.
fn meet_one_particle(a: &Candidate, b: &Candidate) -> bool {
    a.is_triangle && b.is_triangle && a.points[0] == b.points[0]
}

/// The contacts of one particle with triangles, or of one pair of edges.
fn find_of(
    group: &[Candidate],
    particles: &Particles,
    search: &SurfaceSearch<'_>,
    contacts: &mut Vec<SurfaceContact>,
) {
    let met = |candidate: &Candidate| Met {
        candidate: *candidate,
        nearest: nearest_of(candidate, &corners(candidate, &particles.position)),
    };
    if let [pair] = group
        && !pair.is_triangle
    {
        let met = met(pair);
        // Nearest at an end, a corner of one surface meets the other: that is a contact of its own.
        if met.nearest.weights.iter().all(|&w| w != 0.0) {
            contacts.extend(SurfaceContact::new(*pair, &met.nearest, particles, search));
        }
        return;
    }
    let mut all: Vec<Met> = group.iter().map(met).collect();
    all.sort_unstable_by_key(|met| met.candidate.points);
    for (place, met) in all.iter().enumerate() {
        let contact = SurfaceContact::new(met.candidate, &met.nearest, particles, search);
        if let Some(contact) = contact.filter(|_| is_met(place, &all)) {
            contacts.push(contact);
        }
    }
}
