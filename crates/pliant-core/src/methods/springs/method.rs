//! The answers of the method to the substep.

use std::ops::Range;

use pliant_math::DVec3;
use pliant_math::simd::Instructions;

use super::{SpringBody, Springs};
use crate::attachments::{Attachment, Ties};
use crate::contacts::{Offers, TriangleSurface};
use crate::method::{Method, MethodStates, Substep};
use crate::particles::{IdMap, Particles};
use crate::rest::StartShape;

impl Method for Springs {
    fn has_body(&self, body: u32) -> bool {
        self.setup.body(body).is_some()
    }

    fn group_count(&self) -> u32 {
        self.setup.bodies.len() as u32
    }

    fn group_of(&self, body: u32) -> Option<u32> {
        let bodies = &self.setup.bodies;
        let number = bodies.iter().position(|b| b.body == body)?;
        (!bodies[number].is_surface()).then_some(number as u32)
    }

    fn sort(&mut self, particles: &Particles, order: &mut Vec<u32>) {
        self.surface_count = self.sort(particles, order);
    }

    fn find(&mut self, particles: &Particles, _: &mut MethodStates, step: Substep) {
        self.tells_held = step.tells_held;
        self.find(particles);
    }

    fn find_surfaces(&mut self, particles: &Particles, _: &MethodStates) {
        self.find_facets(particles);
    }

    fn predict(&mut self, particles: &mut Particles, _: Ties<'_>, step: Substep) {
        self.predict(particles, step.dt);
    }

    fn respond(&mut self, particles: &mut Particles, _: Ties<'_>) {
        self.respond(&mut particles.velocity, &particles.mass);
    }

    fn add_impulses(
        &mut self,
        particles: &Particles,
        _: &MethodStates,
        _: Substep,
        on_particle: &mut [DVec3],
    ) {
        self.find_impulses(&particles.mass);
        Self::add_impulses(self, &mut on_particle[self.range.clone()]);
    }

    fn offers(&self) -> Offers<'_> {
        Offers {
            solids: None,
            sampled_surface: Some(self.sampled_surface()),
            triangles: self
                .setup
                .bodies
                .iter()
                .any(SpringBody::is_surface)
                .then(|| TriangleSurface {
                    vertices: self.range.start..self.range.start + self.surface_count,
                    triangles: &self.triangles,
                    edges: &self.edges,
                    boundaries: &[],
                    enclosed: 0..0,
                    inner: &[],
                    close_at_rest: None,
                }),
        }
    }

    fn implicit_places(&self) -> Range<usize> {
        self.range()
    }

    /// A network shares a load at once among all of its particles.
    fn mass_under_load(
        &self,
        attachment: &Attachment,
        places: &IdMap,
        particles: &Particles,
    ) -> Option<f64> {
        self.mass_of(attachment, places, particles)
    }

    fn direction_now(&self, particles: &Particles, place: usize, at_rest: DVec3) -> DVec3 {
        let range = self.range();
        let position = |id: u32| Some(particles.position[range.start + self.places.of(id)?]);
        let node = (particles.body[place], particles.id[place]);
        StartShape::direction_now(&self.start_shapes, node, at_rest, position)
    }

    fn set_instructions(&mut self, instructions: Instructions) {
        self.set_instructions(instructions);
    }
}
