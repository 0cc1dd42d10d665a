//! The work that loads, fields and emitters do in a substep.

use pliant_math::{DVec3, Real, Vec3, to_double, to_real};

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

    /// Lets more act on the same particles, if anything does, and takes note of what it changes.
    pub fn record_more(&mut self, particles: &mut Particles, act: impl FnOnce(&mut Particles)) {
        if self.change.is_empty() {
            return;
        }
        let less = |change: &mut Vec<Vec3>, velocity: &[Vec3], sign: Real| {
            for (change, &v) in change.iter_mut().zip(velocity) {
                *change += v * sign;
            }
        };
        less(&mut self.change, &particles.velocity, -1.0);
        act(particles);
        less(&mut self.change, &particles.velocity, 1.0);
    }

    /// Takes note of a change of velocity [m/s] of one of them.
    pub fn note(&mut self, place: usize, change: DVec3) {
        self.change[place] += to_real(change);
    }

    /// Work [J] of the impulses, over the way that particles go with the velocities that they have now.
    ///
    /// * `other_ways` — places whose way is another, and by how much [m/s]
    pub fn work(
        &self,
        particles: &Particles,
        other_ways: impl Iterator<Item = (usize, DVec3)>,
    ) -> f64 {
        if self.change.is_empty() {
            return 0.0;
        }
        let impulse = |i: usize| f64::from(particles.mass[i]) * to_double(self.change[i]);
        let of_particle = |i: usize| impulse(i).dot(to_double(particles.velocity[i]));
        let work = parallel::ordered_fold(
            self.change.len(),
            0.0,
            |range| range.map(of_particle).sum::<f64>(),
            |a, b| a + b,
        );
        other_ways.fold(work, |work, (place, way)| work + impulse(place).dot(way))
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
