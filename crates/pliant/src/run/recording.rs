//! The folder of a run while it is written: frame after frame of a world that somebody else steps.

use std::collections::BTreeSet;
use std::time::Instant;

use pliant_core::measure::{FrameAnalysis, FrameBuffers, STAGES, Wanted};
use pliant_core::parallel::{self, Pool};
use pliant_core::step::FrameReport;
use pliant_core::world::{State, World};
use pliant_io::Table;
use pliant_io::checkpoint::{self, CheckpointHeader};
use pliant_io::export::SceneFacts;
use pliant_scene::{RecordedAddition, Scene};
use pliant_view::Measurements;

use super::RunError;
use super::folder::OutputFolder;
use super::lock::FolderLock;
use super::manifest::{Manifest, Timings};
use super::meshes::{MeshPlan, Meshes};
use super::pictures::Pictures;
use super::recorder::Recorder;
use crate::additions::AdditionsFile;
use crate::recorded::scene_facts;

/// The folder of a run while it is written.
pub(crate) struct FolderRecording {
    pub(super) scene: Scene,
    pub(super) folder: OutputFolder,
    pub(super) manifest: Manifest,
    /// What checkpoints are marked with.
    pub(super) scene_hash: u64,
    pub(super) recorder: Recorder,
    /// What was added to the scene so far.
    pub(super) additions: AdditionsFile,
    /// What the next frame keeps of the last.
    pub(super) before: FrameBuffers,
    /// Surfaces around particles, if the scene asks for them.
    pub(super) meshes: Option<Meshes>,
    pub(super) pictures: Option<Pictures>,
    pub(super) checkpoint_every: u32,
    /// Frame of the newest checkpoint, 0 for none.
    pub(super) checkpoint: u32,
    pub(super) started: Instant,
    /// Wall time of earlier sessions [s].
    pub(super) earlier: f64,
    /// Keeps other runs out of the folder.
    pub(super) _lock: Option<FolderLock>,
}

impl FolderRecording {
    /// What is known about the run.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Plans no frame beyond the last one that is written.
    pub fn plan_no_more(&mut self) {
        self.manifest.frames_planned = self.manifest.frames_done;
    }

    /// Goes on with a world to which something was added since the last frame: the file that tells it is there
    /// before the first frame that has it.
    pub fn grow(&mut self, world: &World, added: &[RecordedAddition]) -> Result<(), RunError> {
        self.additions.add(added)?;
        self.before = FrameBuffers::default();
        let known = self.recorder.frames().scene();
        let facts = scene_facts(&self.scene, world);
        // Bodies that were removed have no triangles now.
        let with_triangles: BTreeSet<u32> = [&known.with_triangles, &facts.with_triangles]
            .into_iter()
            .flatten()
            .copied()
            .collect();
        let facts = SceneFacts {
            with_triangles: with_triangles.into_iter().collect(),
            bodies_at_start: known.bodies_at_start,
            ..facts
        };
        if let Some(meshes) = &mut self.meshes {
            let mut now = FrameBuffers::default();
            now.update_wanted(world, Wanted::MOTION);
            if let Some(plan) = MeshPlan::of(&self.scene, &facts, &now.frame())? {
                meshes.grow(plan)?;
            }
        }
        self.recorder.frames().grow(facts)
    }

    /// Writes the frame that a world has reached; `report` is a default one at the start.
    pub fn record(
        &mut self,
        world: &World,
        pool: &Pool,
        measurements: &Measurements,
        report: &FrameReport,
    ) -> Result<(), RunError> {
        let mut frame = FrameBuffers::after(&self.before);
        let rows = pool.run(|| {
            let analysis = FrameAnalysis::of(world);
            let read = || frame.read(world, &analysis);
            parallel::both(read, || measurements.rows(world, report, &analysis)).1
        });
        self.before = FrameBuffers::after(&frame);
        self.recorder.record(&frame, &rows)?;
        if let Some(meshes) = &mut self.meshes {
            meshes.write(&frame.frame(), pool)?;
        }
        if let Some(pictures) = &mut self.pictures {
            pictures.paint(frame)?;
        }
        let state = &world.state;
        self.manifest.frames_done = state.frame;
        self.manifest.simulated_time = state.time;
        self.manifest.particles = state.particles.len();
        self.manifest.particles_removed = state.removed;
        self.manifest.timings.substeps = state.substeps;
        Ok(())
    }

    /// True if the scene wants a checkpoint of the last frame.
    pub fn is_checkpoint_due(&self) -> bool {
        let frame = self.manifest.frames_done;
        frame > 1 && frame.is_multiple_of(self.checkpoint_every)
    }

    /// Writes a checkpoint of the last frame, after everything up to it is on the disk.
    ///
    /// * `to_bytes` — what it holds of the state
    pub fn write_checkpoint(
        &mut self,
        state: &State,
        to_bytes: &dyn Fn() -> Vec<u8>,
    ) -> Result<(), RunError> {
        if self.checkpoint == self.manifest.frames_done {
            return Ok(());
        }
        if let Some(pictures) = &mut self.pictures {
            pictures.wait()?;
        }
        let header = CheckpointHeader {
            scene_hash: self.scene_hash,
            frame: state.frame,
            time: state.time,
        };
        checkpoint::write(&self.folder.checkpoints(), &header, &to_bytes())?;
        self.checkpoint = header.frame;
        self.write_manifest()
    }

    /// Writes `run.json` as it stands.
    pub fn write_manifest(&mut self) -> Result<(), RunError> {
        let this_session = self.started.elapsed().as_secs_f64() + self.manifest.timings.preparation;
        self.manifest.timings.total = self.earlier + this_session;
        fill_timings(self.recorder.stats(), &mut self.manifest.timings);
        Ok(self.manifest.write(&self.folder.manifest())?)
    }
}

/// Adds up where the wall time of a run went, from its statistics.
fn fill_timings(stats: &Table, timings: &mut Timings) {
    let sum = |name: &str| stats.column(name).map_or(0.0, |values| values.iter().sum());
    timings.simulation = sum("wall");
    let stages = STAGES.iter().map(|stage| stage.name());
    timings.stages = stages
        .map(|name| (name.to_owned(), sum(&format!("wall_{name}"))))
        .collect();
}
