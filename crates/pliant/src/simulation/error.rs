//! What can go wrong with a simulation in a program.

use pliant_core::parallel::PoolError;
use pliant_core::step::{MotionError, StepError};
use pliant_core::world::{
    ActivationError, AddError, AttachError, ChangeError, DriveError, RemoveError, SnapshotError,
};
use pliant_render::RenderError;
use pliant_scene::SceneErrors;

use crate::additions::NotAdded;
use crate::run::RunError;

/// Why a simulation cannot be opened, stepped, read or moved.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    /// The scene is wrong.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// A probe cannot be measured, or a recording not be opened or written.
    #[error(transparent)]
    Output(Box<RunError>),
    /// There is no such picture.
    #[error(transparent)]
    Picture(#[from] RenderError),
    /// A recording begins with the first frame.
    #[error(
        "a recording begins at frame 1, and the simulation is at frame {0}: reset it, or start to record before the first step"
    )]
    RecordedLate(u32),
    /// A recording has each frame once.
    #[error("the simulation is at frame {reached}, and the recording expects frame {next}")]
    OtherFrame {
        /// Where the simulation is.
        reached: u32,
        /// What is to be written, or was written last when the recording ends.
        next: u32,
    },
    /// No threads.
    #[error(transparent)]
    Threads(#[from] PoolError),
    /// The simulation cannot go on.
    #[error(transparent)]
    Step(#[from] Box<StepError>),
    /// A step has failed before.
    #[error(
        "a step has failed before, and the state is half-way: restore a saved state, or reset it"
    )]
    Broken,
    /// Who watched a step has broken it off.
    #[error("the step was broken off, and the simulation is as it was before the frame")]
    BrokenOff,
    /// A substep of no length.
    #[error("a substep has a length in seconds greater than 0, not {0}")]
    StepLength(f64),
    /// A name that nothing has.
    #[error("there is no {kind} \"{name}\"; there are {known}")]
    Unknown {
        /// Of what kind: "body", "collider", "column".
        kind: &'static str,
        /// The name.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// An id that no particle has.
    #[error("there is no particle of the id {0}: it has left the world, or there never was one")]
    UnknownParticle(u32),
    /// A collider that is nowhere.
    #[error("collider \"{0}\" is gone")]
    Gone(String),
    /// A number that is none.
    #[error("{what} must be finite, not {value}")]
    NotFinite {
        /// What it is.
        what: &'static str,
        /// What was given.
        value: String,
    },
    /// A particle cannot be where it was put, or move as it was told.
    #[error(transparent)]
    Motion(#[from] MotionError),
    /// A collider cannot be driven.
    #[error("collider \"{name}\": {error}")]
    Drive {
        /// Its name.
        name: String,
        /// Why.
        error: DriveError,
    },
    /// A muscle cannot be driven.
    #[error(transparent)]
    Activation(#[from] ActivationError),
    /// A constant cannot change.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// Nothing can be added.
    #[error(transparent)]
    Add(#[from] AddError),
    /// A body cannot be removed.
    #[error(transparent)]
    Remove(#[from] RemoveError),
    /// Particles cannot be attached or released.
    #[error(transparent)]
    Attach(#[from] AttachError),
    /// A holder of the other kind.
    #[error(
        "\"{0}\" cannot hold particles so: name colliders with AttachTo::Collider, and rigid bodies with AttachTo::Rigid"
    )]
    OtherHolder(String),
    /// A recording goes on with the bodies that it has.
    #[error(
        "the simulation was put back to a state without bodies that are in the recording: restore one that has them, or record anew"
    )]
    RecordedBodies,
    /// Bytes that hold no state of the scene.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
}

impl From<NotAdded> for SimulationError {
    fn from(error: NotAdded) -> Self {
        match error {
            NotAdded::Scene(errors) => errors.into(),
            NotAdded::World(error) => error.into(),
        }
    }
}

impl From<RunError> for SimulationError {
    fn from(error: RunError) -> Self {
        Self::Output(Box::new(error))
    }
}

impl SimulationError {
    /// For a name that is not among those that there are.
    pub(super) fn unknown<'a>(
        kind: &'static str,
        name: &str,
        known: impl Iterator<Item = &'a str>,
    ) -> Self {
        let known: Vec<String> = known.map(|name| format!("\"{name}\"")).collect();
        Self::Unknown {
            kind,
            name: name.to_owned(),
            known: match known.is_empty() {
                true => "none".to_owned(),
                false => known.join(", "),
            },
        }
    }
}
