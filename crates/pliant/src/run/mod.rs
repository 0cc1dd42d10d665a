//! A run: from a prepared scene to a folder with everything it leaves.
//!
//! | what | where |
//! |---|---|
//! | opening: a new folder, or an old one cut back to its newest checkpoint | `open`, `resume` |
//! | frames one after the other | `session` |
//! | inputs of a window, replayed between them | [`SceneReplay`] |
//! | the folder, written frame after frame | `recording` |
//! | particles, tables, surfaces, pictures of a frame | `recorder`, `meshes`, `pictures` |
//! | the end: checkpoint, film, `run.json`, report | `close`, `film` |
//! | the folder and what is known about a run | [`OutputFolder`], [`Manifest`] |
//!
//! Invariant: after a checkpoint of frame N is written, everything up to frame N is complete on the
//! disk. What comes later can be cut off and computed again to the same bits.

mod close;
mod columns;
mod error;
mod film;
mod folder;
mod identity;
mod lock;
mod manifest;
mod meshes;
mod observer;
mod open;
mod pictures;
mod recorder;
mod recording;
mod replay;
mod resume;
mod series;
mod session;

use std::path::PathBuf;

use pliant_core::world::Setup;
use pliant_io::InputFiles;
use pliant_scene::{Overrides, Scene, SceneErrors, Setting};
use pliant_view::Measurements;

use crate::prepare::{Prepared, read_scene};
use open::Opened;

pub use columns::RunColumns;
pub use error::RunError;
pub use film::{FilmFormat, NoFilm, make_film, missing_frames};
pub use folder::{FILM_NAMES, OutputFolder};
pub use identity::{Change, scene_changes};
pub use lock::FolderLock;
pub use manifest::{Manifest, Status, Timings};
pub use meshes::check_surfaces;
pub use observer::{FrameDone, Observer, Plan, Unobserved};
pub(crate) use open::{Claim, Grown};
pub use pictures::check_pictures;
pub use pliant_view::Layout;
pub(crate) use recording::FolderRecording;
pub use replay::{ReplayError, SceneReplay};
pub(crate) use resume::EDITED;
pub(crate) use series::written_at;
pub use series::{FrameContents, FrameFiles};

/// How a scene is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOptions {
    /// Where everything is written.
    pub folder: PathBuf,
    /// Threads of the simulation; 0 takes one a core.
    pub threads: usize,
    /// Goes on from the newest checkpoint in the folder, if there is one.
    pub resume: bool,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The folder and what is in it.
    pub folder: OutputFolder,
    /// What `run.json` says at the end.
    pub manifest: Manifest,
    /// Frame of the newest checkpoint, 0 for none.
    pub checkpoint: u32,
    /// True if the folder held every frame asked for before, and was left as it is.
    pub was_complete: bool,
}

/// Runs a scene. A run to be resumed that has come as far already, or farther, is left as it is.
///
/// # Errors
/// If the folder holds something else, the scene to be resumed has changed, the simulation cannot go
/// on, or a file cannot be written. A simulation that cannot go on still leaves its report.
pub fn run(
    prepared: Prepared,
    options: &RunOptions,
    observer: &mut dyn Observer,
) -> Result<Summary, RunError> {
    execute((prepared, None), options, observer)
}

/// Runs a scene and does to it what was done in a window, to the same bits.
///
/// # Errors
/// As for [`run`]; if something cannot be done again.
pub fn replay(
    (scene_replay, prepared): (SceneReplay, Prepared),
    options: &RunOptions,
    observer: &mut dyn Observer,
) -> Result<Summary, RunError> {
    execute((prepared, Some(scene_replay)), options, observer)
}

fn execute(
    scene: (Prepared, Option<SceneReplay>),
    options: &RunOptions,
    observer: &mut dyn Observer,
) -> Result<Summary, RunError> {
    let mut session = match open::open(scene, options, observer)? {
        Opened::Session(session) => *session,
        Opened::Complete(summary) => return Ok(*summary),
    };
    let ended = session.advance(observer);
    let layout = session.measurements.layout();
    let state = &session.world.state;
    let to_bytes = || state.to_bytes();
    let left = (state, &to_bytes as _, layout);
    session.recording.close(ended, left, observer)
}

/// Overrides that make a scene run so many frames after the initial one.
///
/// # Errors
/// If the scene cannot be read.
pub fn with_frames(
    path: &std::path::Path,
    overrides: &Overrides,
    frames: u32,
) -> Result<Overrides, SceneErrors> {
    let scene = read_scene(path, overrides)?;
    let duration = f64::from(frames) / scene.frame_rate();
    let mut longer = overrides.clone();
    longer.others.push(Setting {
        assignment: format!("scene.duration={duration:?}"),
        argument: format!("--frames {frames}"),
    });
    Ok(longer)
}

/// The columns that a run of a scene writes.
///
/// # Errors
/// A probe that cannot be measured.
pub fn layout(setup: &Setup, scene: &Scene) -> Result<Layout, RunError> {
    Ok(measurements_of(setup, scene)?.layout().clone())
}

/// What a scene measures, with the meshes of probes read from its folder.
pub(crate) fn measurements_of(setup: &Setup, scene: &Scene) -> Result<Measurements, RunError> {
    Ok(Measurements::new(setup, scene, &InputFiles::default())?)
}
