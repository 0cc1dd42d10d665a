//! What acts on the particles that colliders carry, which those hand on: Newton's second law.
//!
//! Contacts and rods tell their impulses themselves, and the recoil of a collider's own motion is
//! taken where particles are carried. Left out are XSPH and the minimum distance, which do nothing at
//! rest.

use std::ops::Range;

use pliant_materials::{ReturnMapping, dispatch_hencky_law};
use pliant_math::{DVec3, hencky_strain, to_double};

use crate::attachments::{self, Bonds, Places};
use crate::boundaries::ColliderReactions;
use crate::contacts::{ParticleContacts, SurfaceContacts};
use crate::methods::cloth::Cloth;
use crate::methods::springs::Springs;
use crate::methods::strain_energy::StrainEnergy;
use crate::methods::xpbi::{Continuum, Xpbi};
use crate::world::World;

/// The rooms that act on particles, after a substep.
#[derive(Clone)]
pub struct Acting<'a> {
    /// Where particles are.
    pub places: &'a Places,
    /// Contacts of particles.
    pub pairs: &'a ParticleContacts,
    /// Contacts with cloth.
    pub surfaces: &'a SurfaceContacts,
    /// Rods.
    pub bonds: &'a Bonds,
    /// Stress.
    pub xpbi: &'a Xpbi,
    /// Energies of solids.
    pub solids: &'a StrainEnergy,
    /// Springs.
    pub springs: &'a Springs,
    /// Stretch and bending.
    pub cloth: &'a Cloth,
    /// Places of the vertices of cloth.
    pub vertices: Range<usize>,
}

/// Sums up what acts on carried particles; scratch of the stepper.
#[derive(Debug, Default)]
pub struct Reactions {
    /// Impulse on each particle [N s], complete for those that are carried.
    on_particle: Vec<DVec3>,
    /// Whether a particle or one of its neighbours is carried.
    is_near: Vec<bool>,
}

impl Reactions {
    /// Adds the impulses [N s] of the last substep of `dt` [s] on carried particles to their colliders.
    pub fn add(
        &mut self,
        world: &World,
        acting: Acting<'_>,
        dt: f64,
        reactions: &mut ColliderReactions,
    ) {
        let held = &world.setup.attachments;
        if !attachments::are_carried(held) {
            return;
        }
        let particles = &world.state.particles;
        let Self {
            on_particle,
            is_near,
        } = self;
        on_particle.clear();
        on_particle.resize(particles.len(), DVec3::ZERO);
        acting
            .pairs
            .add_impulses(&particles.inverse_mass, on_particle);
        acting
            .surfaces
            .add_impulses(&particles.inverse_mass, on_particle);
        acting.bonds.add_impulses(on_particle);
        acting.solids.add_impulses(on_particle);
        acting
            .springs
            .add_impulses(&mut on_particle[acting.springs.range()]);
        acting
            .cloth
            .add_impulses(&mut on_particle[acting.vertices.clone()]);
        is_near.clear();
        is_near.resize(particles.len(), false);
        for continuum in &acting.xpbi.continua {
            let is_carried = |place| particles.inverse_mass[place] == 0.0;
            mark_near(continuum, is_carried, is_near);
            add_stress(world, continuum, is_near, dt, on_particle);
        }
        let weight = |i: usize| world.setup.gravity * f64::from(particles.mass[i]);
        let impulse_on = |i: usize| on_particle[i] + weight(i) * dt;
        let velocity = &particles.velocity;
        attachments::hand_on(held, acting.places, velocity, impulse_on, reactions);
    }
}

/// Marks the particles of a continuum that are held, and their neighbours.
fn mark_near(continuum: &Continuum, is_held: impl Fn(usize) -> bool, is_near: &mut [bool]) {
    let first = continuum.range.start;
    for place in continuum.range.clone().filter(|&place| is_held(place)) {
        is_near[place] = true;
        for interaction in continuum.lists.neighbors(place - first) {
            is_near[first + interaction.neighbor] = true;
        }
    }
}

/// Adds the impulses dt V0 tau g [N s] of the stress of marked particles, at themselves and, turned
/// round, at their neighbours: what the sweeps give those that can move (Yu et al. 2024, eq. 17).
fn add_stress(
    world: &World,
    continuum: &Continuum,
    is_near: &[bool],
    dt: f64,
    on_particle: &mut [DVec3],
) {
    let (setup, state) = (&world.setup, &world.state);
    let first = continuum.range.start;
    for place in continuum.range.clone().filter(|&place| is_near[place]) {
        let body = &setup.bodies[state.particles.body[place] as usize];
        let Some(law) = setup.materials[body.material as usize].law.hencky() else {
            continue;
        };
        let strain = hencky_strain(state.xpbi.strain[place]);
        let stress = dispatch_hencky_law!(law, |law| law.elasticity().kirchhoff_stress(strain));
        let scale = body.particles.particle_volume * dt;
        for interaction in continuum.lists.neighbors(place - first) {
            let push = to_double(stress.mul_vec3(interaction.gradient)) * scale;
            on_particle[place] += push;
            on_particle[first + interaction.neighbor] -= push;
        }
    }
}
