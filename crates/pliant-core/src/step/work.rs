//! The work that loads, fields and emitters do in a substep.

use pliant_math::{Vec3, to_double};

use crate::parallel;
use crate::particles::Particles;
use crate::world::World;

/// Velocities that loads or fields have given in a substep, until it is known how far things move with
/// them; scratch of the stepper.
#[derive(Debug, Default)]
pub struct Applied {
    /// Change of each particle's velocity [m/s]; empty if nothing acts.
    change: Vec<Vec3>,
}

impl Applied {
    /// Runs what acts, if anything does, and takes note of what it changes.
    pub fn record(
        &mut self,
        acts: bool,
        particles: &mut Particles,
        act: impl FnOnce(&mut Particles),
    ) {
        self.change.clear();
        if !acts {
            return;
        }
        self.change.extend_from_slice(&particles.velocity);
        act(particles);
        for (change, &after) in self.change.iter_mut().zip(&particles.velocity) {
            *change = after - *change;
        }
    }

    /// Work [J] of the impulses, over the way that particles go with the velocities that they have now.
    pub fn work(&self, particles: &Particles) -> f64 {
        let of_particle = |i: usize| {
            let way = to_double(particles.velocity[i]);
            f64::from(particles.mass[i]) * to_double(self.change[i]).dot(way)
        };
        parallel::ordered_fold(
            self.change.len(),
            0.0,
            |range| range.map(of_particle).sum::<f64>(),
            |a, b| a + b,
        )
    }
}

/// Kinetic and potential energy of some particles [J].
#[derive(Clone, Copy, Debug, Default)]
pub struct MechanicalEnergy {
    /// Sum of m v^2 / 2.
    pub kinetic: f64,
    /// Sum of -m g . x.
    pub potential: f64,
}

impl MechanicalEnergy {
    /// Of the particles at some places.
    pub fn of(world: &World, places: impl Iterator<Item = usize>) -> Self {
        let (p, gravity) = (&world.state.particles, world.setup.gravity);
        places.fold(Self::default(), |sum, i| {
            let mass = f64::from(p.mass[i]);
            Self {
                kinetic: sum.kinetic + 0.5 * mass * f64::from(p.velocity[i].length_squared()),
                potential: sum.potential - mass * gravity.dot(p.position[i]),
            }
        })
    }
}
