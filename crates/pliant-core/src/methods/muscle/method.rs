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
            let found = self.instructions.run(Judge { strain, greatest });
            let unsound = found.unsound & u32::from(filled);
            if unsound != 0 {
                let lane = unsound.trailing_zeros() as usize;
                let squared_stretches = f64::from(found.squares.0[lane]);
                let volume_ratio = f64::from(found.volume_ratio.0[lane]);
                let is_stretched =
                    squared_stretches.is_nan() || squared_stretches > greatest.into();
                return Some(Unsound {
                    place: self.range.start + number * LANES + lane,
                    squared_stretches,
                    volume_ratio: (!is_stretched).then_some(volume_ratio),
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

/// Least det F: what is inside out and as large as at rest does not find back. Laws that stand being turned inside out
/// recover from less.
const LEAST_VOLUME_RATIO: Real = -1.0;

/// Whether particles are fit to go on with.
struct Judge<'a> {
    strain: &'a MatrixRow,
    greatest: Real,
}

/// Sums of squared stretches |F|^2 and det F, and a bit for each that is not fit.
struct Judgement {
    squares: Row,
    volume_ratio: Row,
    unsound: u32,
}

impl Job for Judge<'_> {
    type Output = Judgement;

    #[inline(always)]
    fn run<P: Pack>(self) -> Judgement {
        let gradient = Matrix3::<P>::load(self.strain) + Matrix3::identity();
        let (squares, volume_ratio) = (gradient.norm_squared(), gradient.determinant());
        let is_stretched = !squares.at_most(<P as Number>::splat(self.greatest));
        let is_inside_out = volume_ratio.less(<P as Number>::splat(LEAST_VOLUME_RATIO));
        let mut found = Judgement {
            squares: Row::ZERO,
            volume_ratio: Row::ZERO,
            unsound: (is_stretched | is_inside_out).bits(),
        };
        squares.store(&mut found.squares);
        volume_ratio.store(&mut found.volume_ratio);
        found
    }
}
