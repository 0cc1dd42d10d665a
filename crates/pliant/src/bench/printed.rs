//! Table 1 of Cao et al. (2023) beside the time of a block of as many particles.
//!
//! Their scenes are not at hand, nor needed: a constraint costs what it costs by its law and the number of
//! its neighbours.

use serde::Deserialize;

use super::solids::{median_of, set_sweeps, substep};
use super::{BenchError, Processor, free_block};

/// Substeps that are timed, and left out before that.
const ROUNDS: usize = 5;
const WARM_UP: usize = 2;

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct PrintedRow {
    /// Name of the experiment.
    pub experiment: String,
    /// Particles.
    pub particles: u64,
    /// Wall time of a step [ms].
    pub milliseconds: f64,
    /// The part of that which went to collisions [ms]; where none is printed, 0.
    pub collisions: f64,
    /// Substeps a step.
    pub substeps: u32,
    /// Iterations a substep.
    pub iterations: u32,
    /// The law here, as a scene has it.
    law: String,
}

impl PrintedRow {
    /// Constraints evaluated in a second [1/s] outside of collisions.
    pub fn evaluations(&self) -> f64 {
        let count = self.particles as f64 * f64::from(self.substeps * self.iterations);
        count / (1e-3 * (self.milliseconds - self.collisions))
    }
}

/// A row beside a block of about as many particles that meets nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct BesidePrinted {
    /// The row.
    pub printed: PrintedRow,
    /// Particles of the block.
    pub particles: usize,
    /// Threads of the simulation.
    pub threads: usize,
    /// Wall time of as many substeps [s].
    pub step: f64,
    /// Constraints evaluated in a second of substeps [1/s].
    pub evaluations: f64,
}

impl BesidePrinted {
    /// Times a few substeps with the row's iterations.
    ///
    /// # Errors
    /// If there is no memory or there are no threads, or the simulation cannot go on.
    pub fn measure(printed: PrintedRow, processor: Processor) -> Result<Self, BenchError> {
        let mut world = free_block(printed.particles, &printed.law)?;
        set_sweeps(&mut world, printed.iterations);
        let mut stepper = processor.stepper()?;
        let mut reports = Vec::new();
        for _ in 0..WARM_UP + ROUNDS {
            reports.push(substep(&mut stepper, &mut world)?);
        }
        let time = median_of(&reports[WARM_UP..], |report| report.times.total());
        let particles = world.state.particles.len();
        Ok(Self {
            particles,
            threads: stepper.threads(),
            step: f64::from(printed.substeps) * time,
            evaluations: particles as f64 * f64::from(printed.iterations) / time,
            printed,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::table_1;

    #[test]
    fn the_rings_of_the_table_evaluate_76_million_constraints_a_second() {
        let tori = &table_1()[0];
        let rate = 50_544.0 * 24.0 / 15.934e-3;
        assert!((tori.evaluations() / rate - 1.0).abs() < 1e-12);
    }

    #[test]
    fn every_row_can_be_timed() {
        for printed in table_1() {
            let small = PrintedRow {
                particles: 300,
                ..printed.clone()
            };
            let beside = BesidePrinted::measure(small, Processor::with_threads(1))
                .expect(&printed.experiment);
            let expected =
                beside.particles as f64 * f64::from(printed.iterations * printed.substeps);
            let rate = beside.evaluations * beside.step;
            assert!((rate / expected - 1.0).abs() < 1e-9, "{rate} {expected}");
        }
    }
}
