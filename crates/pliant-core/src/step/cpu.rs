//! The processor's stepper: the stages of the substep on the threads of a pool.

use pliant_math::simd::Instructions;

use super::stages::Stages;
use super::substep::substep;
use super::{StepError, StepReport, Stepper};
use crate::measure::Energies;
use crate::method::Method;
use crate::parallel::{Pool, PoolError};
use crate::world::{Setup, World};

/// Steps a world on the threads of a pool. Holds scratch only: it may be dropped between substeps.
#[derive(Debug)]
pub struct CpuStepper {
    stages: Stages,
    pool: Pool,
}

impl CpuStepper {
    /// A stepper for worlds of a setup with so many threads; 0 takes one a core.
    ///
    /// # Errors
    /// If the operating system gives no threads.
    pub fn new(setup: &Setup, threads: usize) -> Result<Self, PoolError> {
        Ok(Self {
            stages: Stages::new(setup),
            pool: Pool::new(threads)?,
        })
    }

    /// Computes with other instructions than the best that the processor has; the bits are the same.
    pub fn set_instructions(&mut self, instructions: Instructions) {
        self.stages.set_instructions(instructions);
    }

    /// A method, as the last substep left it; `None` if it is not in the list.
    pub fn method<M: Method>(&self) -> Option<&M> {
        self.stages.method()
    }

    /// Runs `work` on the threads that step worlds.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.run(work)
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }
}

impl Stepper for CpuStepper {
    fn substep(&mut self, world: &mut World, dt: f64) -> Result<StepReport, StepError> {
        let stages = &mut self.stages;
        self.pool.run(|| substep(stages, world, dt))
    }

    fn measure_residual(&mut self, wanted: bool) {
        self.stages.measures_residual = wanted;
    }

    fn energies(&self, world: &World) -> Energies {
        self.pool.run(|| Energies::of(world, |_| true))
    }

    fn forget(&mut self, setup: &Setup) {
        let instructions = self.stages.instructions();
        self.stages = Stages::new(setup);
        self.stages.set_instructions(instructions);
    }
}
