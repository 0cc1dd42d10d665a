//! The answers of the method to the substep.

use pliant_math::DVec3;
use pliant_math::simd::Instructions;

use super::{ShapeGroups, ShapeGroupsColumns};
use crate::attachments::Ties;
use crate::contacts::{Offers, TriangleSurface};
use crate::method::{Answer, Method, MethodStates, Substep};
use crate::particles::Particles;

impl Method for ShapeGroups {
    fn has_body(&self, body: u32) -> bool {
        self.setup.body(body).is_some()
    }

    fn group_count(&self) -> u32 {
        self.setup.bodies.len() as u32
    }

    /// Bodies without triangles are met as balls.
    fn group_of(&self, body: u32) -> Option<u32> {
        let bodies = &self.setup.bodies;
        let number = bodies.iter().position(|b| b.body == body)?;
        let is_ball = bodies[number].groups.triangles.is_empty();
        is_ball.then_some(number as u32)
    }

    fn sort(&mut self, particles: &Particles, order: &mut Vec<u32>) {
        Self::sort(self, particles, order);
    }

    fn find(&mut self, particles: &Particles, states: &mut MethodStates, step: Substep) {
        let torn = self.setup.torn(states);
        Self::find(self, particles, torn, (step.dt, step.iterations));
    }

    fn project(&mut self, particles: &mut Particles, _: Ties<'_>, _: Answer<'_>, step: Substep) {
        let range = self.range.clone();
        if range.is_empty() {
            return;
        }
        let velocity = &mut particles.velocity[range.clone()];
        let inverse_mass = &particles.inverse_mass[range];
        Self::project(self, velocity, inverse_mass, (step.dt, step.iterations));
    }

    fn smooth(&mut self, particles: &mut Particles, step: Substep) {
        let range = self.range.clone();
        let velocity = &mut particles.velocity[range.clone()];
        self.damp(velocity, &particles.inverse_mass[range], step.dt);
    }

    fn part(&mut self, particles: &Particles, states: &mut MethodStates, _: Substep) {
        if self.setup.can_tear() {
            self.tear(particles, states.of_mut::<ShapeGroupsColumns>());
        }
    }

    fn add_impulses(
        &mut self,
        _: &Particles,
        _: &MethodStates,
        _: Substep,
        on_particle: &mut [DVec3],
    ) {
        Self::add_impulses(self, &mut on_particle[self.range.clone()]);
    }

    fn offers(&self) -> Offers<'_> {
        Offers {
            triangles: (!self.triangles.is_empty()).then(|| TriangleSurface {
                vertices: self.first_on_surface..self.range.end,
                triangles: &self.triangles,
                edges: &self.edges,
                boundaries: &self.boundaries,
                enclosed: self.first_enclosed..self.first_on_surface,
                inner: &self.inner,
                close_at_rest: Some(&self.close_at_rest),
            }),
            ..Offers::default()
        }
    }

    fn direction_now(&self, particles: &Particles, place: usize, at_rest: DVec3) -> DVec3 {
        Self::direction_now(self, particles, place, at_rest)
    }

    fn set_instructions(&mut self, instructions: Instructions) {
        self.instructions = instructions;
    }
}
