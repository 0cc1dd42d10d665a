//! What of the processor is used.

use pliant_core::parallel::PoolError;
use pliant_core::step::CpuStepper;
use pliant_math::simd::Instructions;

/// What of the processor is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Processor {
    /// Threads of the simulation; 0 for one a core.
    pub threads: usize,
    /// Vector instructions.
    pub instructions: Instructions,
}

impl Processor {
    /// So many threads, with the best instructions that there are.
    pub fn with_threads(threads: usize) -> Self {
        Self {
            threads,
            instructions: Instructions::best(),
        }
    }

    /// A stepper.
    ///
    /// # Errors
    /// If the operating system gives no threads.
    pub fn stepper(self) -> Result<CpuStepper, PoolError> {
        let mut stepper = CpuStepper::new(self.threads)?;
        stepper.set_instructions(self.instructions);
        Ok(stepper)
    }
}
