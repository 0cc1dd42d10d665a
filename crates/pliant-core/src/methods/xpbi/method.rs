//! The answers of the method to the substep.

use pliant_math::DVec3;
use pliant_math::simd::Instructions;

use super::{Xpbi, XpbiColumns};
use crate::attachments::Ties;
use crate::boundaries::RigidStep;
use crate::method::{Answer, Counts, Method, MethodStates, Substep, Unsound};
use crate::parallel;
use crate::particles::Particles;

impl Method for Xpbi {
    fn has_body(&self, body: u32) -> bool {
        self.continuum_of(body).is_some()
    }

    fn group_count(&self) -> u32 {
        self.continua.len() as u32
    }

    fn group_of(&self, body: u32) -> Option<u32> {
        self.continuum_of(body)
    }

    fn sort(&mut self, particles: &Particles, order: &mut Vec<u32>) {
        self.sort(particles, order);
    }

    fn find(&mut self, particles: &Particles, states: &mut MethodStates, step: Substep) {
        self.search(particles, states.of::<XpbiColumns>(), step.dt);
    }

    fn start_warm(&mut self, particles: &mut Particles, _: &mut [RigidStep], step: Substep) {
        self.start_warm(particles, step.dt);
    }

    fn project(&mut self, particles: &mut Particles, _: Ties<'_>, _: Answer<'_>, step: Substep) {
        self.project(particles, step.dt);
    }

    fn correct_positions(&mut self, particles: &mut Particles, step: Substep) {
        self.correct_positions(particles, step.push_out_speed, step.dt);
    }

    fn smooth(&mut self, particles: &mut Particles, step: Substep) {
        if step.tells_held {
            self.find_held_xsph_impulses(particles, step.xsph_rate, step.dt);
        }
        self.smooth(particles, step.xsph_rate, step.dt);
    }

    fn flow(&mut self, particles: &Particles, states: &mut MethodStates, step: Substep) {
        self.flow(particles, states.of_mut::<XpbiColumns>(), step.dt);
    }

    fn first_unsound(
        &self,
        particles: &Particles,
        states: &MethodStates,
        greatest: f64,
    ) -> Option<Unsound> {
        if self.continua.is_empty() {
            return None;
        }
        let columns = states.of::<XpbiColumns>();
        let judge = |place: usize| {
            let strain = columns.strain[place];
            // b = E + I, whose trace is the sum of the squared principal stretches.
            let squared_stretches = match columns.plastic[place].is_finite() {
                true if strain.is_finite() => f64::from(strain.trace()),
                _ => f64::NAN,
            };
            let is_sound = squared_stretches <= greatest;
            (!is_sound).then_some(Unsound {
                place,
                squared_stretches,
                volume_ratio: None,
            })
        };
        parallel::ordered_fold(
            particles.len(),
            None,
            |mut places| places.find_map(judge),
            |a, b| a.or(b),
        )
    }

    fn residual(
        &mut self,
        particles: &Particles,
        _: &[RigidStep],
        step: Substep,
    ) -> Option<(f64, f64)> {
        Some(Self::residual(self, particles, step.dt))
    }

    fn deficient_share(&self) -> f64 {
        self.deficient_share()
    }

    fn add_impulses(
        &mut self,
        particles: &Particles,
        states: &MethodStates,
        step: Substep,
        on_particle: &mut [DVec3],
    ) {
        let columns = states.of::<XpbiColumns>();
        Self::add_impulses(self, columns, &particles.inverse_mass, step.dt, on_particle);
    }

    fn counts(&self) -> Counts {
        let (neighbors, particles) = self.neighbor_counts();
        Counts {
            neighbors,
            particles,
        }
    }

    fn set_instructions(&mut self, instructions: Instructions) {
        self.set_instructions(instructions);
    }
}
