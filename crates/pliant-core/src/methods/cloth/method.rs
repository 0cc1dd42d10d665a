//! The answers of the method to the substep.

use pliant_math::simd::Instructions;
use pliant_math::{DVec3, Real, Vec3};

use super::{Cloth, ClothColumns, ClothStep, Vertices};
use crate::attachments::Ties;
use crate::boundaries::RigidStep;
use crate::contacts::{Offers, TriangleSurface};
use crate::method::{Answer, Method, MethodStates, Substep};
use crate::particles::Particles;
use crate::rest::StartShape;

impl Cloth {
    fn vertices<'a>(&self, particles: &'a Particles) -> Vertices<'a> {
        Vertices {
            position: &particles.position[self.range.clone()],
            id: &particles.id[self.range.clone()],
        }
    }

    /// Velocities and inverse masses of the vertices, and what a sweep knows of the step.
    fn swept<'a>(
        &self,
        particles: &'a mut Particles,
        step: Substep,
    ) -> (&'a mut [Vec3], &'a [Real], ClothStep<Real>) {
        let range = self.range.clone();
        let velocity = &mut particles.velocity[range.clone()];
        let inverse_mass = &particles.inverse_mass[range];
        (
            velocity,
            inverse_mass,
            ClothStep::new(step.dt, step.iterations),
        )
    }
}

impl Method for Cloth {
    fn has_body(&self, body: u32) -> bool {
        self.setup.is_sheet(body)
    }

    fn sort(&mut self, particles: &Particles, order: &mut Vec<u32>) {
        self.range = order.len()..order.len();
        if !self.setup.sheets.is_empty() {
            self.range = particles.claim_by_id(order, |body| self.setup.is_sheet(body));
        }
    }

    fn find(&mut self, particles: &Particles, states: &mut MethodStates, _: Substep) {
        self.find(self.vertices(particles), states.of::<ClothColumns>());
    }

    fn start_warm(&mut self, particles: &mut Particles, _: &mut [RigidStep], step: Substep) {
        let (velocity, inverse_mass, step) = self.swept(particles, step);
        self.start_warm(velocity, inverse_mass, step);
    }

    fn project(&mut self, particles: &mut Particles, _: Ties<'_>, _: Answer<'_>, step: Substep) {
        let (velocity, inverse_mass, step) = self.swept(particles, step);
        self.project(velocity, inverse_mass, step);
    }

    fn part(&mut self, particles: &Particles, states: &mut MethodStates, _: Substep) {
        self.tear(self.vertices(particles), states.of_mut::<ClothColumns>());
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
            triangles: (!self.setup.sheets.is_empty()).then(|| TriangleSurface {
                vertices: self.range.clone(),
                triangles: self.triangles(),
                edges: self.edges(),
                // Cloth has two sides: what is in a bag stays there.
                boundaries: &[],
                enclosed: 0..0,
                inner: &[],
                close_at_rest: None,
            }),
            ..Offers::default()
        }
    }

    fn direction_now(&self, particles: &Particles, place: usize, at_rest: DVec3) -> DVec3 {
        let vertices = self.vertices(particles);
        let position = |id: u32| Some(vertices.position[vertices.id.binary_search(&id).ok()?]);
        let vertex = (particles.body[place], particles.id[place]);
        StartShape::direction_now(&self.start_shapes, vertex, at_rest, position)
    }

    fn set_instructions(&mut self, instructions: Instructions) {
        self.set_instructions(instructions);
    }
}
