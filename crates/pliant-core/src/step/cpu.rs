//! The processor's stepper: the operations of the substep on the threads of a pool.

use std::sync::Arc;

use pliant_math::simd::Instructions;

use super::stages::Stages;
use super::{Operation, StepError, StepReport, Stepper, operations};
use crate::measure::Energies;
use crate::method::Method;
use crate::parallel::{Pool, PoolError};
use crate::world::{Setup, World};

/// Steps worlds on the threads of a pool. Holds scratch only: it may be dropped between substeps.
#[derive(Debug)]
pub struct CpuStepper {
    pool: Pool,
    instructions: Instructions,
    measures_residual: bool,
    /// The stages, and the constants that they were made for.
    stages: Option<(Arc<Setup>, Box<Stages>)>,
}

impl CpuStepper {
    /// With so many threads of its own; 0 takes one a core.
    ///
    /// # Errors
    /// If the operating system gives no threads.
    pub fn new(threads: usize) -> Result<Self, PoolError> {
        Ok(Self::on(Pool::new(threads)?))
    }

    /// On the threads of a pool.
    pub fn on(pool: Pool) -> Self {
        Self {
            pool,
            instructions: Instructions::best(),
            measures_residual: false,
            stages: None,
        }
    }

    /// Computes with other instructions than the best that the processor has; the bits are the same.
    pub fn set_instructions(&mut self, instructions: Instructions) {
        self.instructions = instructions;
        self.stages = None;
    }

    /// A method, as the last substep left it; `None` before the first, or if the world has no body of it.
    pub fn method<M: Method>(&self) -> Option<&M> {
        self.stages.as_ref()?.1.method()
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// The stages for the constants of a world.
    fn stages_of(&mut self, world: &World) -> (&Pool, &mut Stages) {
        let fits = |made: &(Arc<Setup>, _)| Arc::ptr_eq(&made.0, &world.setup);
        let kept = self.stages.take().filter(fits);
        let (_, stages) = self.stages.insert(kept.unwrap_or_else(|| {
            let mut stages = Box::new(Stages::new(&world.setup));
            stages.set_instructions(self.instructions);
            (Arc::clone(&world.setup), stages)
        }));
        stages.measures_residual = self.measures_residual;
        (&self.pool, stages)
    }
}

impl Stepper for CpuStepper {
    fn backend(&self) -> &'static str {
        "cpu"
    }

    fn begin(&mut self, world: &World) {
        self.stages_of(world).1.begin();
    }

    fn operate(
        &mut self,
        operation: Operation,
        world: &mut World,
        dt: f64,
    ) -> Result<(), StepError> {
        let (pool, stages) = self.stages_of(world);
        pool.run_in_team(|| stages.operate(operation, world, dt))
    }

    fn end(&mut self) -> StepReport {
        let stages = self.stages.as_mut();
        stages.map_or_else(StepReport::default, |(_, stages)| stages.end())
    }

    // All operations in one go: each by itself would call for the team anew.
    fn substep(&mut self, world: &mut World, dt: f64) -> Result<StepReport, StepError> {
        let (pool, stages) = self.stages_of(world);
        pool.run_in_team(|| {
            stages.begin();
            for (stage, operation) in operations(world.setup.solver.iterations) {
                stages.timed(stage, |stages| stages.operate(operation, world, dt))?;
            }
            Ok(stages.end())
        })
    }

    fn measure_residual(&mut self, wanted: bool) {
        self.measures_residual = wanted;
    }

    fn energies(&self, world: &World) -> Energies {
        self.pool.run(|| Energies::of(world, |_| true))
    }

    fn forget(&mut self) {
        self.stages = None;
    }
}
