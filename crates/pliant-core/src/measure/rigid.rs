//! How rigid bodies turn, and where their colliders are.

use pliant_math::{DVec3, Pose};

use crate::methods::rigid::{RigidColumns, RigidSetup};
use crate::world::World;

/// How a rigid body turns.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Turning {
    /// Kinetic energy of its rotation [J].
    pub energy: f64,
    /// Angular momentum about its centre of mass [kg m2/s].
    pub momentum: DVec3,
}

impl Turning {
    /// That of each body; 0 for those that are not rigid.
    pub fn of_bodies(world: &World) -> Vec<Self> {
        let mut turnings = vec![Self::default(); world.setup.bodies.len()];
        let Some(columns) = world.state.methods.find::<RigidColumns>() else {
            return turnings;
        };
        for (number, body) in RigidSetup::of(&world.setup).bodies.iter().enumerate() {
            let (spin, rotation) = (columns.spin[number], columns.rotation[number]);
            let own = body.shape.inertia * (rotation.conjugate() * spin);
            let momentum = rotation * own;
            turnings[body.body as usize] = Self {
                energy: 0.5 * spin.dot(momentum),
                momentum,
            };
        }
        turnings
    }
}

impl World {
    /// Where a collider is now; `None` for a rigid body that has left the world.
    pub fn collider_pose(&self, index: usize) -> Option<Pose> {
        pose(self, &RigidSetup::of(&self.setup), index)
    }

    /// The same for all colliders.
    pub(crate) fn collider_poses(&self) -> Vec<Option<Pose>> {
        let rigid = RigidSetup::of(&self.setup);
        let indices = 0..self.setup.colliders.len();
        indices.map(|index| pose(self, &rigid, index)).collect()
    }
}

fn pose(world: &World, rigid: &RigidSetup, index: usize) -> Option<Pose> {
    let World { setup, state } = world;
    match index.checked_sub(setup.first_rigid()) {
        Some(number) => rigid.pose(number, &state.particles, state.methods.of()),
        None => Some(state.pose_of_collider(setup, index, state.time)),
    }
}
