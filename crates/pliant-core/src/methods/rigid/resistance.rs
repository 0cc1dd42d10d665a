//! What media and damping take from bodies.

use pliant_math::{DVec3, to_double};

use super::Rigid;
use crate::forces::Forces;
use crate::particles::Particles;

impl Rigid {
    /// What media take from bodies that can move, told to `note` with the place of the particle [m/s], and
    /// what joints make of it.
    pub fn resist(
        &mut self,
        particles: &Particles,
        forces: &Forces<'_>,
        dt: f64,
        mut note: impl FnMut(usize, DVec3),
    ) {
        let bodies = self.steps.iter_mut().zip(&mut self.falls);
        for ((step, fall), place) in bodies.zip(&self.places) {
            let Some(place) = place.filter(|_| step.inverse_mass > 0.0) else {
                continue;
            };
            let place = place as usize;
            let change = forces.resisted(particles.body[place], step.center, step.velocity);
            step.velocity += change;
            fall.end += change;
            note(place, change);
        }
        self.solve_joints(dt);
    }

    /// How far the mean of a body's velocities at the start and the end of the substep is from the velocity of
    /// its particle at the end [m/s], with the particle's place: what a body moves by where nothing touches it.
    pub fn mean_ways(&self, particles: &Particles) -> impl Iterator<Item = (usize, DVec3)> {
        let falls = self.places.iter().zip(&self.falls);
        falls.filter_map(|(place, fall)| {
            let place = (*place)? as usize;
            let end = to_double(particles.velocity[place]);
            Some((place, 0.5 * (fall.velocity - end)))
        })
    }

    /// v /= 1 + rate dt for every body that can move, as for particles.
    pub fn damp(&mut self, rate: f64, dt: f64) {
        let factor = 1.0 / (1.0 + rate * dt);
        for step in self.steps.iter_mut().filter(|s| s.inverse_mass > 0.0) {
            step.velocity *= factor;
            step.spin *= factor;
        }
    }
}
