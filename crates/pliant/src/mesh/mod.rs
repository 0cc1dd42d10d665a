//! Surfaces of what is made of loose particles, from the frames of a run: water, sand, snow, goo. One
//! frame is in memory at a time.

use std::path::PathBuf;
use std::sync::Arc;

use pliant_core::measure::{FrameBuffers, Wanted};
use pliant_core::parallel::{Pool, PoolError};
use pliant_core::world::{Setup, World};
use pliant_io::export::{EXPORTERS, exporter};
use pliant_io::remove_partial_files;
use pliant_scene::SceneErrors;
use pliant_surface::SurfaceError;

use crate::additions::RunScene;
use crate::particle_surface::SurfaceMaker;
use crate::recorded::{Recorded, RecordedError, chosen_files};
use crate::run::{
    FolderLock, FrameContents, FrameFiles, Manifest, OutputFolder, RunError, missing_frames,
    written_at,
};

pub use crate::particle_surface::{NoSurface, SurfaceOf, SurfaceRequest, UnknownSurface};

/// Which surfaces are made, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshOptions {
    /// Names of formats.
    pub formats: Vec<String>,
    /// First and last frame; all if missing.
    pub frames: Option<[u32; 2]>,
    /// Which; if empty, those that the scene asks for, or all if it asks for none.
    pub surfaces: Vec<SurfaceRequest>,
    /// Where to; into the run's own folder if missing.
    pub out: Option<PathBuf>,
    /// Threads; one a core if missing.
    pub threads: Option<u16>,
}

/// Why surfaces could not be made.
#[derive(Debug, thiserror::Error)]
pub enum MeshError {
    /// The folder's scene is wrong.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// A format that cannot hold a surface, or is none.
    #[error(
        "surfaces are not written as `{name}`; they are as {}",
        mesh_format_names()
    )]
    Format {
        /// What was asked for.
        name: String,
    },
    /// There is nothing that a surface could be around.
    #[error(transparent)]
    Unknown(#[from] UnknownSurface),
    /// The frames cannot be read.
    #[error(transparent)]
    Recorded(#[from] RecordedError),
    /// No surface can be made of a frame.
    #[error(transparent)]
    Surface(#[from] NoSurface),
    /// A file cannot be written, or another process writes there.
    #[error(transparent)]
    Run(#[from] RunError),
    /// There are no threads.
    #[error(transparent)]
    Pool(#[from] PoolError),
}

impl MeshError {
    /// True if the arguments are wrong.
    pub fn is_about_arguments(&self) -> bool {
        match self {
            Self::Format { .. } | Self::Unknown(_) => true,
            Self::Surface(none) => matches!(none.error, SurfaceError::Setting { .. }),
            Self::Recorded(error) => error.is_about_arguments(),
            _ => false,
        }
    }
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meshed {
    /// The folder of the surfaces.
    pub folder: PathBuf,
    /// Frames that were written.
    pub written: usize,
    /// Frames whose files were there already, and newer than those of the run.
    pub kept: usize,
    /// Frames that have no particle file to be read: `3, 5 to 7`.
    pub missing: Option<String>,
}

/// Makes the surfaces of a run's frames, a file a frame and format, without those that are there already.
/// `progress` is called with the frames done and their number.
///
/// # Errors
/// If the folder holds no run or no frames that can be read, nothing in it is shown as particles, or a
/// file cannot be read or written; every file under its name is whole then.
pub fn mesh(
    folder: &OutputFolder,
    options: &MeshOptions,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Meshed, MeshError> {
    check_formats(&options.formats)?;
    let no_run = |source| RecordedError::NoRun {
        folder: folder.root().to_owned(),
        source,
    };
    let manifest = Manifest::read(&folder.manifest()).map_err(no_run)?;
    let pool = Pool::new(options.threads.map_or(0, usize::from))?;
    let RunScene { scene, mut world } = RunScene::read(folder)?;
    let files = chosen_files(folder, options.frames)?;
    let to = OutputFolder::new(options.out.as_deref().unwrap_or(folder.root()));
    let contents = FrameContents {
        formats: options.formats.clone(),
        ..FrameContents::of_run(&scene, &world)
    };
    let requests = requests(options, scene.surfaces());
    let maker = maker_of(requests, world.whole(), &contents)?;
    let mut recorded = Recorded::of(&mut world);
    let _lock = FolderLock::take(to.root())?;
    remove_partial_files(&to.mesh()).map_err(RunError::from)?;
    let contents = FrameContents {
        scene: maker.facts(contents.scene),
        ..contents
    };
    let mut frames = FrameFiles::open_meshes(&to, contents, f64::INFINITY)?;
    let mut written = 0;
    for (done, (number, file)) in files.iter().enumerate() {
        let since = written_at(file);
        if !frames.has(*number, since) {
            recorded.read(folder, file)?;
            let particles = recorded.frame()?;
            let made = pool.run(|| maker.make(&particles))?;
            frames.write_missing(&maker.show(&made, &particles), None, since)?;
            written += 1;
        }
        progress(done + 1, files.len());
    }
    let numbers: Vec<u32> = files.iter().map(|(number, _)| *number).collect();
    let [first, last] = options.frames.unwrap_or([1, u32::MAX]);
    Ok(Meshed {
        folder: to.mesh(),
        written,
        kept: files.len() - written,
        missing: missing_frames(&numbers, first.max(1), last.min(manifest.frames_done)),
    })
}

/// What makes surfaces of frames that have some bodies of a setup, or all.
fn maker_of(
    requests: Vec<SurfaceRequest>,
    whole: &Arc<Setup>,
    contents: &FrameContents,
) -> Result<SurfaceMaker, UnknownSurface> {
    let mut all = FrameBuffers::default();
    all.update_wanted(&World::new(Arc::clone(whole)), Wanted::MOTION);
    let maker = SurfaceMaker::new(requests, &all.frame(), &contents.scene);
    maker.map_err(|(_, why)| why)
}

/// What is asked for, by whoever says something about it.
fn requests(options: &MeshOptions, of_scene: Vec<pliant_scene::Surface>) -> Vec<SurfaceRequest> {
    let asked = match options.surfaces.is_empty() {
        true => SurfaceRequest::of_scene(of_scene),
        false => options.surfaces.clone(),
    };
    match asked.is_empty() {
        true => vec![SurfaceRequest::default()],
        false => asked,
    }
}

fn check_formats(names: &[String]) -> Result<(), MeshError> {
    let is_known = |name: &&String| exporter(name).is_some_and(|e| e.holds_triangles);
    match names.iter().find(|name| !is_known(name)) {
        Some(name) => Err(MeshError::Format { name: name.clone() }),
        None => Ok(()),
    }
}

/// The formats that surfaces are written in, for people: "vtk, ply, npz".
pub fn mesh_format_names() -> String {
    let with_triangles = EXPORTERS.iter().filter(|e| e.holds_triangles);
    let names: Vec<&str> = with_triangles.map(|e| e.name).collect();
    names.join(", ")
}
