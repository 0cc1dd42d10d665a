//! Energies of particles.

use super::readings::elastic_energies;
use super::rigid::Turning;
use crate::method::Readings;
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
        Self::summed(world, |i| energies[i], counts)
    }

    /// The same, where particles have been read.
    pub(crate) fn with(
        world: &World,
        readings: &Readings,
        counts: impl Fn(usize) -> bool + Sync,
    ) -> Self {
        Self::summed(world, |i| readings.of_place[i].energy, counts)
    }

    /// The sum over the particles that count, with their elastic energies [J].
    fn summed(
        world: &World,
        elastic: impl Fn(usize) -> f64 + Sync,
        counts: impl Fn(usize) -> bool + Sync,
    ) -> Self {
        let turnings = Turning::of_bodies(world);
        parallel::ordered_fold(
            world.state.particles.len(),
            Self::default(),
            |range| {
                let counted = range.filter(|&i| counts(i));
                let of_particles = counted.map(|i| of_particle(world, &turnings, elastic(i), i));
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

fn of_particle(world: &World, turnings: &[Turning], elastic: f64, i: usize) -> Energies {
    let particles = &world.state.particles;
    let mass = f64::from(particles.mass[i]);
    let turning = turnings[particles.body[i] as usize].energy;
    Energies {
        kinetic: 0.5 * mass * f64::from(particles.velocity[i].length_squared()) + turning,
        elastic,
        gravitational: -mass * world.setup.gravity.dot(particles.position[i]),
    }
}
