//! What computes the substeps of claims: the one place that names a backend.

use pliant_core::step::{CpuStepper, Stepper};

/// A stepper on as many threads as there are cores.
///
/// # Panics
/// If the operating system gives no threads.
pub fn stepper() -> Box<dyn Stepper> {
    match CpuStepper::new(0) {
        Ok(stepper) => Box::new(stepper),
        Err(error) => panic!("{error}"),
    }
}
