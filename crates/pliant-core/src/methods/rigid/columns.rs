//! State of rigid bodies beside the particles at their centres of mass.

use pliant_math::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::RigidSetup;
use crate::contacts::KeptImpulse;
use crate::method::{Columns, take_over};

/// State of the method, an entry a rigid body in the order of the setup.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RigidColumns {
    /// Rotation of each shape, a unit quaternion.
    pub rotation: Vec<DQuat>,
    /// Angular velocity in world axes [rad/s].
    pub spin: Vec<DVec3>,
    /// How long each has not moved [s].
    pub time_at_rest: Vec<f64>,
    /// Impulses of the last substep between rigid bodies and with colliders.
    pub kept: Vec<KeptImpulse>,
    /// Length of the last substep [s]; 0 before the first.
    pub last_step: f64,
}

impl RigidColumns {
    /// The state at the start.
    pub fn at_start(setup: &RigidSetup) -> Self {
        let bodies = &setup.bodies;
        Self {
            rotation: bodies.iter().map(|b| b.shape.rotation).collect(),
            spin: bodies.iter().map(|b| b.shape.spin).collect(),
            time_at_rest: vec![0.0; bodies.len()],
            ..Self::default()
        }
    }

    /// Whether they can be those of a setup.
    ///
    /// # Errors
    /// What does not fit.
    pub fn check(&self, setup: &RigidSetup) -> Result<(), String> {
        let count = setup.bodies.len();
        let columns = [
            self.rotation.len(),
            self.spin.len(),
            self.time_at_rest.len(),
        ];
        match columns.iter().all(|&entries| entries == count) {
            true => Ok(()),
            false => Err(format!("it has {} rigid bodies, not {count}", columns[0])),
        }
    }
}

impl Columns for RigidColumns {
    fn continue_from(&mut self, before: Self) {
        take_over(&mut self.rotation, &before.rotation);
        take_over(&mut self.spin, &before.spin);
        take_over(&mut self.time_at_rest, &before.time_at_rest);
        (self.kept, self.last_step) = (before.kept, before.last_step);
    }
}
