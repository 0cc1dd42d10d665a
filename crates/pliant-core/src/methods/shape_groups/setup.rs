//! Constants of the method from bodies and materials.

use std::sync::Arc;

use pliant_materials::laws::{Solid, SolidLaw};

use super::projection::{Constraint, Moduli};
use super::{EnergySolve, ParticleGroups, SHAPE_GROUPS, ShapeGroupsColumns, ShapeGroupsSettings};
use crate::method::MethodStates;
use crate::rest::RestShape;
use crate::world::{NumberedBody, Setup};

/// Shortest sides that a wave crosses in the longest step in which the two constraints of the energy are solved
/// together, which costs least and with one sweep is exact to 0.2 % there. More sweeps do not make it more exact.
const MOST_CROSSED: f64 = 0.25;

/// The same with one sweep, which does not find the stress of longer steps: at 0.5 a beam of four cells across then sags
/// by 5 % too much, and is right within 1 % with the two constraints. At 1.5 those are unstable.
const MOST_CROSSED_BY_ONE: f64 = 0.7;

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
    /// Number of its first group among those of all bodies.
    pub first_group: u32,
    /// What contacts see of each particle.
    roles: Arc<[Role]>,
    /// What it is made of.
    pub law: Solid,
    /// Mean distance of its particles [m].
    pub spacing: f64,
    /// The shortest side of its cells, at most that distance [m].
    pub least_side: f64,
    /// Young's modulus [Pa] of small strains.
    pub youngs_modulus: f64,
    /// lambda + 2 mu [Pa], what waves of pressure go by.
    pub pressure_modulus: f64,
    /// Mean density at rest [kg/m3].
    pub density: f64,
}

impl ShapeGroupsSetup {
    /// What a setup tells of it.
    pub fn of(setup: &Setup) -> Self {
        let of_body = |numbered| GroupBody::of(setup, numbered);
        let mut bodies: Vec<GroupBody> =
            setup.bodies_of(SHAPE_GROUPS).filter_map(of_body).collect();
        let mut first_group = 0;
        for body in &mut bodies {
            body.first_group = first_group;
            first_group += body.groups.len() as u32;
        }
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

    /// Whether anything may tear.
    pub fn can_tear(&self) -> bool {
        self.bodies.iter().any(|body| body.tear_strain().is_some())
    }

    /// Number of groups of all bodies.
    pub fn group_count(&self) -> usize {
        self.bodies.iter().map(|body| body.groups.len()).sum()
    }

    /// The groups that have torn, if any may.
    pub fn torn<'a>(&self, states: &'a MethodStates) -> &'a [bool] {
        match self.can_tear() {
            true => &states.of::<ShapeGroupsColumns>().is_torn,
            false => &[],
        }
    }

    /// The body of a number, if it is of this method.
    pub fn body(&self, body: u32) -> Option<&GroupBody> {
        self.bodies.get(*self.places.get(body as usize)? as usize)
    }
}

/// Particles within so many spacings are near each other: they carry surfaces, and tell where directions point.
const NEAR: f64 = 1.8;

impl GroupBody {
    /// What a setup tells of a body; its groups are numbered as if it were the only one.
    fn of(setup: &Setup, numbered: NumberedBody<'_>) -> Option<Self> {
        let body = numbered.body;
        let law = *setup.materials[body.material as usize].law.solid()?;
        let groups: Arc<ParticleGroups> = body.particles.structure_of()?;
        let moduli = law.moduli();
        let (mu, lambda) = (
            f64::from(moduli.shear_modulus),
            f64::from(moduli.lame_lambda),
        );
        Some(Self {
            body: numbered.number,
            first_id: numbered.first_id,
            first_group: 0,
            roles: roles(&groups, law.tear_strain.is_some() && groups.can_tear()),
            law,
            spacing: groups.spacing(body.spacing),
            least_side: groups.least_side(body.spacing),
            youngs_modulus: mu * (3.0 * lambda + 2.0 * mu) / (lambda + mu),
            pressure_modulus: lambda + 2.0 * mu,
            density: body.particles.particle_mass / body.particles.particle_volume,
            groups,
        })
    }

    /// The same of one body, if it is of this method.
    pub fn only(setup: &Setup, body: u32) -> Option<Self> {
        let mut bodies = setup.bodies_of(SHAPE_GROUPS);
        let numbered = bodies.find(|numbered| numbered.number == body)?;
        Self::of(setup, numbered)
    }

    /// Who is near whom at rest.
    pub fn rest_shape(&self) -> &Arc<RestShape> {
        self.groups.rest_shape(NEAR * self.spacing)
    }

    /// What contacts see of a particle.
    pub fn role(&self, id: u32) -> Role {
        self.roles[(id - self.first_id) as usize]
    }

    /// Strain beyond which its groups tear, if they do.
    pub fn tear_strain(&self) -> Option<f64> {
        let strain = self.law.tear_strain?;
        self.groups.can_tear().then(|| strain.into())
    }

    /// Whether each of its groups has torn; empty if none may.
    ///
    /// * `all` — of all bodies
    pub fn torn_of<'a>(&self, all: &'a [bool]) -> &'a [bool] {
        let first = self.first_group as usize;
        all.get(first..first + self.groups.len())
            .unwrap_or_default()
    }

    /// The triangles of what is left of its surface.
    ///
    /// * `torn` — groups of all bodies
    pub fn surface(&self, torn: &[bool]) -> Vec<[u32; 3]> {
        self.groups.surface_of_rest(self.torn_of(torn))
    }

    /// What stands for the energy in a step of `dt` [s] of so many sweeps.
    pub(super) fn constraint(&self, solve: EnergySolve, (dt, sweeps): (f64, u32)) -> Constraint {
        let SolidLaw::PolynomialNeoHookean(law) = self.law.law else {
            return match solve {
                EnergySolve::Energy => Constraint::Energy,
                _ => Constraint::Stress,
            };
        };
        let moduli = Moduli {
            shear: law.moduli.shear_modulus,
            volume: law.volume_modulus(),
        };
        let thinness = self.spacing / self.least_side;
        let most_crossed = match sweeps {
            0 | 1 => MOST_CROSSED_BY_ONE,
            _ => MOST_CROSSED,
        };
        match solve {
            EnergySolve::Energy => Constraint::Energy,
            EnergySolve::Stress => Constraint::Stress,
            EnergySolve::Block => Constraint::Block(moduli),
            EnergySolve::Sequential => Constraint::Sequential(moduli),
            // Thin cells are what is not stable.
            EnergySolve::Automatic if self.crossing(dt) * thinness > most_crossed => {
                Constraint::Stress
            }
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

/// * `may_tear` — so that what is inside now may be on the surface later
fn roles(groups: &ParticleGroups, may_tear: bool) -> Arc<[Role]> {
    let inside = match (groups.triangles.is_empty(), may_tear) {
        (true, _) => Role::Ball,
        (false, true) => Role::Surface,
        (false, false) => Role::Enclosed,
    };
    let mut roles = vec![inside; groups.rest_position.len()];
    for &corner in groups.triangles.iter().flatten() {
        roles[corner as usize] = Role::Surface;
    }
    roles.into()
}
