//! Energies of particles.

use pliant_materials::{Law, ReturnMapping, dispatch_hencky_law};
use pliant_math::hencky_strain;

use super::shapes::{Shapes, elastic_energies};
use crate::methods::xpbi::XpbiColumns;
use crate::parallel;
use crate::world::World;

/// Energies [J].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energies {
    /// sum m v^2 / 2, and of rigid bodies sum omega I omega / 2.
    pub kinetic: f64,
    /// sum V0 Psi.
    pub elastic: f64,
    /// -sum m g . x.
    pub gravitational: f64,
}

impl Energies {
    /// The energies of the particles for whose place `counts` is true.
    pub fn of(world: &World, counts: impl Fn(usize) -> bool + Sync) -> Self {
        let energies = elastic_energies(world);
        Self::summed(world, |i| energies.get(i).copied().unwrap_or(0.0), counts)
    }

    /// The same, of shapes that have been read.
    pub(crate) fn with(
        world: &World,
        shapes: &Shapes,
        counts: impl Fn(usize) -> bool + Sync,
    ) -> Self {
        let of_shape = |i| shapes.reading(i).map_or(0.0, |reading| reading.energy);
        Self::summed(world, of_shape, counts)
    }

    /// The sum over the particles that count, with the energies [J] of what is read off shapes.
    fn summed(
        world: &World,
        of_shape: impl Fn(usize) -> f64 + Sync,
        counts: impl Fn(usize) -> bool + Sync,
    ) -> Self {
        parallel::ordered_fold(
            world.state.particles.len(),
            Self::default(),
            |range| {
                let counted = range.filter(|&i| counts(i));
                let of_particles = counted.map(|i| of_particle(world, &of_shape, i));
                of_particles.fold(Self::default(), Self::plus)
            },
            Self::plus,
        )
    }

    /// The sum of the three [J].
    pub fn total(&self) -> f64 {
        self.kinetic + self.elastic + self.gravitational
    }

    fn plus(self, other: Self) -> Self {
        Self {
            kinetic: self.kinetic + other.kinetic,
            elastic: self.elastic + other.elastic,
            gravitational: self.gravitational + other.gravitational,
        }
    }
}

fn of_particle(world: &World, of_shape: &impl Fn(usize) -> f64, i: usize) -> Energies {
    let particles = &world.state.particles;
    let mass = f64::from(particles.mass[i]);
    let body = &world.setup.bodies[particles.body[i] as usize];
    let turning = world.turning_energy(particles.body[i]);
    let elastic = match &world.setup.materials[body.material as usize].law {
        Law::Hencky(law) => {
            let columns = world.state.methods.of::<XpbiColumns>();
            let (strain, plastic) = (hencky_strain(columns.strain[i]), columns.plastic[i]);
            let density = dispatch_hencky_law!(law, |law| {
                law.elasticity().energy_density(strain) * law.stiffness_factor(plastic)
            });
            body.particles.particle_volume * f64::from(density)
        }
        Law::Newtonian(_) | Law::ContactFriction(_) | Law::Rigid(_) => 0.0,
        Law::Cloth(_) | Law::Solid(_) | Law::Springs(_) => of_shape(i),
    };
    Energies {
        kinetic: 0.5 * mass * f64::from(particles.velocity[i].length_squared()) + turning,
        elastic,
        gravitational: -mass * world.setup.gravity.dot(particles.position[i]),
    }
}
