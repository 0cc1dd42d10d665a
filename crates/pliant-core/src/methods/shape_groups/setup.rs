//! Constants of the method from bodies and materials.

use std::sync::Arc;

use pliant_materials::laws::{Solid, SolidLaw};

use super::projection::{Constraint, Moduli};
use super::{EnergySolve, ParticleGroups, SHAPE_GROUPS, ShapeGroupsSettings};
use crate::world::{NumberedBody, Setup};

/// Spacings that a wave crosses in the longest step in which the two constraints of the energy are solved
/// together; at 1.5 that is unstable.
const MOST_CROSSED: f64 = 0.7;

/// Constants of the method for a run.
#[derive(Clone, Debug, Default)]
pub struct ShapeGroupsSetup {
    /// The bodies, in their order.
    pub bodies: Vec<GroupBody>,
    /// Settings.
    pub settings: ShapeGroupsSettings,
    /// The place of each body of the world among these; `u32::MAX` for others.
    places: Vec<u32>,
}

/// Constants of a body.
#[derive(Clone, Debug)]
pub struct GroupBody {
    /// Index of the body.
    pub body: u32,
    /// Stable id of its first particle; the others follow.
    pub first_id: u32,
    /// Its groups at rest.
    pub groups: Arc<ParticleGroups>,
    /// What contacts see of each particle.
    roles: Arc<[Role]>,
    /// What it is made of.
    pub law: Solid,
    /// Mean distance of its particles [m].
    pub spacing: f64,
    /// Young's modulus [Pa] of small strains.
    pub youngs_modulus: f64,
    /// Mean density at rest [kg/m3].
    pub density: f64,
}

impl ShapeGroupsSetup {
    /// What a setup tells of it.
    pub fn of(setup: &Setup) -> Self {
        let of_body = |numbered: NumberedBody<'_>| {
            let body = numbered.body;
            let law = *setup.materials[body.material as usize].law.solid()?;
            let groups: Arc<ParticleGroups> = body.particles.structure_of()?;
            let moduli = law.moduli();
            let (mu, lambda) = (
                f64::from(moduli.shear_modulus),
                f64::from(moduli.lame_lambda),
            );
            Some(GroupBody {
                body: numbered.number,
                first_id: numbered.first_id,
                roles: roles(&groups),
                groups,
                law,
                spacing: body.spacing,
                youngs_modulus: mu * (3.0 * lambda + 2.0 * mu) / (lambda + mu),
                density: body.particles.particle_mass / body.particles.particle_volume,
            })
        };
        let bodies: Vec<GroupBody> = setup.bodies_of(SHAPE_GROUPS).filter_map(of_body).collect();
        let mut places = vec![u32::MAX; setup.bodies.len()];
        for (place, body) in (0..).zip(&bodies) {
            places[body.body as usize] = place;
        }
        Self {
            bodies,
            settings: setup.solver.methods.of(),
            places,
        }
    }

    /// The body of a number, if it is of this method.
    pub fn body(&self, body: u32) -> Option<&GroupBody> {
        self.bodies.get(*self.places.get(body as usize)? as usize)
    }
}

impl GroupBody {
    /// What contacts see of a particle.
    pub fn role(&self, id: u32) -> Role {
        self.roles[(id - self.first_id) as usize]
    }

    /// What stands for the energy in a step of `dt` [s].
    pub(super) fn constraint(&self, solve: EnergySolve, dt: f64) -> Constraint {
        let SolidLaw::PolynomialNeoHookean(law) = self.law.law else {
            return Constraint::Energy;
        };
        let moduli = Moduli {
            shear: law.moduli.shear_modulus,
            volume: law.volume_modulus(),
        };
        match solve {
            EnergySolve::Energy => Constraint::Energy,
            EnergySolve::Block => Constraint::Block(moduli),
            EnergySolve::Sequential => Constraint::Sequential(moduli),
            EnergySolve::Automatic if self.crossing(dt) > MOST_CROSSED => Constraint::Energy,
            EnergySolve::Automatic => Constraint::Block(moduli),
        }
    }

    /// Spacings that a wave in a bar crosses in a step of `dt` [s].
    pub fn crossing(&self, dt: f64) -> f64 {
        dt * (self.youngs_modulus / self.density).sqrt() / self.spacing
    }
}

/// What contacts see of a particle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A ball, of a body without triangles.
    Ball,
    /// Nothing: it is inside of the surface.
    Enclosed,
    /// A vertex of the surface.
    Surface,
}

fn roles(groups: &ParticleGroups) -> Arc<[Role]> {
    let inside = match groups.triangles.is_empty() {
        true => Role::Ball,
        false => Role::Enclosed,
    };
    let mut roles = vec![inside; groups.rest_position.len()];
    for &corner in groups.triangles.iter().flatten() {
        roles[corner as usize] = Role::Surface;
    }
    roles.into()
}
