//! Contacts with the triangles of cloth: of particles of any body with triangles, and of edges.
//!
//! | what | here |
//! | --- | --- |
//! | who may meet whom | `candidates`, over `patches` in a `tree` |
//! | which patches cannot meet | `regions`, laid out by `layout` |
//! | nearest points of a point and a triangle, of two segments | `nearest` |
//! | which triangles a particle truly meets | `features` |
//! | normals and weights of contacts | `contact` |
//! | the last check: ways that cross a surface | `passages`, by `sweep` and `zones` |
//!
//! Nearest points and normals are taken once, at the start of the substep; a particle is on the side
//! where it is then, and the last check sees to it that it stays there.

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

use self::candidates::{Candidate, Candidates};
use self::contact::{add_contact, corners, nearest_of};
use self::features::{Met, is_met};
use self::passages::Checked;
use self::zones::Zones;
use crate::contacts::solve::{ContactList, LinearContacts};
use crate::parallel;
use crate::particles::Particles;

/// The search for contacts with surfaces, and the last check; scratch of the stepper.
#[derive(Debug, Default)]
pub struct SurfaceContacts {
    candidates: Candidates,
    zones: Zones,
    checked: Checked,
    chunks: Vec<Chunk>,
}

/// What is found one after the other.
#[derive(Debug, Default)]
struct Chunk {
    /// The contacts, until they are handed over.
    contacts: ContactList,
    /// Triangles near a particle.
    met: Vec<Met>,
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
        self.checked.clear();
        if surface.triangles.is_empty() {
            self.candidates.all.clear();
            return;
        }
        self.candidates
            .find(surface, particles, search.acceleration, search.dt);
        let groups: Vec<&[Candidate]> = self.candidates.all.chunk_by(meet_one_particle).collect();
        self.chunks
            .resize_with(parallel::chunk_count(groups.len()), Chunk::default);
        parallel::for_items(&mut self.chunks, |number, chunk| {
            chunk.contacts.clear();
            let first = number * parallel::CHUNK;
            let end = (first + parallel::CHUNK).min(groups.len());
            for group in &groups[first..end] {
                chunk.find_of(group, particles, search);
            }
        });
        contacts.add_loose(self.chunks.iter_mut().map(|chunk| &mut chunk.contacts));
    }
}

/// True for two candidates of one particle and triangles.
fn meet_one_particle(a: &Candidate, b: &Candidate) -> bool {
    a.is_triangle && b.is_triangle && a.points[0] == b.points[0]
}

impl Chunk {
    /// Adds the contacts of one particle with triangles, or of one pair of edges.
    fn find_of(&mut self, group: &[Candidate], particles: &Particles, search: &SurfaceSearch<'_>) {
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
                add_contact(*pair, &met.nearest, particles, search, &mut self.contacts);
            }
            return;
        }
        self.met.clear();
        self.met.extend(group.iter().map(met));
        self.met.sort_unstable_by_key(|met| met.candidate.points);
        for (place, met) in self.met.iter().enumerate() {
            if is_met(place, &self.met) {
                let Met { candidate, nearest } = met;
                add_contact(*candidate, nearest, particles, search, &mut self.contacts);
            }
        }
    }
}
