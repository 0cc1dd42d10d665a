//! A run in progress: frame after frame.

use pliant_core::parallel::Pool;
use pliant_core::step::{FrameReport, Stepper, advance_frame};
use pliant_core::world::World;
use pliant_view::Measurements;

use super::RunError;
use super::manifest::Status;
use super::observer::{FrameDone, Observer, Plan};
use super::recording::FolderRecording;
use super::replay::SceneReplay;

/// A run in progress.
pub(super) struct Session {
    pub recording: FolderRecording,
    pub world: World,
    /// The threads that compute frames and what is read off them.
    pub pool: Pool,
    pub stepper: Box<dyn Stepper>,
    pub measurements: Measurements,
    /// What is done between frames.
    pub replay: Option<SceneReplay>,
}

impl Session {
    /// Runs frame after frame to the end, or until the observer wants to stop.
    pub fn advance(&mut self, observer: &mut dyn Observer) -> Result<Status, RunError> {
        observer.begin(&self.plan());
        if self.recording.manifest.frames_done == 0 {
            self.record(&FrameReport::default(), observer)?;
        }
        while self.recording.manifest.frames_done < self.recording.manifest.frames_planned {
            if observer.wants_to_stop() {
                return Ok(Status::Interrupted);
            }
            if self.is_still() {
                return Ok(Status::Still);
            }
            if let Some(replay) = &mut self.replay {
                replay.act(&mut self.world, &mut self.measurements)?;
            }
            let mut progress = |now| observer.progress(now);
            let stepper = self.stepper.as_mut();
            let report = advance_frame(&mut self.world, stepper, &mut progress);
            let report = report.map_err(|error| RunError::Step {
                error: Box::new(error),
                last_frame: self.recording.manifest.frames_done,
            })?;
            self.record(&report, observer)?;
            if self.recording.is_checkpoint_due() {
                let state = &self.world.state;
                self.recording
                    .write_checkpoint(state, &|| state.to_bytes())?;
            }
        }
        Ok(Status::Done)
    }

    /// Writes the frame that the world has reached.
    fn record(
        &mut self,
        report: &FrameReport,
        observer: &mut dyn Observer,
    ) -> Result<(), RunError> {
        let (world, pool) = (&self.world, &self.pool);
        self.recording
            .record(world, pool, &self.measurements, report)?;
        let state = &world.state;
        observer.frame_done(&FrameDone {
            number: state.frame,
            time: state.time,
            particles: state.particles.len(),
            substeps: report.substeps,
            wall: report.wall,
            redone: report.redone,
            dt: report.dt,
            gained_share: report.gained_share,
        });
        Ok(())
    }

    /// True if the scene ends a run without motion and nothing moves after the first frame, or will be moved.
    fn is_still(&self) -> bool {
        if self.replay.as_ref().is_some_and(|replay| !replay.is_over()) {
            return false;
        }
        let limit = self.world.setup.solver.stop_when_still;
        let slow = |v: &pliant_math::Vec3| f64::from(v.length()) <= limit;
        limit > 0.0
            && self.world.state.frame > 1
            && self.world.state.particles.velocity.iter().all(slow)
    }

    fn plan(&self) -> Plan<'_> {
        Plan {
            folder: self.recording.folder.root(),
            first_frame: self.world.state.frame,
            last_frame: self.recording.manifest.frames_planned,
            frame_rate: self.world.setup.frame_rate,
            particles: self.world.state.particles.len(),
            threads: self.pool.threads(),
            is_step_given: self.world.setup.solver.time_step.is_some(),
        }
    }
}
