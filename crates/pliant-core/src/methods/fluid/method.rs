//! The answers of the method to the substep.

use pliant_math::DVec3;
use pliant_math::simd::Instructions;

use super::{Fluid, FluidColumns, FluidGroup};
use crate::attachments::Ties;
use crate::boundaries::{ColliderReactions, RigidStep};
use crate::method::{Answer, Counts, Method, MethodStates, Substep, Walls};
use crate::particles::Particles;

impl Method for Fluid {
    fn has_body(&self, body: u32) -> bool {
        self.group_of(body).is_some()
    }

    fn group_count(&self) -> u32 {
        self.groups.len() as u32
    }

    fn group_of(&self, body: u32) -> Option<u32> {
        self.group_of(body)
    }

    fn sort(&mut self, particles: &Particles, order: &mut Vec<u32>) {
        self.sort(particles, order);
    }

    fn find(&mut self, particles: &Particles, states: &mut MethodStates, step: Substep) {
        self.search(particles, states.of::<FluidColumns>(), step.dt);
    }

    fn meet_walls(&mut self, particles: &Particles, states: &mut MethodStates, walls: Walls<'_>) {
        self.add_collider_terms(walls, &particles.position, states.of_mut::<FluidColumns>());
    }

    fn start_warm(&mut self, particles: &mut Particles, bodies: &mut [RigidStep], _: Substep) {
        self.start_warm(particles, bodies);
    }

    fn project(
        &mut self,
        particles: &mut Particles,
        ties: Ties<'_>,
        answer: Answer<'_>,
        _: Substep,
    ) {
        self.project(particles, ties.bodies, answer);
    }

    fn correct_positions(&mut self, particles: &mut Particles, step: Substep) {
        self.correct_positions(particles, step.push_out_speed);
    }

    fn smooth(&mut self, particles: &mut Particles, step: Substep) {
        if step.tells_held {
            self.find_held_xsph_impulses(particles, step.xsph_rate);
        }
        self.smooth(particles, step.xsph_rate);
    }

    fn flow(&mut self, _: &Particles, states: &mut MethodStates, _: Substep) {
        self.keep(states.of_mut::<FluidColumns>());
    }

    fn residual(
        &mut self,
        particles: &Particles,
        bodies: &[RigidStep],
        _: Substep,
    ) -> Option<(f64, f64)> {
        Some(Self::residual(self, particles, bodies))
    }

    fn add_impulses(
        &mut self,
        particles: &Particles,
        _: &MethodStates,
        _: Substep,
        on_particle: &mut [DVec3],
    ) {
        Self::add_impulses(self, &particles.inverse_mass, on_particle);
    }

    fn add_wall_impulses(&self, reactions: &mut ColliderReactions) {
        self.add_wall_impulses(reactions);
    }

    fn feels_walls(&self) -> bool {
        !self.groups.is_empty()
    }

    fn wall_reach(&self, body: u32) -> f64 {
        let group = self
            .group_of(body)
            .map(|group| &self.groups[group as usize]);
        group.map_or(0.0, FluidGroup::support_radius)
    }

    fn wall_drag(&self, body: u32, distance: f64) -> f64 {
        let (Some(group), Some(fluid)) = (self.group_of(body), &self.setup.bodies[body as usize])
        else {
            return 0.0;
        };
        self.groups[group as usize].wall_drag(fluid, distance)
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
