//! Constants of the method from materials and bodies.

use pliant_materials::Law;
use pliant_math::Real;

use super::FLUID;
use super::settings::FluidSettings;
use crate::world::{Body, Setup};

/// Constants of the method for a run.
#[derive(Clone, Debug)]
pub struct FluidSetup {
    /// What the method does its own way.
    pub settings: FluidSettings,
    /// The bodies of the world; `None` for those of other methods.
    pub bodies: Vec<Option<FluidBody>>,
    /// What particles of each body displace for their mass [m3/kg], other methods included; 0 for rigid
    /// bodies, which are walls to the fluid.
    pub volume_of_mass: Vec<Real>,
}

/// Constants of a body.
#[derive(Clone, Copy, Debug)]
pub struct FluidBody {
    /// Dynamic viscosity [Pa s], >= 0.
    pub viscosity: Real,
    /// Mass of each particle [kg], > 0.
    pub particle_mass: Real,
    /// Cube root of a particle's volume [m], > 0.
    pub spacing: f64,
    /// Distance at which the kernel reaches zero [m].
    pub support_radius: f64,
    /// True if it joins the group of the other bodies with its support radius and spacing.
    pub shares_neighbors: bool,
}

impl FluidSetup {
    /// What a setup tells of it.
    pub fn of(setup: &Setup) -> Self {
        let of_body = |body: &Body| {
            let Law::Newtonian(law) = setup.materials[body.material as usize].law else {
                return None;
            };
            (body.method == FLUID).then_some(FluidBody {
                viscosity: law.viscosity,
                particle_mass: body.particles.particle_mass as Real,
                spacing: body.spacing,
                support_radius: body.support_radius,
                shares_neighbors: body.shares_neighbors,
            })
        };
        let volume = |body: &Body| match body.method.is_rigid() {
            true => 0.0,
            false => (body.particles.particle_volume / body.particles.particle_mass) as Real,
        };
        Self {
            settings: setup.solver.methods.of(),
            bodies: setup.bodies.iter().map(of_body).collect(),
            volume_of_mass: setup.bodies.iter().map(volume).collect(),
        }
    }

    /// A body of this method.
    ///
    /// # Panics
    /// For a body of another one.
    pub fn body(&self, body: u32) -> &FluidBody {
        match &self.bodies[body as usize] {
            Some(body) => body,
            None => panic!("body {body} is not a fluid"),
        }
    }

    /// Bodies that share neighbours, as lists of their indices.
    pub fn groups(&self) -> Vec<Vec<u32>> {
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let bodies = (0..).zip(&self.bodies);
        for (b, body) in bodies.filter_map(|(b, body)| Some((b, body.as_ref()?))) {
            let is_of_kind = |group: &&mut Vec<u32>| {
                let first = self.body(group[0]);
                first.shares_neighbors
                    && first.support_radius == body.support_radius
                    && first.spacing == body.spacing
            };
            match groups.iter_mut().find(is_of_kind) {
                Some(group) if body.shares_neighbors => group.push(b),
                _ => groups.push(vec![b]),
            }
        }
        groups
    }
}
