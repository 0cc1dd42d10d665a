//! A simulation that is recorded to a folder, as `pliant run` leaves it.

use std::path::Path;
use std::sync::Arc;

use pliant_core::step::FrameReport;
use pliant_core::world::{Setup, SnapshotError, State, World};

use super::edits::Edits;
use super::{Simulation, SimulationError};
use crate::run::{Claim, FolderRecording, Observer, Status, Summary};

/// The folder that a simulation is recorded to; made by [`Simulation::record`] and [`Simulation::resume`].
///
/// It has the files that `pliant run` writes: particles, tables, pictures, checkpoints, `run.json`, and at the end
/// a film and the report. One that is dropped before [`Self::finish`] is like a run that was killed: it can be
/// resumed from its newest checkpoint.
///
/// ```
/// # use pliant::{Scene, SceneTable, Simulation};
/// # let out = tempfile::tempdir()?;
/// # let folder = out.path().join("fall");
/// let ball = SceneTable::new()
///     .with("name", "ball")
///     .with("material", "rubber")
///     .with("shape.sphere.radius", 0.05)
///     .with("spacing", 0.025);
/// let scene = Scene::builder()
///     .with("scene.duration", 1.0)
///     .with("output.preview", false)
///     .with("material.rubber.preset", "rubber")
///     .add("body", ball)
///     .build()?;
/// let mut simulation = Simulation::of(scene)?;
/// let mut recording = simulation.record(&folder)?;
/// while simulation.frame_number() < 4 {
///     simulation.step()?;
///     recording.write(&simulation)?;
/// }
/// let summary = recording.finish(&simulation)?;
/// assert_eq!(summary.manifest.frames_done, 4);
/// assert!(folder.join("particles/particles.0004.vtp").is_file());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Recording {
    folder: FolderRecording,
    notes: Notes,
}

/// What is worth saying about a folder, kept for whoever asks.
#[derive(Debug, Default)]
struct Notes(Vec<String>);

impl Observer for Notes {
    fn note(&mut self, text: &str) {
        self.0.push(text.to_owned());
    }
}

impl Simulation {
    /// Starts to record to a folder, and writes the first frame. An older run in it is removed.
    ///
    /// # Errors
    /// If the simulation is not at its first frame, the folder holds something else than a run or is written into
    /// by another one, or a file cannot be written.
    pub fn record(&mut self, folder: impl AsRef<Path>) -> Result<Recording, SimulationError> {
        self.check_recordable()?;
        if self.frame_number() != 1 {
            return Err(SimulationError::RecordedLate(self.frame_number()));
        }
        self.open_recording(folder.as_ref(), false)
    }

    /// Goes on with a recording that was broken off: the simulation takes the state of the newest checkpoint in
    /// the folder, and what came after it is removed. Without a checkpoint both start anew.
    ///
    /// A checkpoint holds how colliders are driven and what was attached and released; other constants are those
    /// that the simulation has now.
    ///
    /// # Errors
    /// If the folder holds something else than a run of this scene, or a file cannot be read or written. The
    /// simulation stays as it is then.
    pub fn resume(&mut self, folder: impl AsRef<Path>) -> Result<Recording, SimulationError> {
        let start = World::new(self.start.undone(&self.world.setup));
        let before = std::mem::replace(&mut self.world, start);
        let edits = std::mem::take(&mut self.edits);
        match self.open_recording(folder.as_ref(), true) {
            Ok(recording) => {
                self.went_back();
                Ok(recording)
            }
            Err(error) => {
                (self.world, self.edits) = (before, edits);
                Err(error)
            }
        }
    }

    /// Takes a folder; the world is at its start.
    fn open_recording(
        &mut self,
        folder: &Path,
        resumes: bool,
    ) -> Result<Recording, SimulationError> {
        let mut notes = Notes::default();
        let threads = self.pool.threads();
        let computed_by = (self.stepper.backend(), threads, threads);
        let claim = Claim::new(&self.provenance, folder, computed_by, &mut notes)?;
        let mut edited = None;
        let start = match resumes {
            true => claim.find_start(&mut |_, bytes| self.read(bytes, &mut edited), &mut notes)?,
            false => None,
        };
        let is_new = start.is_none();
        let on = (&mut self.world, &self.pool);
        let folder = claim.begin(start, on, &self.measurements, &mut notes)?;
        if let Some((edits, setup)) = edited {
            (self.edits, self.world.setup) = (edits, setup);
        }
        let mut recording = Recording { folder, notes };
        if is_new {
            recording.record(self, &FrameReport::default())?;
        }
        Ok(recording)
    }
}

impl Simulation {
    /// The state in a checkpoint, and the edits that it was made with.
    fn read(
        &self,
        bytes: &[u8],
        edited: &mut Option<(Edits, Arc<Setup>)>,
    ) -> Result<State, SnapshotError> {
        let (edits, bytes) = Edits::split(bytes).map_err(SnapshotError::new)?;
        let setup = self.setup_with(&edits).map_err(SnapshotError::new)?;
        let state = State::from_bytes(bytes, &setup)?;
        *edited = Some((edits, setup));
        Ok(state)
    }

    /// Whether its frames have the bodies of the scene.
    fn check_recordable(&self) -> Result<(), SimulationError> {
        self.check_sound()?;
        match self.edits.added.is_empty() {
            true => Ok(()),
            false => Err(SimulationError::RecordedBodies),
        }
    }
}

impl Recording {
    /// Writes the frame that the simulation has reached, and a checkpoint as often as the scene's
    /// `output.checkpoint_every` says.
    ///
    /// # Errors
    /// If it is not the frame after the last one that was written, or a file cannot be written.
    pub fn write(&mut self, simulation: &Simulation) -> Result<(), SimulationError> {
        simulation.check_recordable()?;
        let (reached, next) = (simulation.frame_number(), self.frames_done() + 1);
        if reached != next {
            return Err(SimulationError::OtherFrame { reached, next });
        }
        self.record(simulation, &simulation.report)?;
        if self.folder.is_checkpoint_due() {
            let state = &simulation.world.state;
            self.folder.write_checkpoint(state, &|| simulation.save())?;
        }
        Ok(())
    }

    /// The last frame that is written.
    pub fn frames_done(&self) -> u32 {
        self.folder.manifest().frames_done
    }

    /// What was found worth saying: a damaged checkpoint that was passed over, a film that could not be made.
    pub fn notes(&self) -> &[String] {
        &self.notes.0
    }

    /// Ends it with a checkpoint, the film, `run.json` and the report. The run counts as done, however long the
    /// scene's duration is.
    ///
    /// # Errors
    /// If the simulation has gone on since the last frame that was written, or a file cannot be written.
    pub fn finish(mut self, simulation: &Simulation) -> Result<Summary, SimulationError> {
        simulation.check_recordable()?;
        let (reached, next) = (simulation.frame_number(), self.frames_done());
        if reached != next {
            return Err(SimulationError::OtherFrame { reached, next });
        }
        self.folder.plan_no_more();
        let layout = simulation.measurements.layout();
        let to_bytes = || simulation.save();
        let left = (&simulation.world.state, &to_bytes as _, layout);
        Ok(self.folder.close(Ok(Status::Done), left, &mut self.notes)?)
    }

    fn record(
        &mut self,
        simulation: &Simulation,
        report: &FrameReport,
    ) -> Result<(), SimulationError> {
        let (world, pool) = (&simulation.world, &simulation.pool);
        let measurements = &simulation.measurements;
        Ok(self.folder.record(world, pool, measurements, report)?)
    }
}
