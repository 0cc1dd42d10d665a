//! What acts on the particles that colliders carry, which those hand on: Newton's second law.
//!
//! Methods, contacts and rods tell their impulses themselves, and the recoil of a collider's own motion is
//! taken where particles are carried. Air, which damps velocities, is no one's.

use pliant_math::DVec3;

use crate::attachments::{self, Rods, Tethers};
use crate::boundaries::ColliderReactions;
use crate::contacts::{LinearContacts, RigidContacts, SurfaceContacts};
use crate::method::{Methods, Substep};
use crate::particles::IdMap;
use crate::world::World;

/// The rooms that act on particles, after a substep.
#[derive(Clone)]
pub struct Acting<'a> {
    /// Where particles are.
    pub places: &'a IdMap,
    /// Contacts of particles with each other and with cloth.
    pub contacts: &'a LinearContacts,
    /// The last check of surfaces.
    pub surfaces: &'a SurfaceContacts,
    /// Contacts with rigid bodies.
    pub rigid_contacts: &'a RigidContacts,
    /// Ties to rigid bodies.
    pub tethers: &'a Tethers,
    /// Rods.
    pub rods: &'a Rods,
}

/// Sums up what acts on carried particles; scratch of the stepper.
#[derive(Debug, Default)]
pub struct Reactions {
    /// Impulse on each particle [N s], complete for those that are carried.
    on_particle: Vec<DVec3>,
}

impl Reactions {
    /// Adds the impulses [N s] of the last substep on carried particles to their colliders.
    pub fn add(
        &mut self,
        world: &World,
        (acting, methods): (Acting<'_>, &mut Methods),
        step: Substep,
        reactions: &mut ColliderReactions,
    ) {
        if !step.tells_held {
            return;
        }
        let held = &world.setup.attachments;
        let particles = &world.state.particles;
        let Self { on_particle } = self;
        on_particle.clear();
        on_particle.resize(particles.len(), DVec3::ZERO);
        acting
            .contacts
            .add_impulses(&particles.inverse_mass, on_particle);
        acting.surfaces.add_impulses(on_particle);
        acting.rigid_contacts.add_to_particles(on_particle);
        acting.tethers.add_to_particles(on_particle);
        acting.rods.add_impulses(on_particle);
        for method in methods.iter_mut() {
            method.add_impulses(particles, &world.state.methods, step, on_particle);
        }
        let weight = |i: usize| world.setup.gravity * f64::from(particles.mass[i]);
        let impulse_on = |i: usize| on_particle[i] + weight(i) * step.dt;
        let velocity = &particles.velocity;
        attachments::transmit_impulses(held, acting.places, velocity, impulse_on, reactions);
    }
}
