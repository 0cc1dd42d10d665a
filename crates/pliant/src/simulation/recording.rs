//! A simulation that is recorded to a folder, as `pliant run` leaves it.

use std::path::Path;
use std::sync::Arc;

use pliant_core::step::FrameReport;
use pliant_core::world::{Setup, SnapshotError, State, World};
use pliant_scene::RecordedAddition;

use super::edits::{Added, Edits};
use super::{Simulation, SimulationError};
use crate::additions::{RunWorld, read_additions};
use crate::run::{
    Claim, FolderRecording, Grown, Observer, OutputFolder, RunError, Status, Summary,
};

/// The folder that a simulation is recorded to; made by [`Simulation::record`] and [`Simulation::resume`].
///
/// It has the files that `pliant run` writes: particles, tables, pictures, checkpoints, `run.json`, and at the end
/// a film and the report. One that is dropped before [`Self::finish`] is like a run that was killed: it can be
/// resumed from its newest checkpoint.
///
/// Bodies may be [added](Simulation::add) before it and while it goes on, and [removed](Simulation::remove): each
/// frame has those of its time, for everything that reads the folder. `scene.toml` in it is the scene that the
/// simulation began with, and `additions.toml` what was added; what else a program did no file tells, so that
/// `pliant run` of that scene does not lead to the same bits.
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
    /// What was added up to the last frame that is written.
    added: Vec<Added>,
}

/// What is worth saying about a folder, kept for whoever asks.
#[derive(Debug, Default)]
struct Notes(Vec<String>);

impl Observer for Notes {
    fn note(&mut self, text: &str) {
        self.0.push(text.to_owned());
    }
}

/// A simulation before it was resumed.
struct Before {
    world: World,
    edits: Edits,
    is_at_start: bool,
}

impl Simulation {
    /// Starts to record to a folder, and writes the first frame. An older run in it is removed.
    ///
    /// # Errors
    /// If the simulation is not at its first frame, the folder holds something else than a run or is written into
    /// by another one, or a file cannot be written.
    pub fn record(&mut self, folder: impl AsRef<Path>) -> Result<Recording, SimulationError> {
        self.check_sound()?;
        if self.frame_number() != 1 {
            return Err(SimulationError::RecordedLate(self.frame_number()));
        }
        self.open_recording(folder.as_ref(), None)
    }

    /// Goes on with a recording that was broken off: the simulation takes the state of the newest checkpoint in
    /// the folder, and what came after it is removed. Without a checkpoint the recording starts anew: with the
    /// simulation as it is at its first frame, what was added included, or with its start if it has gone on.
    ///
    /// A checkpoint holds how colliders are driven and what was added, attached and released; other constants are
    /// those that the simulation has now.
    ///
    /// # Errors
    /// If the folder holds something else than a run of this scene, a file cannot be read or written, or the list of
    /// what was added is damaged. The simulation stays as it is then.
    pub fn resume(&mut self, folder: impl AsRef<Path>) -> Result<Recording, SimulationError> {
        let start = World::new(self.start.undone(&self.world.setup));
        let world = std::mem::replace(&mut self.world, start);
        let edits = std::mem::take(&mut self.edits);
        let before = Before {
            is_at_start: world.state.frame == 1 && !self.is_broken,
            world,
            edits,
        };
        match self.open_recording(folder.as_ref(), Some(&before)) {
            Ok(recording) => {
                self.went_back();
                Ok(recording)
            }
            Err(error) => {
                (self.world, self.edits) = (before.world, before.edits);
                Err(error)
            }
        }
    }

    /// Takes a folder; the world is at its start.
    ///
    /// * `before` — what it was, if the recording is to be resumed
    fn open_recording(
        &mut self,
        folder: &Path,
        before: Option<&Before>,
    ) -> Result<Recording, SimulationError> {
        let mut notes = Notes::default();
        let threads = self.pool.threads();
        let computed_by = (self.stepper.backend(), threads, threads);
        let mut claim = Claim::new(&self.provenance, folder, computed_by, &mut notes)?;
        let mut edited = None;
        let start = match before {
            Some(_) => {
                claim.find_start(&mut |_, bytes| self.read(bytes, &mut edited), &mut notes)?
            }
            None => None,
        };
        let is_new = start.is_none();
        if let Some(before) = before.filter(|before| is_new && before.is_at_start) {
            self.world = before.world.clone();
            self.edits.clone_from(&before.edits);
        }
        let grown = match &edited {
            None => Grown {
                additions: self.additions_from(0, 1)?,
                ..Grown::nothing(&self.world)
            },
            Some((edits, setup)) => self.recorded_up_to(edits, setup, folder)?,
        };
        match is_new {
            true => claim.count(&self.world),
            false => self.world = World::new(grown.world.start()),
        }
        let on = (&mut self.world, &self.pool);
        let folder = claim.begin(start, on, grown, &self.measurements, &mut notes)?;
        if let Some((edits, setup)) = edited {
            (self.edits, self.world.setup) = (edits, setup);
        }
        let mut recording = Recording {
            folder,
            notes,
            added: self.edits.added.clone(),
        };
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

    /// What was added, without the first additions, as a recording tells it whose next frame has it.
    fn additions_from(
        &self,
        known: usize,
        frame: u32,
    ) -> Result<Vec<RecordedAddition>, SimulationError> {
        let count = |name: &str| {
            let body = self.setup().bodies.iter().find(|body| body.name == name);
            body.map_or(0, |body| body.particles.position.len() as u32)
        };
        let read = |place: usize| {
            let addition = self.edits.read(place, &self.provenance.scene)?;
            let particles = addition.bodies().map(count).sum();
            let first_id = self.edits.added[place].first_id;
            Ok(RecordedAddition::new(addition, frame, first_id, particles))
        };
        (known..self.edits.added.len()).map(read).collect()
    }

    /// What the folder of a recording tells of the additions that a checkpoint in it has.
    fn recorded_up_to(
        &self,
        edits: &Edits,
        setup: &Setup,
        folder: &Path,
    ) -> Result<Grown, SimulationError> {
        let folder = OutputFolder::new(folder);
        let start = self.start.undone(&self.world.setup);
        let mut additions = match edits.added.is_empty() {
            true => Vec::new(),
            false => read_additions(&folder, &self.provenance.scene)?.0,
        };
        additions.truncate(edits.added.len());
        let world = RunWorld::grown(Arc::new(start), &additions)?;
        let bodies = |setup: &Setup| {
            let numbered = setup.numbered();
            let named = numbered.map(|body| (body.body.name.clone(), body.first_id));
            named.collect::<Vec<_>>()
        };
        match bodies(world.whole()) == bodies(setup) {
            true => Ok(Grown { additions, world }),
            false => Err(RunError::Damaged {
                path: folder.additions(),
                why: "it does not tell what the newest checkpoint has".into(),
                remedy: "put it back as it was, or record anew",
            }
            .into()),
        }
    }
}

impl Recording {
    /// Writes the frame that the simulation has reached, and a checkpoint as often as the scene's
    /// `output.checkpoint_every` says.
    ///
    /// # Errors
    /// If it is not the frame after the last one that was written, the simulation was put back to a state without
    /// bodies that the recording has, or a file cannot be written.
    pub fn write(&mut self, simulation: &Simulation) -> Result<(), SimulationError> {
        simulation.check_sound()?;
        let (reached, next) = (simulation.frame_number(), self.frames_done() + 1);
        if reached != next {
            return Err(SimulationError::OtherFrame { reached, next });
        }
        self.take_additions(simulation)?;
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
    /// If the simulation has gone on since the last frame that was written, or as for [`Self::write`].
    pub fn finish(mut self, simulation: &Simulation) -> Result<Summary, SimulationError> {
        simulation.check_sound()?;
        let (reached, next) = (simulation.frame_number(), self.frames_done());
        if reached != next {
            return Err(SimulationError::OtherFrame { reached, next });
        }
        // The checkpoint at the end has them, though no frame does.
        self.take_additions(simulation)?;
        self.folder.plan_no_more();
        let layout = simulation.measurements.layout();
        let to_bytes = || simulation.save();
        let left = (&simulation.world.state, &to_bytes as _, layout);
        Ok(self.folder.close(Ok(Status::Done), left, &mut self.notes)?)
    }

    /// Notes what was added to the simulation since the last frame that is written.
    fn take_additions(&mut self, simulation: &Simulation) -> Result<(), SimulationError> {
        let added = &simulation.edits.added;
        if !added.starts_with(&self.added) {
            return Err(SimulationError::RecordedBodies);
        }
        if added.len() > self.added.len() {
            let next = self.frames_done() + 1;
            let new = simulation.additions_from(self.added.len(), next)?;
            self.folder.grow(&simulation.world, &new)?;
            self.added.clone_from(added);
        }
        Ok(())
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
