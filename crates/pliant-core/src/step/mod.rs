//! The substep, one page, and the frame made of substeps.

mod audit;
mod cpu;
mod emit;
mod error;
mod frame;
mod inspect;
mod reactions;
mod stages;
mod substep;
mod time_step;
mod work;

pub use crate::measure::{FrameReport, STAGES, Stage, StageTimes};
pub use cpu::CpuStepper;
pub use error::{Culprit, StepError, Trouble};
pub use frame::{Progress, advance_frame};
pub use time_step::{
    MOST_SUBSTEPS, Resolution, StepBound, first_frame_substeps, frame_substeps,
    longest_elastic_step, step_bounds, unresolved_steps,
};

use crate::measure::Energies;
use crate::world::{Setup, Work, World};

/// Something that takes a world one substep further.
pub trait Stepper {
    /// Advances the world by `dt` [s] > 0.
    ///
    /// # Errors
    /// If the state stops being finite, or a particle leaves bounds that stop the run. The world is
    /// then not to be used any further.
    fn substep(&mut self, world: &mut World, dt: f64) -> Result<StepReport, StepError>;

    /// Asks for the constraint residual in the reports of the following substeps, or no longer.
    fn measure_residual(&mut self, wanted: bool);

    /// The energies of a world.
    fn energies(&self, world: &World) -> Energies;

    /// Forgets all scratch, since a world of a setup has been put back to an earlier state.
    fn forget(&mut self, setup: &Setup);
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
