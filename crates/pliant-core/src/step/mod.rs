//! The substep, one page, and the frame made of substeps.

mod audit;
mod cpu;
mod emit;
mod error;
mod frame;
mod frame_in_progress;
mod inspect;
mod loads;
mod new_motion;
mod reactions;
mod stages;
mod substep;
mod time_step;
mod work;

pub use crate::measure::{FrameReport, STAGES, Stage, StageTimes};
pub use cpu::CpuStepper;
pub use emit::pour;
pub use error::{Culprit, StepError, Trouble};
pub use frame::{Progress, Watch, advance_frame, advance_frame_while};
pub use frame_in_progress::FrameInProgress;
pub use new_motion::{MotionColumn, MotionError, MotionTrouble, NewMotion, give_motion};
pub use substep::{Operation, operations};
pub use time_step::{
    MOST_SUBSTEPS, Resolution, StepBound, first_frame_substeps, frame_substeps,
    longest_elastic_step, step_bounds, substep_length, unresolved_steps,
};

use crate::measure::Energies;
use crate::world::{Work, World};

/// Something that takes worlds further: the threads of a processor, or another machine that computes.
///
/// What it keeps is scratch of one setup. A world of another setup, or of one that was changed
/// ([`World::change`]), starts it anew: no constant is baked in.
pub trait Stepper: Send {
    /// What it computes with, for tables and manifests: "cpu", ...
    fn backend(&self) -> &'static str;

    /// Readies a substep of a world: its operations follow in the order of [`operations`].
    fn begin(&mut self, world: &World);

    /// Does one operation of a substep of `dt` [s] > 0, which all before it have prepared. What it changes of
    /// the state is there for others to read when it returns, so that two backends can be compared one
    /// operation after the other.
    ///
    /// # Errors
    /// As for [`Stepper::substep`].
    fn operate(
        &mut self,
        operation: Operation,
        world: &mut World,
        dt: f64,
    ) -> Result<(), StepError>;

    /// The report of the substep since [`Stepper::begin`].
    fn end(&mut self) -> StepReport;

    /// Advances a world by `dt` [s] > 0: all operations in their order.
    ///
    /// # Errors
    /// If the state stops being finite, or a particle leaves bounds that stop the run. The world is
    /// then not to be used any further.
    fn substep(&mut self, world: &mut World, dt: f64) -> Result<StepReport, StepError> {
        self.begin(world);
        for (_, operation) in operations(world.setup.solver.iterations) {
            self.operate(operation, world, dt)?;
        }
        Ok(self.end())
    }

    /// Asks for the constraint residual in the reports of the following substeps, or no longer.
    fn measure_residual(&mut self, wanted: bool);

    /// The energies of a world.
    fn energies(&self, world: &World) -> Energies;

    /// Forgets all scratch, since a world has been put back to an earlier state.
    fn forget(&mut self);
}

/// What happened in a substep.
#[derive(Clone, Debug, Default)]
pub struct StepReport {
    /// Wall time of each stage.
    pub times: StageTimes,
    /// Wall time of all constraint sweeps [s], a part of the stage `project`.
    pub sweep_time: f64,
    /// Wall time of neighbour search, corrections and records [s], a part of the stage `find`.
    pub search_time: f64,
    /// Contacts that pressed.
    pub contacts: usize,
    /// Mean number of neighbours a particle.
    pub neighbors: f64,
    /// Dual residual of the constraints, relative, the greatest of all methods that iterate; 0 unless asked
    /// for.
    pub residual: f64,
    /// Share of particles whose gradient is not of rank 3; 0 unless the residual is asked for.
    pub deficient_share: f64,
    /// Impulse [N s] that contacts and carried particles have given to each collider.
    pub collider_impulse: Vec<pliant_math::DVec3>,
    /// Work done on the world.
    pub work: Work,
}
