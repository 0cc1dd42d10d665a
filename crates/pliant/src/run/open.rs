//! The start of a run: a new folder, or an old one cut back to its newest checkpoint.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use pliant_core::measure::{FrameBuffers, Wanted};
use pliant_core::parallel::Pool;
use pliant_core::world::{SnapshotError, State, World};
use pliant_io::{FileError, checkpoint, create_folder, write_bytes};
use pliant_render::{EnvironmentLight, Settings};
use pliant_scene::{RecordedAddition, Scene};
use pliant_view::{Layout, Measurements, camera_path_of, settings_of};

use super::folder::OutputFolder;
use super::identity::Identity;
use super::lock::FolderLock;
use super::manifest::{Manifest, Status, Timings};
use super::meshes::{MeshPlan, Meshes};
use super::observer::Observer;
use super::pictures::Pictures;
use super::recorder::{Recorder, Records};
use super::recording::FolderRecording;
use super::replay::SceneReplay;
use super::resume::{EDITED, ReadState, Start, check_tables, find_start, note_lost_frames};
use super::series::FrameContents;
use super::session::Session;
use super::{RunError, RunOptions, Summary, measurements_of};
use crate::additions::{AdditionsFile, RunWorld};
use crate::backend;
use crate::environment::environment_of;
use crate::export::fill;
use crate::machine::Machine;
use crate::prepare::{Prepared, Provenance};

/// What opening a run leads to.
pub(super) enum Opened {
    /// There are frames to compute, or at least an end to write.
    Session(Box<Session>),
    /// The run that was to be resumed has come as far already.
    Complete(Box<Summary>),
}

/// Opens a run: the world at its start or at a checkpoint, the folder ready for what comes.
pub(super) fn open(
    (prepared, mut replay): (Prepared, Option<SceneReplay>),
    options: &RunOptions,
    observer: &mut dyn Observer,
) -> Result<Opened, RunError> {
    let started = Instant::now();
    OutputFolder::new(&options.folder).check_own()?;
    let (provenance, setup) = prepared.split();
    let mut world = World::new(setup);
    let pool = Pool::new(options.threads)?;
    let stepper = backend::stepper(&pool);
    let mut measurements = measurements_of(&world.setup, &provenance.scene)?;
    let computed_by = (stepper.backend(), options.threads, pool.threads());
    let claim = Claim::new(&provenance, &options.folder, computed_by, observer)?;
    let mut is_edited = false;
    let start = match options.resume {
        true => {
            let mut read = |frame, bytes: &[u8]| {
                if let Some(replay) = &mut replay {
                    let done = replay.catch_up(frame, &mut world, &mut measurements);
                    done.map_err(SnapshotError::new)?;
                }
                is_edited = bytes.starts_with(EDITED);
                State::from_bytes(bytes, &world.setup)
            };
            let found = claim.find_start(&mut read, observer);
            found.map_err(|error| match is_edited {
                true => RunError::OfProgram(options.folder.clone()),
                false => error,
            })?
        }
        false => None,
    };
    if let Some(start) = start.as_ref() {
        let planned = claim.manifest.frames_planned;
        if start.is_complete(&claim.folder, (planned, &claim.printed), observer) {
            return Ok(Opened::Complete(Box::new(start.summary(claim.folder))));
        }
        note_lost_frames(&claim.folder, planned, observer);
    }
    let grown = Grown::nothing(&world);
    let on = (&mut world, &pool);
    let mut recording = claim.begin(start, on, grown, &measurements, observer)?;
    recording.started = started;
    Ok(Opened::Session(Box::new(Session {
        recording,
        world,
        pool,
        stepper,
        measurements,
        replay,
    })))
}

/// What was added to the scene of a run up to its start, or to the checkpoint that it goes on from.
pub(crate) struct Grown {
    pub additions: Vec<RecordedAddition>,
    pub world: RunWorld,
}

impl Grown {
    /// Nothing.
    pub fn nothing(start: &World) -> Self {
        Self {
            additions: Vec::new(),
            world: RunWorld::unchanged(Arc::clone(&start.setup)),
        }
    }
}

/// A folder that is taken for a run, before anything in it is written or removed.
pub(crate) struct Claim<'a> {
    provenance: &'a Provenance,
    pub(super) folder: OutputFolder,
    pub(super) manifest: Manifest,
    identity: Identity,
    /// The scene with every default written out.
    pub(super) printed: String,
    /// What lights the pictures, if any are made of it.
    environment: Option<EnvironmentLight>,
    /// Threads that paint; 0 takes one a core.
    painters: usize,
    lock: Option<FolderLock>,
}

impl<'a> Claim<'a> {
    /// Takes a folder: it is empty or holds a run, and nobody else writes into it.
    ///
    /// * `computed_by` — the backend, the threads asked for, and those that there are
    pub fn new(
        provenance: &'a Provenance,
        folder: &Path,
        (backend, painters, threads): (&str, usize, usize),
        observer: &mut dyn Observer,
    ) -> Result<Self, RunError> {
        let folder = OutputFolder::new(folder);
        folder.check_own()?;
        let environment = match provenance.scene.output().preview {
            true => environment_of(&provenance.scene)?,
            false => None,
        };
        let printed = provenance.scene.to_toml(folder.root());
        let identity = Identity::of(&printed, &provenance.file_hashes);
        let manifest = Manifest {
            backend: backend.into(),
            threads,
            ..new_manifest(provenance, identity.hash())
        };
        let lock = FolderLock::take(folder.root())?;
        if lock.is_none() {
            let root = folder.root().display();
            observer.note(&format!(
                "`{root}` cannot be locked: see to it that no other run writes there"
            ));
        }
        Ok(Self {
            provenance,
            folder,
            manifest,
            identity,
            printed,
            environment,
            painters,
            lock,
        })
    }

    /// Counts the particles that a world has at the start, to which bodies were added and from which some were
    /// removed.
    pub fn count(&mut self, start: &World) {
        let count = |body: usize| {
            let of_body = start.state.particles.body.iter();
            of_body.filter(|&&of| of as usize == body).count() as u64
        };
        let bodies = start.setup.bodies.iter().enumerate();
        let counted = bodies.map(|(number, body)| (body.name.clone(), count(number)));
        self.manifest.particles_at_start = counted.collect();
    }

    /// The newest whole checkpoint in it, if there is one.
    pub fn find_start(
        &self,
        read: ReadState<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Option<Start>, RunError> {
        find_start(&self.folder, &self.identity, read, observer)
    }

    /// Makes it ready for what comes after a checkpoint, whose state the world takes, or for a new run. The world
    /// is to be at its start, with what was added before the first frame.
    pub fn begin(
        mut self,
        start: Option<Start>,
        (world, pool): (&mut World, &Pool),
        mut grown: Grown,
        measurements: &Measurements,
        observer: &mut dyn Observer,
    ) -> Result<FolderRecording, RunError> {
        let started = Instant::now();
        let scene = &self.provenance.scene;
        let mut first = FrameBuffers::default();
        first.update(world);
        let frames = match grown.world.is_grown() {
            true => FrameContents::of_run(scene, &grown.world),
            false => FrameContents::of(scene, world),
        };
        let written = Written {
            scene,
            layout: measurements.layout(),
            plan: plan_of_meshes(scene, &frames, &grown.world, &first)?,
            additions: &grown.additions,
            frames,
        };
        let (recorder, meshes, additions) = match start {
            Some(start) => {
                let told = (&mut self.manifest, observer);
                let state = &mut world.state;
                go_on(
                    start,
                    &self.folder,
                    written,
                    (state, &mut grown.world, pool),
                    told,
                )?
            }
            None => start_anew(&self.folder, written, &self.manifest)?,
        };
        let pictures = start_pictures(
            scene,
            (&self.folder, &self.manifest),
            world,
            &first,
            (self.environment, self.painters),
        )?;
        let manifest = self.manifest;
        Ok(FolderRecording {
            checkpoint_every: scene.output().checkpoint_every,
            checkpoint: manifest.resumed_from.last().copied().unwrap_or(0),
            earlier: manifest.timings.total,
            scene_hash: self.identity.hash(),
            scene: scene.clone(),
            folder: self.folder,
            manifest,
            recorder,
            additions,
            before: FrameBuffers::after(&first),
            meshes,
            pictures,
            started,
            _lock: self.lock,
        })
    }
}

fn new_manifest(provenance: &Provenance, scene_hash: u64) -> Manifest {
    let scene = &provenance.scene;
    let hashes = provenance.file_hashes.iter();
    let particles: u64 = provenance.particles.values().sum();
    Manifest {
        program: Manifest::program(),
        version: env!("CARGO_PKG_VERSION").into(),
        status: Status::Running,
        scene_file: provenance.file.clone(),
        scene_hash: format!("{scene_hash:016x}"),
        input_files: hashes
            .map(|(file, hash)| (file.clone(), format!("{hash:016x}")))
            .collect(),
        backend: String::new(),
        threads: 0,
        machine: Machine::this(),
        frames_planned: scene.frame_count() + 1,
        frames_done: 0,
        simulated_time: 0.0,
        particles_at_start: provenance.particles.clone(),
        particles: particles as usize,
        particles_removed: 0,
        timings: Timings {
            preparation: provenance.seconds,
            stages: BTreeMap::new(),
            ..Timings::default()
        },
        pictured_frames: scene.frame_count() + 1,
        film: None,
        resumed_from: Vec::new(),
        warnings: provenance.warnings.clone(),
    }
}

/// The surfaces around particles of a run.
///
/// * `first` — of the world at its start
fn plan_of_meshes(
    scene: &Scene,
    frames: &FrameContents,
    run: &RunWorld,
    first: &FrameBuffers,
) -> Result<Option<MeshPlan>, RunError> {
    if !run.is_grown() {
        return MeshPlan::of(scene, &frames.scene, &first.frame());
    }
    let mut all = FrameBuffers::default();
    let whole = World::new(Arc::clone(run.whole()));
    all.update_wanted(&whole, Wanted::MOTION);
    MeshPlan::of(scene, &frames.scene, &all.frame())
}

/// What a run writes.
struct Written<'a> {
    scene: &'a Scene,
    additions: &'a [RecordedAddition],
    /// The columns of its tables.
    layout: &'a Layout,
    /// The files of a frame.
    frames: FrameContents,
    /// Surfaces around particles.
    plan: Option<MeshPlan>,
}

/// The files that are written frame by frame, and what was added.
type Files = (Recorder, Option<Meshes>, AdditionsFile);

fn start_anew(
    folder: &OutputFolder,
    written: Written<'_>,
    manifest: &Manifest,
) -> Result<Files, RunError> {
    let Written {
        layout,
        frames,
        plan,
        ..
    } = written;
    folder.claim(manifest)?;
    write_scene(written.scene, folder)?;
    let additions = AdditionsFile::create(folder, written.additions)?;
    let recorder = Recorder::create(folder, Records { frames, layout })?;
    let meshes = plan.map(|plan| plan.open(folder, f64::NEG_INFINITY));
    Ok((recorder, meshes.transpose()?, additions))
}

/// Cuts what came after the checkpoint and puts its state into the world.
fn go_on(
    start: Start,
    folder: &OutputFolder,
    written: Written<'_>,
    (state, run, pool): (&mut State, &mut RunWorld, &Pool),
    (manifest, observer): (&mut Manifest, &mut dyn Observer),
) -> Result<Files, RunError> {
    let Written {
        layout,
        frames,
        plan,
        ..
    } = written;
    let at = (start.state.frame, start.state.time);
    // Before anything is cut that might be wanted still.
    check_tables(folder, layout, at.0)?;
    folder.sweep()?;
    // First of all: if anything fails from here on, the way on is to resume this scene.
    write_scene(written.scene, folder)?;
    folder.cut(at.0)?;
    checkpoint::files(&folder.checkpoints()).remove_after(at.0)?;
    // Not before the frames that have what is no longer in it.
    let additions = AdditionsFile::create(folder, written.additions)?;
    let mut recorder = Recorder::resume(folder, Records { frames, layout }, at)?;
    if let Some(lacking) = fill(folder, recorder.frames(), at.0, run)? {
        observer.note(&format!(
            "frame {lacking} has no file in a format of output.particles, and none from which one \
             could be written: that takes `vtk`, `ply` or `npz`"
        ));
    }
    let mut meshes = plan.map(|plan| plan.open(folder, at.1)).transpose()?;
    if let Some(meshes) = &mut meshes {
        meshes.fill(folder, at.0, (run, pool))?;
    }
    manifest.timings.substeps = start.state.substeps;
    *state = start.state;
    manifest.pictured_frames = start.manifest.frames_to_picture();
    manifest.particles_at_start = start.manifest.particles_at_start;
    manifest.resumed_from = start.manifest.resumed_from;
    manifest.resumed_from.push(at.0);
    manifest.timings.total = start.manifest.timings.total;
    (manifest.frames_done, manifest.simulated_time) = at;
    manifest.write(&folder.manifest())?;
    Ok((recorder, meshes, additions))
}

fn write_scene(scene: &Scene, folder: &OutputFolder) -> Result<(), FileError> {
    let text = scene.to_toml(folder.root());
    write_bytes(&folder.scene(), text.as_bytes())
}

fn start_pictures(
    scene: &Scene,
    (folder, manifest): (&OutputFolder, &Manifest),
    world: &World,
    first: &FrameBuffers,
    (environment, threads): (Option<EnvironmentLight>, usize),
) -> Result<Option<Pictures>, RunError> {
    if !scene.output().preview {
        return Ok(None);
    }
    create_folder(&folder.preview())?;
    let (first, frames) = (first.frame(), manifest.frames_to_picture());
    let settings = Settings {
        environment,
        ..settings_of(scene, &world.setup, &first, frames)
    };
    let camera = camera_path_of(scene, &world.setup, &first, frames);
    Pictures::start(folder.pictures(), settings, camera, threads).map(Some)
}
