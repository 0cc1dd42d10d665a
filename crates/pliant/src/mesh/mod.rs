//! Surfaces of what is made of loose particles, from the frames of a run: water, sand, snow, goo. One
//! frame is in memory at a time.

mod columns;

use std::path::PathBuf;

use pliant_core::measure::{Frame, FrameBody};
use pliant_core::method::DrawnAs;
use pliant_core::parallel::{Pool, PoolError};
use pliant_core::world::World;
use pliant_io::export::{EXPORTERS, PlacedBy, SceneFacts, exporter};
use pliant_io::remove_partial_files;
use pliant_scene::{Overrides, SceneErrors};
use pliant_surface::SurfaceError;

use crate::prepare::Prepared;
use crate::recorded::{Recorded, RecordedError, chosen_files};
use crate::run::{
    FolderLock, FrameContents, FrameFiles, Manifest, OutputFolder, RunError, missing_frames,
    written_at,
};

/// Which surfaces are made, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshOptions {
    /// Names of formats.
    pub formats: Vec<String>,
    /// First and last frame; all if missing.
    pub frames: Option<[u32; 2]>,
    /// Of which bodies.
    pub of: MeshOf,
    /// Edge of the cubes, in spacings of the particles.
    pub cube_size: f64,
    /// Passes of smoothing.
    pub smoothing_passes: u32,
    /// Where to; into the run's own folder if missing.
    pub out: Option<PathBuf>,
    /// Threads; one a core if missing.
    pub threads: Option<u16>,
}

/// Of which bodies surfaces are made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum MeshOf {
    /// All that are shown as particles.
    #[default]
    All,
    /// One, by its name.
    Body(String),
    /// Those of a material, by its name.
    Material(String),
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
    /// There is nothing of that name.
    #[error("there is no {what} `{name}` that is shown as particles; there are {known}")]
    Unknown {
        /// "body" or "material".
        what: &'static str,
        /// What was asked for.
        name: String,
        /// The names that would do.
        known: String,
    },
    /// All bodies have a surface already.
    #[error("no body of this scene is shown as particles: all have triangles or a surface already")]
    Nothing,
    /// The frames cannot be read.
    #[error(transparent)]
    Recorded(#[from] RecordedError),
    /// No surface can be made of a frame.
    #[error("frame {frame}, material `{material}`: {error}")]
    Surface {
        /// Number of the frame.
        frame: u32,
        /// Material of the particles.
        material: String,
        /// What is wrong.
        error: SurfaceError,
    },
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
            Self::Format { .. } | Self::Unknown { .. } | Self::Nothing => true,
            Self::Surface { error, .. } => matches!(error, SurfaceError::Setting { .. }),
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
    let prepared = Prepared::read(&folder.scene(), &Overrides::default())?;
    let files = chosen_files(folder, options.frames)?;
    let to = OutputFolder::new(options.out.as_deref().unwrap_or(folder.root()));
    let mut world = World::new(prepared.built.setup);
    let contents = FrameContents {
        formats: options.formats.clone(),
        ..FrameContents::of(&prepared.scene, &world)
    };
    let mut recorded = Recorded::of(&mut world);
    recorded.read(folder, &files[0].1)?;
    let chosen = chosen_bodies(&recorded.frame()?, &contents.scene, &options.of)?;
    let bodies = shown_bodies(recorded.frame()?.bodies, &chosen);
    let _lock = FolderLock::take(to.root())?;
    remove_partial_files(&to.mesh()).map_err(RunError::from)?;
    let contents = FrameContents {
        scene: facts_of_meshes(contents.scene, &chosen),
        ..contents
    };
    let mut frames = FrameFiles::open_meshes(&to, contents)?;
    let mut written = 0;
    for (done, (number, file)) in files.iter().enumerate() {
        let since = written_at(file);
        if !frames.has(*number, since) {
            recorded.read(folder, file)?;
            let particles = recorded.frame()?;
            let made = pool.run(|| columns::surfaces(&particles, &chosen, options))?;
            let frame = Frame {
                bodies: &bodies,
                ..made.shown_in(&particles)
            };
            frames.write_missing(&frame, None, since)?;
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

/// Whether a surface is made of each body.
fn chosen_bodies(
    frame: &Frame<'_>,
    scene: &SceneFacts,
    of: &MeshOf,
) -> Result<Vec<bool>, MeshError> {
    let is_loose = |(index, body): (u32, &FrameBody)| {
        body.drawn_as == DrawnAs::Particles
            && !scene.with_triangles.contains(&index)
            && !scene.with_surface.contains(&index)
    };
    let mut chosen: Vec<bool> = (0..).zip(frame.bodies).map(is_loose).collect();
    let known = |names: Vec<&str>| match names.is_empty() {
        true => "none".to_owned(),
        false => names.join(", "),
    };
    match of {
        MeshOf::All if !chosen.contains(&true) => return Err(MeshError::Nothing),
        // Materials stand with the particles, as bodies may be born later.
        MeshOf::All => {}
        MeshOf::Material(name) => {
            if !frame.material_names.contains(name) {
                let names = frame.material_names.iter().map(String::as_str).collect();
                return Err(MeshError::Unknown {
                    what: "material",
                    name: name.clone(),
                    known: known(names),
                });
            }
        }
        MeshOf::Body(name) => {
            let loose = chosen.iter().zip(frame.bodies).filter(|(is, _)| **is);
            let names: Vec<&str> = loose.map(|(_, body)| body.name.as_str()).collect();
            if !names.contains(&name.as_str()) {
                return Err(MeshError::Unknown {
                    what: "body",
                    name: name.clone(),
                    known: known(names),
                });
            }
            let is_it = frame.bodies.iter().map(|body| body.name == *name);
            chosen
                .iter_mut()
                .zip(is_it)
                .for_each(|(chosen, is_it)| *chosen &= is_it);
        }
    }
    Ok(chosen)
}

/// The bodies as files of surfaces show them: by triangles, or not at all.
fn shown_bodies(bodies: &[FrameBody], chosen: &[bool]) -> Vec<FrameBody> {
    let shown = bodies.iter().zip(chosen).map(|(body, chosen)| FrameBody {
        drawn_as: match chosen {
            true => DrawnAs::Triangles,
            false => DrawnAs::Collider,
        },
        ..body.clone()
    });
    shown.collect()
}

/// The scene without what is in other files. Rigid bodies go too: the particles that place them do.
fn facts_of_meshes(mut scene: SceneFacts, chosen: &[bool]) -> SceneFacts {
    let bodies = (0..).zip(chosen).filter(|(_, chosen)| **chosen);
    scene.with_triangles = bodies.map(|(index, _)| index).collect();
    scene.with_surface.clear();
    let is_collider = |placed_by: &PlacedBy| matches!(placed_by, PlacedBy::Collider(_));
    scene.colliders.retain(|c| is_collider(&c.placed_by));
    scene
}
