//! The world: what never changes, and what moves.

mod account;
mod methods;
mod render_mesh;
mod setup;
mod snapshot;
mod state;

pub use crate::constraints::Ordering;
pub use crate::methods::cloth::{ALTERNATING_DIAGONALS, Fabric};
pub use crate::methods::fluid::FluidSettings;
use crate::methods::rigid::RigidColumns;
pub use crate::methods::rigid::{RigidEngineSource, RigidShape};
pub use crate::methods::springs::{Network, Spring, SpringClass, SpringsSettings};
pub use crate::methods::strain_energy::{EnergyConstraint, RestShape, StrainEnergySettings};
pub use crate::methods::xpbi::{
    Correction, GradientPrecision, Multiplier, Plasticity, XpbiSettings,
};
pub use account::{Balance, EnergyAccount, Refinement, Work};
pub use render_mesh::RenderMesh;
pub use setup::{Body, Bounds, Emitter, InitialParticles, Material, OnExit, Setup, SolverSettings};
pub use snapshot::SnapshotError;
pub use state::State;

use pliant_math::Pose;

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

    /// Kinetic energy [J] of the rotation of the rigid body whose particle has an id; 0 if there is none.
    pub(crate) fn turning_energy(&self, id: u32) -> f64 {
        let (bodies, columns) = (
            self.setup.rigid().bodies,
            self.state.methods.of::<RigidColumns>(),
        );
        let Some(number) = bodies.iter().position(|body| body.id == id) else {
            return 0.0;
        };
        let spin = columns.rotation[number].conjugate() * columns.spin[number];
        0.5 * spin.dot(bodies[number].shape.inertia * spin)
    }

    /// Where a collider is now; `None` for a rigid body that has left the world.
    pub fn collider_pose(&self, index: usize) -> Option<Pose> {
        let Self { setup, state } = self;
        match index.checked_sub(setup.first_rigid()) {
            Some(number) => {
                setup
                    .rigid()
                    .pose(number, &state.particles, state.methods.of::<RigidColumns>())
            }
            None => Some(setup.colliders[index].motion.pose(state.time)),
        }
    }
}
