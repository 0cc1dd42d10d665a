//! The world: its constants, and what moves.

mod account;
mod activation;
mod attach;
mod bodies;
mod change;
mod drive;
mod kind;
mod look;
mod moved;
mod settings;
mod setup;
mod snapshot;
mod state;

pub use crate::constraints::Ordering;
pub use account::{Balance, EnergyAccount, Refinement, Work};
pub use activation::ActivationError;
pub use attach::AttachError;
pub use bodies::{AddError, Addition, GrowEngine, RemoveError};
pub use change::ChangeError;
pub(crate) use drive::pose_of_collider;
pub use drive::{Drive, DriveError};
pub use kind::{MethodKind, NumberedBody};
pub use look::{Look, ShownAs};
pub use moved::MovedParticles;
pub use pliant_embedding::RenderMesh;
pub use settings::{MethodSettings, Settings, SolverSettings};
pub use setup::{
    Body, BodyGrain, Bounds, Emitter, InitialParticles, Material, OnExit, Setup, Structure,
};
pub use snapshot::SnapshotError;
pub use state::State;

use std::sync::Arc;

/// A world: its constants and what moves.
#[derive(Clone, Debug)]
pub struct World {
    /// What never changes during a substep. Steppers see that it is another one, by its address:
    /// [`World::change`] changes it between substeps.
    pub setup: Arc<Setup>,
    /// What moves.
    pub state: State,
}

impl World {
    /// The world of a setup at its start.
    pub fn new(setup: impl Into<Arc<Setup>>) -> Self {
        let setup = setup.into();
        let state = State::initial(&setup);
        Self { setup, state }
    }
}
