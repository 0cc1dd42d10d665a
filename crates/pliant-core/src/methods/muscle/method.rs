//! The answers of the method to the substep.

use std::ops::Range;

use pliant_math::DVec3;
use pliant_math::simd::{Instructions, Job, LANES, Mask, Number, Pack, Row};
use pliant_math::{Matrix3, Real};

use super::respond::MatrixRow;
use super::{MuscleColumns, MuscleMethod};
use crate::attachments::Ties;
use crate::boundaries::RigidStep;
use crate::contacts::Offers;
use crate::method::{Answer, Counts, Method, MethodStates, Substep, Unsound};
use crate::particles::Particles;

impl Method for MuscleMethod {
    fn has_body(&self, body: u32) -> bool {
        self.setup.body(body).is_some()
    }

    fn group_count(&self) -> u32 {
        self.setup.bodies.len() as u32
    }

    fn group_of(&self, body: u32) -> Option<u32> {
        let number = self.setup.bodies.iter().position(|b| b.body == body);
        number.map(|number| number as u32)
    }

    fn sort(&mut self, particles: &Particles, order: &mut Vec<u32>) {
        Self::sort(self, particles, order);
    }

    fn find(&mut self, particles: &Particles, states: &mut MethodStates, step: Substep) {
        Self::find(self, particles, states.of_mut(), step);
    }

    fn find_surfaces(&mut self, _: &Particles, _: &MethodStates) {
        self.find_surfels();
    }

    fn predict(&mut self, particles: &mut Particles, ties: Ties<'_>, step: Substep) {
        Self::predict(self, particles, ties, step.dt);
        self.dt = step.dt;
    }

    fn respond(&mut self, particles: &mut Particles, ties: Ties<'_>) {
        Self::respond(self, particles, ties, self.dt);
    }

    fn project(&mut self, particles: &mut Particles, ties: Ties<'_>, _: Answer<'_>, step: Substep) {
        Self::project(self, particles, ties, step.dt);
    }

    fn flow(&mut self, particles: &Particles, states: &mut MethodStates, step: Substep) {
        let columns: &mut MuscleColumns = states.of_mut();
        Self::flow(self, particles, columns, step.dt);
    }

    fn first_unsound(&self, _: &Particles, _: &MethodStates, greatest: f64) -> Option<Unsound> {
        let greatest = greatest as Real;
        for (number, state) in self.states.iter().enumerate() {
            let strain = &state.strain;
            let filled = self.rows.rows[number].filled;
            let (squares, unsound) = self.instructions.run(Squares { strain, greatest });
            let unsound = unsound & u32::from(filled);
            if unsound != 0 {
                let lane = unsound.trailing_zeros() as usize;
                return Some(Unsound {
                    place: self.range.start + number * LANES + lane,
                    squared_stretches: f64::from(squares.0[lane]),
                });
            }
        }
        None
    }

    fn residual(&mut self, _: &Particles, _: &[RigidStep], _: Substep) -> Option<(f64, f64)> {
        self.volume_residual()
    }

    fn add_impulses(
        &mut self,
        particles: &Particles,
        _: &MethodStates,
        step: Substep,
        on_particle: &mut [DVec3],
    ) {
        Self::add_impulses(self, particles, step.dt, on_particle);
    }

    fn offers(&self) -> Offers<'_> {
        Offers {
            solids: Some(self.solids()),
            sampled_surface: Some(self.sampled_surface()),
            ..Offers::default()
        }
    }

    fn meets_itself(&self) -> bool {
        let mut bodies = self.setup.bodies.iter();
        bodies.any(|body| body.inner_friction.is_some())
    }

    fn inner_friction(&self, body: u32) -> Option<f64> {
        self.setup.body(body)?.inner_friction
    }

    fn direction_now(&self, particles: &Particles, place: usize, at_rest: DVec3) -> DVec3 {
        Self::direction_now(self, particles, place, at_rest)
    }

    fn implicit_places(&self) -> Range<usize> {
        match self.is_implicit {
            true => self.range.clone(),
            false => 0..0,
        }
    }

    fn work(&self) -> f64 {
        self.work
    }

    fn counts(&self) -> Counts {
        Counts {
            neighbors: self.rows.edge_count,
            particles: self.rows.count,
        }
    }

    fn set_instructions(&mut self, instructions: Instructions) {
        self.instructions = instructions;
        self.implicit.solver.instructions = instructions;
    }
}

/// Sums of squared stretches |F|^2, and where they are greater than a number or none.
struct Squares<'a> {
    strain: &'a MatrixRow,
    greatest: Real,
}

impl Job for Squares<'_> {
    type Output = (Row, u32);

    #[inline(always)]
    fn run<P: Pack>(self) -> (Row, u32) {
        let gradient = Matrix3::<P>::load(self.strain) + Matrix3::identity();
        let squares = gradient.norm_squared();
        let mut row = Row::ZERO;
        squares.store(&mut row);
        let is_sound = squares.at_most(<P as Number>::splat(self.greatest));
        (row, (!is_sound).bits())
    }
}
