//! The start of a run: a new folder, or an old one cut back to its newest checkpoint.

use std::collections::BTreeMap;
use std::time::Instant;

use pliant_core::measure::FrameBuffers;
use pliant_core::parallel::Pool;
use pliant_core::world::World;
use pliant_io::{FileError, checkpoint, create_folder, write_bytes};
use pliant_scene::Scene;

use super::folder::OutputFolder;
use super::identity::Identity;
use super::lock::FolderLock;
use super::manifest::{Manifest, Status, Timings};
use super::measurements::Measurements;
use super::observer::Observer;
use super::pictures::Pictures;
use super::recorder::{Recorder, Records};
use super::resume::{Start, check_tables, find_start, note_lost_frames};
use super::series::FrameContents;
use super::session::Session;
use super::{RunError, RunOptions, Summary};
use crate::backend;
use crate::export::fill;
use crate::machine::Machine;
use crate::picture_settings::{camera_of, settings_of};
use crate::prepare::Prepared;

/// What opening a run leads to.
pub(super) enum Opened {
    /// There are frames to compute, or at least an end to write.
    Session(Box<Session>),
    /// The run that was to be resumed has come as far already.
    Complete(Box<Summary>),
}

/// Opens a run: the world at its start or at a checkpoint, the folder ready for what comes.
pub(super) fn open(
    prepared: Prepared,
    options: &RunOptions,
    observer: &mut dyn Observer,
) -> Result<Opened, RunError> {
    let started = Instant::now();
    let folder = OutputFolder::new(&options.folder);
    folder.check_own()?;
    let printed = prepared.scene.to_toml(folder.root());
    let identity = Identity::of(&printed, &prepared.file_hashes);
    let mut manifest = new_manifest(&prepared, identity.hash());
    let Prepared { scene, built, .. } = prepared;
    let mut world = World::new(built.setup);
    let pool = Pool::new(options.threads)?;
    let stepper = backend::stepper(&pool);
    manifest.backend = stepper.backend().into();
    manifest.threads = pool.threads();
    let measurements = Measurements::new(&world.setup, &scene)?;
    let lock = FolderLock::take(folder.root())?;
    if lock.is_none() {
        let root = folder.root().display();
        observer.note(&format!(
            "`{root}` cannot be locked: see to it that no other run writes there"
        ));
    }
    let start = match options.resume {
        true => find_start(&folder, &identity, &world.setup, observer)?,
        false => None,
    };
    let planned = manifest.frames_planned;
    if let Some(start) = start.as_ref() {
        if start.is_complete(&folder, (planned, &printed), observer) {
            return Ok(Opened::Complete(Box::new(start.summary(folder))));
        }
        note_lost_frames(&folder, planned, observer);
    }
    let mut first = FrameBuffers::default();
    first.update(&world);
    let recorder = match start {
        Some(start) => go_on(
            start,
            &folder,
            &scene,
            &measurements,
            (&mut manifest, &mut world, observer),
        )?,
        None => start_anew(&folder, &scene, &measurements, (&manifest, &world))?,
    };
    let pictures = start_pictures(
        &scene,
        (&folder, &manifest),
        &world,
        &first,
        options.threads,
    )?;
    Ok(Opened::Session(Box::new(Session {
        checkpoint_every: scene.output().checkpoint_every,
        checkpoint: manifest.resumed_from.last().copied().unwrap_or(0),
        earlier: manifest.timings.total,
        scene_hash: identity.hash(),
        scene,
        folder,
        manifest,
        world,
        pool,
        stepper,
        measurements,
        recorder,
        before: FrameBuffers::after(&first),
        pictures,
        started,
        _lock: lock,
    })))
}

fn new_manifest(prepared: &Prepared, scene_hash: u64) -> Manifest {
    let estimate = &prepared.built.estimate;
    let hashes = prepared.file_hashes.iter();
    let at_start = estimate
        .bodies
        .iter()
        .map(|b| (b.name.clone(), b.particle_count));
    Manifest {
        program: Manifest::program(),
        version: env!("CARGO_PKG_VERSION").into(),
        status: Status::Running,
        scene_file: prepared.file.clone(),
        scene_hash: format!("{scene_hash:016x}"),
        input_files: hashes
            .map(|(file, hash)| (file.clone(), format!("{hash:016x}")))
            .collect(),
        backend: String::new(),
        threads: 0,
        machine: Machine::this(),
        frames_planned: prepared.scene.frame_count() + 1,
        frames_done: 0,
        simulated_time: 0.0,
        particles_at_start: at_start.collect(),
        particles: estimate.particle_count as usize,
        particles_removed: 0,
        timings: Timings {
            preparation: prepared.seconds,
            stages: BTreeMap::new(),
            ..Timings::default()
        },
        pictured_frames: prepared.scene.frame_count() + 1,
        film: None,
        resumed_from: Vec::new(),
        warnings: prepared
            .built
            .warnings
            .iter()
            .map(ToString::to_string)
            .collect(),
    }
}

fn start_anew(
    folder: &OutputFolder,
    scene: &Scene,
    measurements: &Measurements,
    (manifest, world): (&Manifest, &World),
) -> Result<Recorder, RunError> {
    folder.claim(manifest)?;
    write_scene(scene, folder)?;
    let records = Records {
        frames: FrameContents::of(scene, world),
        layout: measurements.layout(),
    };
    Recorder::create(folder, records)
}

/// Cuts what came after the checkpoint and puts its state into the world.
fn go_on(
    start: Start,
    folder: &OutputFolder,
    scene: &Scene,
    measurements: &Measurements,
    (manifest, world, observer): (&mut Manifest, &mut World, &mut dyn Observer),
) -> Result<Recorder, RunError> {
    let at = (start.state.frame, start.state.time);
    // Before anything is cut that might be wanted still.
    check_tables(folder, measurements.layout(), at.0)?;
    folder.sweep()?;
    // First of all: if anything fails from here on, the way on is to resume this scene.
    write_scene(scene, folder)?;
    folder.cut(at.0)?;
    checkpoint::files(&folder.checkpoints()).remove_after(at.0)?;
    let records = Records {
        frames: FrameContents::of(scene, world),
        layout: measurements.layout(),
    };
    let mut recorder = Recorder::resume(folder, records, at)?;
    if let Some(lacking) = fill(folder, recorder.frames(), at.0, world)? {
        observer.note(&format!(
            "frame {lacking} has no file in a format of output.particles, and none from which one \
             could be written: that takes `vtk`, `ply` or `npz`"
        ));
    }
    world.state = start.state;
    manifest.pictured_frames = start.manifest.frames_to_picture();
    manifest.resumed_from = start.manifest.resumed_from;
    manifest.resumed_from.push(at.0);
    manifest.timings.total = start.manifest.timings.total;
    (manifest.frames_done, manifest.simulated_time) = at;
    manifest.write(&folder.manifest())?;
    Ok(recorder)
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
    threads: usize,
) -> Result<Option<Pictures>, RunError> {
    if !scene.output().preview {
        return Ok(None);
    }
    create_folder(&folder.preview())?;
    let (first, frames) = (first.frame(), manifest.frames_to_picture());
    let settings = settings_of(scene, &world.setup, &first, frames);
    let camera = camera_of(scene, &world.setup, &first, frames);
    Pictures::start(folder.pictures(), settings, camera, threads).map(Some)
}
