//! What computes the substeps of a run: the one place that names a backend.

use pliant_core::parallel::Pool;
use pliant_core::step::{CpuStepper, Stepper};

/// A stepper on the threads of a pool.
pub fn stepper(pool: &Pool) -> Box<dyn Stepper> {
    Box::new(CpuStepper::on(pool.clone()))
}
