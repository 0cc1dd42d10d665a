//! The answers of the method to the substep.

use pliant_math::DVec3;
use pliant_math::simd::Instructions;

use super::{StrainEnergy, StrainEnergyColumns};
use crate::attachments::Ties;
use crate::boundaries::RigidStep;
use crate::contacts::Offers;
use crate::method::{Answer, Counts, Method, MethodStates, Substep, Unsound};
use crate::particles::Particles;

impl Method for StrainEnergy {
    fn has_body(&self, body: u32) -> bool {
        self.group_of(body).is_some()
    }

    fn group_count(&self) -> u32 {
        self.setup.bodies.len() as u32
    }

    fn group_of(&self, body: u32) -> Option<u32> {
        let number = self.setup.bodies.iter().position(|b| b.body == body);
        number.map(|number| number as u32)
    }

    fn sort(&mut self, particles: &Particles, order: &mut Vec<u32>) {
        self.sort(particles, order);
    }

    fn find(&mut self, particles: &Particles, states: &mut MethodStates, step: Substep) {
        let columns = states.of::<StrainEnergyColumns>();
        self.find(particles, columns, step.tells_held);
    }

    fn find_surfaces(&mut self, _: &Particles, states: &MethodStates) {
        self.find_facets(states.of::<StrainEnergyColumns>());
    }

    fn project(&mut self, particles: &mut Particles, _: Ties<'_>, _: Answer<'_>, step: Substep) {
        self.project(particles, step.dt);
    }

    fn flow(&mut self, particles: &Particles, states: &mut MethodStates, step: Substep) {
        let columns = states.of_mut::<StrainEnergyColumns>();
        self.flow(particles, columns, step.dt);
    }

    fn part(&mut self, particles: &Particles, states: &mut MethodStates, step: Substep) {
        let columns = states.of_mut::<StrainEnergyColumns>();
        self.part(particles, columns, step.time, step.dt);
    }

    fn first_unsound(
        &self,
        particles: &Particles,
        states: &MethodStates,
        greatest: f64,
    ) -> Option<Unsound> {
        let columns = states.of::<StrainEnergyColumns>();
        let (place, squared_stretches) = self.first_absurd(particles, columns, greatest)?;
        Some(Unsound {
            place,
            squared_stretches,
            volume_ratio: None,
        })
    }

    fn residual(
        &mut self,
        particles: &Particles,
        _: &[RigidStep],
        step: Substep,
    ) -> Option<(f64, f64)> {
        Some(Self::residual(self, particles, step.dt))
    }

    fn add_impulses(
        &mut self,
        _: &Particles,
        _: &MethodStates,
        _: Substep,
        on_particle: &mut [DVec3],
    ) {
        Self::add_impulses(self, on_particle);
    }

    fn offers(&self) -> Offers<'_> {
        Offers {
            solids: Some(self.contact_solids()),
            sampled_surface: Some(self.sampled_surface()),
            triangles: None,
        }
    }

    fn direction_now(&self, particles: &Particles, place: usize, at_rest: DVec3) -> DVec3 {
        Self::direction_now(self, particles, place, at_rest)
    }

    fn meets_itself(&self) -> bool {
        self.have_self_contact()
    }

    fn inner_friction(&self, body: u32) -> Option<f64> {
        self.inner_friction(body)
    }

    fn counts(&self) -> Counts {
        Counts {
            neighbors: self.rows.edge_count,
            particles: self.rows.count,
        }
    }

    fn set_instructions(&mut self, instructions: Instructions) {
        self.set_instructions(instructions);
    }
}
