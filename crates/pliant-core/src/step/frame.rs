//! A frame: as many equal substeps as it takes, and again with more of them if they made energy.

use std::ops::ControlFlow;

use super::{FrameInProgress, StepError, Stepper};
use crate::measure::FrameReport;
use crate::world::World;

/// How far a frame has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Substeps done.
    pub done: u64,
    /// Substeps of the frame.
    pub of: u64,
    /// Simulated time [s].
    pub time: f64,
    /// Particles now.
    pub particles: usize,
    /// How often this frame was taken back.
    pub redone: u32,
}

/// Advances a world by one frame, calling `progress` after each substep.
///
/// Where the step is left to the engine, a frame that made energy or blew up is taken back and done again
/// with half the step, up to six times; later frames try a longer one again. A gain that shorter steps do
/// not lessen is no error of the step: it is kept, and reported. A given `solver.time_step` is taken as
/// it is.
///
/// # Errors
/// If a substep fails, or the shortest step makes much energy too; the world is then not to be used any
/// further.
pub fn advance_frame(
    world: &mut World,
    stepper: &mut dyn Stepper,
    progress: &mut dyn FnMut(Progress),
) -> Result<FrameReport, StepError> {
    let advanced = advance_frame_while(world, stepper, &mut |so_far, _| {
        progress(so_far);
        ControlFlow::Continue(())
    })?;
    // Nobody breaks off, so there is always a report.
    Ok(advanced.unwrap_or_default())
}

/// The same for as long as `watch`, called after each substep, says to go on. `None` if it broke the frame
/// off: the world is then as it was before.
///
/// # Errors
/// As for [`advance_frame`].
pub fn advance_frame_while(
    world: &mut World,
    stepper: &mut dyn Stepper,
    watch: Watch<'_>,
) -> Result<Option<FrameReport>, StepError> {
    let mut frame = FrameInProgress::start(world, stepper);
    loop {
        if let Some(so_far) = frame.substep(world, stepper)?
            && watch(so_far, world).is_break()
        {
            frame.take_back(world, stepper);
            return Ok(None);
        }
        if let Some(report) = frame.conclude(world, stepper)? {
            return Ok(Some(report));
        }
    }
}

/// Somebody who is told how far a frame has come, sees the world there, and may break it off.
pub type Watch<'a> = &'a mut dyn FnMut(Progress, &World) -> ControlFlow<()>;
