//! The world: what never changes, and what moves.

mod account;
mod methods;
mod render_mesh;
mod setup;
mod snapshot;
mod state;

pub use crate::constraints::Ordering;
pub use crate::methods::fluid::FluidSettings;
use crate::methods::rigid::RigidColumns;
pub use crate::methods::rigid::{RigidEngineSource, RigidShape};
pub use crate::methods::springs::{Network, Spring, SpringClass, SpringsSettings};
pub use crate::methods::strain_energy::{EnergyConstraint, StrainEnergySettings};
pub use crate::methods::xpbi::{
    GradientPrecision, Multiplier, PlasticityScheme, PositionCorrection, XpbiSettings,
};
pub use account::{Balance, EnergyAccount, Refinement, Work};
pub use render_mesh::RenderMesh;
pub use setup::{Body, Bounds, Emitter, InitialParticles, Material, OnExit, Setup, SolverSettings};
pub use snapshot::SnapshotError;
pub use state::State;

use pliant_math::{DVec3, Pose};

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

    /// Kinetic energy [J] of the rotation of a body; 0 if it is not rigid.
    pub(crate) fn turning_energy(&self, body: u32) -> f64 {
        let turning = self.turning(body);
        turning.map_or(0.0, |(spin, momentum)| 0.5 * spin.dot(momentum))
    }

    /// Angular momentum [kg m2/s] of a body about its centre of mass; 0 if it is not rigid.
    pub(crate) fn turning_momentum(&self, body: u32) -> DVec3 {
        let turning = self.turning(body);
        turning.map_or(DVec3::ZERO, |(_, momentum)| momentum)
    }

    /// Angular velocity [rad/s] and momentum of a rigid body.
    fn turning(&self, body: u32) -> Option<(DVec3, DVec3)> {
        let (before, after) = self.setup.bodies.split_at(body as usize);
        let shape = after.first()?.particles.rigid.as_ref()?;
        let is_rigid = |body: &&Body| body.particles.rigid.is_some();
        let number = before.iter().filter(is_rigid).count();
        let columns = self.state.methods.of::<RigidColumns>();
        let (spin, rotation) = (columns.spin[number], columns.rotation[number]);
        let own = shape.inertia * (rotation.conjugate() * spin);
        Some((spin, rotation * own))
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
