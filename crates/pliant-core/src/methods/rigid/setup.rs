//! Constants of the method from its bodies.

use std::sync::Arc;

use pliant_math::{DMat3, DQuat, DVec3, Pose, Real, to_real};

use super::{RIGID, RigidColumns};
use crate::contacts::{Grain, RigidEngineSource};
use crate::particles::Particles;
use crate::world::{BodyGrain, NumberedBody, Setup};

/// What of a rigid body never changes.
#[derive(Clone, Debug)]
pub struct RigidShape {
    /// Centre of mass in the coordinates of its collider [m].
    pub center: DVec3,
    /// Moment of inertia about that, in the axes of its collider [kg m2], positive definite.
    pub inertia: DMat3,
    /// Greatest distance of its surface from the centre of mass [m].
    pub extent: f64,
    /// Rotation of its collider at the start.
    pub rotation: DQuat,
    /// Angular velocity at the start, in world axes [rad/s].
    pub spin: DVec3,
}

/// Constants of a rigid body.
#[derive(Clone, Debug)]
pub struct RigidBody {
    /// Index of the body.
    pub body: u32,
    /// Stable id of its particle.
    pub id: u32,
    /// Its shape.
    pub shape: Arc<RigidShape>,
    /// Where its friction is another along an axis, in the axes of its collider.
    pub grain: Option<BodyGrain>,
}

impl RigidBody {
    /// Where its friction is another along an axis, as that points when it is turned so.
    pub(super) fn grain_turned(&self, rotation: DQuat) -> Option<Grain> {
        self.grain.map(|grain| Grain {
            axis: to_real(rotation * grain.axis),
            factor: grain.factor as Real,
        })
    }
}

/// Constants of the method.
#[derive(Clone, Debug, Default)]
pub struct RigidSetup {
    /// The rigid bodies; their colliders are the last of the world, in this order.
    pub bodies: Vec<RigidBody>,
    /// What moves them; there is one if there are bodies.
    pub engine: Option<Arc<dyn RigidEngineSource>>,
}

impl RigidSetup {
    /// What a setup tells of it.
    pub fn of(setup: &Setup) -> Self {
        let of_body = |numbered: NumberedBody<'_>| {
            let shape: Arc<RigidShape> = numbered.body.particles.structure_of()?;
            let to_local = shape.rotation.conjugate();
            Some(RigidBody {
                body: numbered.number,
                id: numbered.first_id,
                grain: numbered.body.grain.map(|grain| BodyGrain {
                    axis: to_local * grain.axis,
                    ..grain
                }),
                shape,
            })
        };
        Self {
            bodies: setup.bodies_of(RIGID).filter_map(of_body).collect(),
            engine: setup.rigid_engine.clone(),
        }
    }

    /// Where the collider of a rigid body is; `None` if it has left the world.
    pub fn pose(
        &self,
        number: usize,
        particles: &Particles,
        columns: &RigidColumns,
    ) -> Option<Pose> {
        let body = &self.bodies[number];
        // They stand behind all others once the first substep has sorted them.
        let place = particles.id.iter().rposition(|&id| id == body.id)?;
        let rotation = columns.rotation[number];
        Some(Pose {
            rotation,
            translation: particles.position[place] - rotation * body.shape.center,
        })
    }
}
