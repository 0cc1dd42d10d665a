//! The world: what never changes, and what moves.

mod render_mesh;
mod setup;
mod snapshot;
mod state;

pub use crate::constraints::Ordering;
pub use crate::methods::cloth::{ALTERNATING_DIAGONALS, Fabric};
pub use crate::methods::fluid::FluidSettings;
pub use crate::methods::springs::{Network, SpringsSettings};
pub use crate::methods::strain_energy::{EnergyConstraint, RestShape, StrainEnergySettings};
pub use crate::methods::xpbi::{
    Correction, GradientPrecision, Multiplier, Plasticity, XpbiSettings,
};
pub use render_mesh::RenderMesh;
pub use setup::{Body, Bounds, Emitter, InitialParticles, Material, OnExit, Setup, SolverSettings};
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
