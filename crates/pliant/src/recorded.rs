//! The frames of a run, read back from its files with the scenery that they do not hold.

use std::borrow::BorrowMut;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pliant_core::measure::{Frame, FrameBuffers, ROTATION, Wanted};
use pliant_core::methods::rigid::{RigidColumns, RigidSetup};
use pliant_core::world::{InitialParticles, Setup, State, World};
use pliant_io::FileError;
use pliant_io::export::{
    FrameFileError, FrameProblem, ParticleFrame, PlacedBy, SceneCollider, SceneFacts, UpAxis,
    list_frames, read_frame, surface_file,
};
use pliant_math::{DQuat, DVec3};
use pliant_scene::{Scene, SceneErrors};

use crate::additions::RunWorld;
use crate::run::OutputFolder;

/// Why frames cannot be read back.
#[derive(Debug, thiserror::Error)]
pub enum RecordedError {
    /// The folder holds no run.
    #[error("`{}` holds no run of Pliant: {source}", folder.display())]
    NoRun {
        /// The folder.
        folder: PathBuf,
        /// What is missing.
        source: FileError,
    },
    /// There are no frames.
    #[error(
        "`{}` has no particle frames{which} that can be read; run the scene with output.particles, \
         which names `vtk`, `ply` or `npz`", folder.display()
    )]
    NoFrames {
        /// The folder.
        folder: PathBuf,
        /// Which were asked for.
        which: String,
    },
    /// The first frame asked for comes after the last.
    #[error("there are no frames from {first} to {last}; the first must not come after the last")]
    Frames {
        /// The first.
        first: u32,
        /// The last.
        last: u32,
    },
    /// A particle file cannot be read.
    #[error(transparent)]
    Frame(#[from] FrameFileError),
    /// A particle file is not of this scene.
    #[error("`{}` does not fit the scene beside it: {problem}", path.display())]
    Problem {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        problem: FrameProblem,
    },
    /// What was added to the scene cannot be read.
    #[error(transparent)]
    Additions(#[from] SceneErrors),
    /// The folder cannot be listed.
    #[error(transparent)]
    File(#[from] FileError),
}

impl RecordedError {
    /// True if the arguments are wrong: another folder, other frames.
    pub fn is_about_arguments(&self) -> bool {
        matches!(
            self,
            Self::NoRun { .. } | Self::NoFrames { .. } | Self::Frames { .. }
        )
    }
}

/// Numbers and files of the frames of a run that can be read, those from the first to the last asked
/// for, at least one.
///
/// # Errors
/// If there are none.
pub fn chosen_files(
    folder: &OutputFolder,
    frames: Option<[u32; 2]>,
) -> Result<Vec<(u32, PathBuf)>, RecordedError> {
    let [first, last] = frames.unwrap_or([0, u32::MAX]);
    if first > last {
        return Err(RecordedError::Frames { first, last });
    }
    let mut files = list_frames(&folder.particles())?;
    files.retain(|(number, _)| (first..=last).contains(number));
    if files.is_empty() {
        let which = frames.map_or(String::new(), |[a, b]| format!(" from {a} to {b}"));
        let folder = folder.root().to_owned();
        return Err(RecordedError::NoFrames { folder, which });
    }
    Ok(files)
}

/// What the files of all frames of a scene are written with.
///
/// * `start` — the world before its first substep
pub fn scene_facts(scene: &Scene, start: &World) -> SceneFacts {
    let setup = &start.setup;
    let mut buffers = FrameBuffers::default();
    buffers.update_wanted(start, Wanted::MOTION);
    let frame = buffers.frame();
    let bodies = (0..).zip(&setup.bodies);
    let with_uv = bodies.clone().filter(|(_, body)| has_uv(&body.particles));
    let with_surface = bodies.filter(|(_, body)| body.particles.render_mesh.is_some());
    SceneFacts {
        frame_rate: scene.frame_rate(),
        up: match scene.up() == DVec3::Z {
            true => UpAxis::Z,
            false => UpAxis::Y,
        },
        with_triangles: bodies_with_triangles(&frame),
        with_surface: with_surface.map(|(index, _)| index).collect(),
        with_uv: with_uv.map(|(index, _)| index).collect(),
        colliders: scene_colliders(setup),
        bodies: frame.bodies.to_vec(),
        bodies_at_start: frame.bodies.len(),
        later_quantities: Vec::new(),
    }
}

/// The same of a run, with what was added to its scene.
pub(crate) fn facts_of_run(scene: &Scene, run: &RunWorld) -> SceneFacts {
    let whole = World::new(Arc::clone(run.whole()));
    let facts = scene_facts(scene, &whole);
    if !run.is_grown() {
        return facts;
    }
    let mut buffers = FrameBuffers::default();
    buffers.update(&whole);
    let quantities = buffers.frame().quantities.iter();
    SceneFacts {
        bodies_at_start: run.bodies_at_start(),
        later_quantities: quantities.map(|quantity| quantity.name).collect(),
        ..facts
    }
}

/// Whether the triangles of a body, or those of the surface that it carries, have texture coordinates.
fn has_uv(particles: &InitialParticles) -> bool {
    let surface = particles.render_mesh.as_ref();
    particles.uv_map.is_some() || surface.is_some_and(|surface| surface.uv_map.is_some())
}

fn bodies_with_triangles(frame: &Frame<'_>) -> Vec<u32> {
    let of_triangle = |corners: &[u32; 3]| frame.body[corners[0] as usize];
    let bodies: BTreeSet<u32> = frame.triangles.iter().map(of_triangle).collect();
    bodies.into_iter().collect()
}

fn scene_colliders(setup: &Setup) -> Vec<SceneCollider> {
    let rigid = RigidSetup::of(setup);
    let first_rigid = setup.first_rigid();
    let colliders = setup.colliders.iter().enumerate();
    let collider = |(index, collider): (usize, &pliant_core::boundaries::Collider)| {
        let body = index.checked_sub(first_rigid);
        let body = body.and_then(|number| rigid.bodies.get(number));
        SceneCollider {
            name: collider.name.clone(),
            shape: collider.shape.clone(),
            color: collider.color,
            opacity: collider.opacity,
            gloss: collider.gloss,
            placed_by: match body {
                Some(body) => PlacedBy::Body {
                    body: body.body,
                    center: body.shape.center,
                },
                None => PlacedBy::Collider(index),
            },
        }
    };
    colliders.map(collider).collect()
}

/// A frame read back. Only one is held at a time. `W` is the world of the run, or a mutable reference to it.
#[derive(Debug)]
pub struct Recorded<W> {
    world: W,
    scenery: FrameBuffers,
    path: PathBuf,
    particles: ParticleFrame,
    surface: Option<ParticleFrame>,
}

impl<W: BorrowMut<RunWorld>> Recorded<W> {
    /// Reads frames of a run.
    pub fn of(world: W) -> Self {
        Self {
            world,
            scenery: FrameBuffers::default(),
            path: PathBuf::new(),
            particles: ParticleFrame::default(),
            surface: None,
        }
    }

    /// Reads the frame in a file of a run's folder.
    ///
    /// # Errors
    /// If its files cannot be read.
    pub fn read(&mut self, folder: &OutputFolder, file: &Path) -> Result<(), RecordedError> {
        self.path = file.to_owned();
        self.particles = read_frame(file)?;
        let surface = surface_file(&folder.surface(), self.particles.number);
        self.surface = surface.map(|file| read_frame(&file)).transpose()?;
        let frame = &self.particles;
        let world = self.world.borrow_mut();
        world.see(frame.number, &frame.body_names)?;
        let world = world.at(frame.number);
        pose_rigid_bodies(world, frame);
        self.scenery.update(world);
        Ok(())
    }

    /// The particles.
    ///
    /// # Errors
    /// If they are not of this scene.
    pub fn frame(&self) -> Result<Frame<'_>, RecordedError> {
        self.with_scenery(&self.particles)
    }

    /// The surfaces that bodies carry, if there are any.
    ///
    /// # Errors
    /// As [`frame`](Self::frame).
    pub fn surface(&self) -> Result<Option<Frame<'_>>, RecordedError> {
        let surface = self.surface.as_ref();
        surface.map(|frame| self.with_scenery(frame)).transpose()
    }

    fn with_scenery<'a>(&'a self, read: &'a ParticleFrame) -> Result<Frame<'a>, RecordedError> {
        let scenery = self.scenery.frame();
        let frame = read.frame(scenery.bodies, scenery.colliders);
        frame.map_err(|problem| RecordedError::Problem {
            path: self.path.clone(),
            problem,
        })
    }
}

/// Brings rigid bodies to where a file of particles has them; those that it does not have are gone.
/// The state holds no other particles.
fn pose_rigid_bodies(world: &mut World, frame: &ParticleFrame) {
    let setup = &world.setup;
    let rigid = RigidSetup::of(setup);
    let mut state = State::empty(setup);
    state.time = frame.time;
    let components = ROTATION.map(|name| frame.quantities.iter().find(|q| q.name == name));
    for (number, body) in rigid.bodies.iter().enumerate() {
        let Some(row) = frame.id.iter().position(|&id| id == body.id) else {
            continue;
        };
        state.next_id = body.id;
        state.add(setup, body.body, frame.position[row], DVec3::ZERO, false);
        let component = |axis: usize| components[axis].map(|q| f64::from(q.values[row]));
        if let [Some(x), Some(y), Some(z), Some(w)] = [0, 1, 2, 3].map(component) {
            state.methods.of_mut::<RigidColumns>().rotation[number] =
                DQuat::from_xyzw(x, y, z, w).normalize();
        }
    }
    world.state = state;
}
