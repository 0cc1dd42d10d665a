//! The world: what never changes, and what moves.

mod account;
mod kind;
mod render_mesh;
mod settings;
mod setup;
mod snapshot;
mod state;

pub use crate::constraints::Ordering;
pub use account::{Balance, EnergyAccount, Refinement, Work};
pub use kind::{MethodKind, NumberedBody};
pub use render_mesh::RenderMesh;
pub use settings::{MethodSettings, Settings, SolverSettings};
pub use setup::{Body, Bounds, Emitter, InitialParticles, Material, OnExit, Setup, Structure};
pub use snapshot::SnapshotError;
pub use state::State;

/// A world: its constants and what moves.
#[derive(Clone, Debug)]
pub struct World {
    /// What never changes during a run.
    pub setup: Setup,
    /// What moves.
    pub state: State,
}

impl World {
    /// The world of a setup at its start.
    pub fn new(setup: Setup) -> Self {
        let state = State::initial(&setup);
        Self { setup, state }
    }
}
