//! A run in progress: frame after frame.

use std::time::Instant;

use pliant_core::measure::{FrameAnalysis, FrameBuffers};
use pliant_core::parallel::{self, Pool};
use pliant_core::step::{FrameReport, Stepper, advance_frame};
use pliant_core::world::World;
use pliant_io::checkpoint::{self, CheckpointHeader};
use pliant_scene::Scene;

use super::RunError;
use super::folder::OutputFolder;
use super::lock::FolderLock;
use super::manifest::{Manifest, Status};
use super::measurements::{Measurements, fill_timings};
use super::observer::{FrameDone, Observer, Plan};
use super::pictures::Pictures;
use super::recorder::Recorder;

/// A run in progress.
pub(super) struct Session {
    pub scene: Scene,
    pub folder: OutputFolder,
    pub manifest: Manifest,
    /// What checkpoints are marked with.
    pub scene_hash: u64,
    pub world: World,
    /// The threads that compute frames and what is read off them.
    pub pool: Pool,
    pub stepper: Box<dyn Stepper>,
    pub measurements: Measurements,
    pub recorder: Recorder,
    /// What the next frame keeps of the last.
    pub before: FrameBuffers,
    pub pictures: Option<Pictures>,
    pub checkpoint_every: u32,
    /// Frame of the newest checkpoint, 0 for none.
    pub checkpoint: u32,
    pub started: Instant,
    /// Wall time of earlier sessions [s].
    pub earlier: f64,
    /// Keeps other runs out of the folder.
    pub _lock: Option<FolderLock>,
}

impl Session {
    /// Runs frame after frame to the end, or until the observer wants to stop.
    pub fn advance(&mut self, observer: &mut dyn Observer) -> Result<Status, RunError> {
        observer.begin(&self.plan());
        if self.manifest.frames_done == 0 {
            self.record(&FrameReport::default(), observer)?;
        }
        while self.manifest.frames_done < self.manifest.frames_planned {
            if observer.wants_to_stop() {
                return Ok(Status::Interrupted);
            }
            if self.is_still() {
                return Ok(Status::Still);
            }
            let mut progress = |now| observer.progress(now);
            let stepper = self.stepper.as_mut();
            let report = advance_frame(&mut self.world, stepper, &mut progress);
            let report = report.map_err(|error| RunError::Step {
                error: Box::new(error),
                last_frame: self.manifest.frames_done,
            })?;
            self.record(&report, observer)?;
            if self
                .manifest
                .frames_done
                .is_multiple_of(self.checkpoint_every)
            {
                self.write_checkpoint()?;
            }
        }
        Ok(Status::Done)
    }

    /// Writes a checkpoint of the last frame, after everything up to it is on the disk.
    pub fn write_checkpoint(&mut self) -> Result<(), RunError> {
        if self.checkpoint == self.manifest.frames_done {
            return Ok(());
        }
        if let Some(pictures) = &mut self.pictures {
            pictures.wait()?;
        }
        let header = CheckpointHeader {
            scene_hash: self.scene_hash,
            frame: self.world.state.frame,
            time: self.world.state.time,
        };
        let state = self.world.state.to_bytes();
        checkpoint::write(&self.folder.checkpoints(), &header, &state)?;
        self.checkpoint = header.frame;
        self.write_manifest()
    }

    /// Writes `run.json` as it stands.
    pub fn write_manifest(&mut self) -> Result<(), RunError> {
        let this_session = self.started.elapsed().as_secs_f64() + self.manifest.timings.preparation;
        self.manifest.timings.total = self.earlier + this_session;
        fill_timings(self.recorder.stats(), &mut self.manifest.timings);
        self.manifest.timings.substeps = self.world.state.substeps;
        Ok(self.manifest.write(&self.folder.manifest())?)
    }

    /// Writes the frame that the world has reached.
    fn record(
        &mut self,
        report: &FrameReport,
        observer: &mut dyn Observer,
    ) -> Result<(), RunError> {
        let (world, measurements) = (&self.world, &self.measurements);
        let mut frame = FrameBuffers::after(&self.before);
        let rows = self.pool.run(|| {
            let analysis = FrameAnalysis::of(world);
            let read = || frame.read(world, &analysis);
            parallel::both(read, || measurements.rows(world, report, &analysis)).1
        });
        self.before = FrameBuffers::after(&frame);
        self.recorder.record(&frame, &rows)?;
        if let Some(pictures) = &mut self.pictures {
            pictures.paint(frame)?;
        }
        let state = &self.world.state;
        self.manifest.frames_done = state.frame;
        self.manifest.simulated_time = state.time;
        self.manifest.particles = state.particles.len();
        self.manifest.particles_removed = state.removed;
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

    /// True if the scene ends a run without motion and nothing moves after the first frame.
    fn is_still(&self) -> bool {
        let limit = self.world.setup.solver.stop_when_still;
        let slow = |v: &pliant_math::Vec3| f64::from(v.length()) <= limit;
        limit > 0.0
            && self.world.state.frame > 1
            && self.world.state.particles.velocity.iter().all(slow)
    }

    fn plan(&self) -> Plan<'_> {
        Plan {
            folder: self.folder.root(),
            first_frame: self.world.state.frame,
            last_frame: self.manifest.frames_planned,
            frame_rate: self.world.setup.frame_rate,
            particles: self.world.state.particles.len(),
            threads: self.pool.threads(),
            is_step_given: self.world.setup.solver.time_step.is_some(),
        }
    }
}
