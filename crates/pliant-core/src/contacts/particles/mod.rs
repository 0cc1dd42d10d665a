//! Contacts between particles of different continua, and between those of one that has no other
//! constraints: spheres with centre-line normals, and against the surfaces of bodies that keep their
//! neighbours one contact for each particle and face (`sampled_surfaces`).
//!
//! A candidate pair may touch within the substep; normals are frozen at its start. Only particles near
//! what they can meet take part (`active_set`); they are sorted by block and cell, and each pair belongs to
//! the block of one of its particles (`spheres`, `tasks`). Blocks of one of 8 colours share no particle,
//! so they are projected at once. Particles of solids, whose neighbours stay the same, have a search of
//! their own for each other (`solid_pairs`). Both searches name pairs of which one may be part of a
//! surface; those that do not meet as particle and surface meet as spheres.

mod active_set;
mod kept;
mod pair;
mod sampled_surfaces;
mod search;
mod solid_pairs;
mod solids;
mod spheres;
mod tasks;
#[cfg(test)]
mod tests;

use pliant_math::simd::Instructions;

pub use self::kept::{KeptContact, KeptContacts, KeptIndex, KeptSearch};
pub use self::sampled_surfaces::{RestBody, SampledSurface, SampledSurfaces, Surfels};
pub use self::solids::{MethodSolids, REST_SHARE, Solids};

use self::active_set::{ActiveSet, SearchMargin};
use self::sampled_surfaces::SampledContacts;
use self::solid_pairs::SolidPairs;
use self::spheres::Spheres;
use self::tasks::Tasks;
use crate::contacts::TiedParticles;
use crate::contacts::solve::{GrainAt, LinearContacts};
use crate::particles::Particles;

/// The continuum of particles that meet nobody as spheres: the triangles of cloth are met instead.
pub const NO_SPHERES: u32 = u32::MAX;

/// Methods that offer surfaces, and those that offer solids, at most.
const MOST_METHODS: usize = 4;

/// The search for contacts of particles; scratch of the stepper.
#[derive(Debug)]
pub struct ParticleContacts {
    /// What the search computes with; the bits are the same for all.
    pub instructions: Instructions,
    active_set: ActiveSet,
    spheres: Spheres,
    tasks: Tasks,
    solid_pairs: SolidPairs,
    sampled_surfaces: SampledContacts,
}

/// What the search needs to know of bodies and step.
pub struct PairSearch<'a> {
    /// Continuum of each body; [`NO_SPHERES`] for those that are no contacts of anybody.
    pub continuum_of_body: &'a (dyn Fn(u32) -> u32 + Sync),
    /// Friction of each body against other continua.
    pub friction_of_body: &'a (dyn Fn(u32) -> f64 + Sync),
    /// Friction of each body against its own continuum; `None` if particles of that are no contacts.
    pub inner_friction_of_body: &'a (dyn Fn(u32) -> Option<f64> + Sync),
    /// Where friction is another along an axis; `None` if that is nowhere so.
    pub grain: GrainAt<'a>,
    /// Particles that know where they are at rest.
    pub solids: Solids<'a>,
    /// The surfaces of those that keep their neighbours.
    pub sampled_surfaces: SampledSurfaces<'a>,
    /// What is tied to whom; `None` if nothing is.
    pub tied: Option<&'a TiedParticles>,
    /// What contacts inside of continua did in the last substep; `None` if nothing is kept of them.
    pub kept: Option<KeptSearch<'a>>,
    /// Greatest acceleration [m/s2] by gravity, forces and loads.
    pub acceleration: f64,
    /// Greatest speed at which overlaps are undone [m/s].
    pub push_out_speed: f64,
    /// The substep [s].
    pub dt: f64,
}

impl PairSearch<'_> {
    /// Whether some particles of two bodies are where these are tied.
    #[inline]
    fn are_tied(&self, ones: &[u32], others: &[u32]) -> bool {
        self.tied.is_some_and(|tied| tied.are_tied(ones, others))
    }
}

impl Default for ParticleContacts {
    fn default() -> Self {
        Self {
            instructions: Instructions::best(),
            active_set: ActiveSet::default(),
            spheres: Spheres::default(),
            tasks: Tasks::default(),
            solid_pairs: SolidPairs::default(),
            sampled_surfaces: SampledContacts::default(),
        }
    }
}

impl ParticleContacts {
    /// Finds the contacts of particles that may touch within the substep, and hands them over.
    pub fn find(
        &mut self,
        particles: &Particles,
        search: &PairSearch<'_>,
        contacts: &mut LinearContacts,
    ) {
        let reach = SearchMargin::new(particles, search);
        self.spheres.sort(self.active_set.find(reach));
        self.tasks.plan(&self.spheres);
        self.tasks.search(self.instructions, &self.spheres, search);
        self.solid_pairs.find(self.instructions, reach);
        let near = self.tasks.near_surfaces(&self.spheres);
        self.sampled_surfaces
            .find(reach, near.chain(self.solid_pairs.near_surfaces()));
        self.tasks
            .add_fallback_pairs(&self.spheres, &self.sampled_surfaces, search);
        self.solid_pairs
            .add_fallback_pairs(reach, &self.sampled_surfaces);
        self.tasks.hand_over(contacts);
        self.solid_pairs.hand_over(contacts);
        self.sampled_surfaces.hand_over(contacts);
    }
}
