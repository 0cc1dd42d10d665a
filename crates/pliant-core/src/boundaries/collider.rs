//! Colliders: shapes that bound the world, with motion and friction.

use std::sync::Arc;

use pliant_geometry::{MovingMesh, Shape, Touch};
use pliant_math::{DVec3, Pose};

use super::Motion;

/// A shape that particles cannot enter.
#[derive(Clone, Debug)]
pub struct Collider {
    /// Name, unique among colliders.
    pub name: String,
    /// The solid region.
    pub shape: Arc<dyn Shape>,
    /// Where it is.
    pub motion: Motion,
    /// True if its surface is a thin shell that holds particles on whichever side they are; else it is
    /// solid.
    pub two_sided: bool,
    /// What it does with particles that touch it.
    pub grip: Grip,
    /// Coefficient of Coulomb friction, >= 0.
    pub friction: f64,
    /// Fraction of the approach speed given back, in [0, 1].
    pub restitution: f64,
    /// Colour in pictures, sRGB in [0, 1].
    pub color: [f32; 3],
    /// Opacity in pictures: 1 opaque, 0 not drawn, between as glass.
    pub opacity: f32,
    /// How much it shines in pictures: 0 matt, 1 as if wet.
    pub gloss: f32,
}

impl Collider {
    /// True if neither its pose nor its form ever changes.
    pub fn is_at_rest(&self) -> bool {
        self.motion.is_at_rest() && self.shape.moving().is_none()
    }

    /// Mean velocity in a substep [m/s] of its material at a world point given at the start: the one of contact
    /// and friction. Of one that deforms, where its surface is nearest to the point.
    pub fn velocity_at(&self, step: &ColliderStep, point: DVec3) -> DVec3 {
        match self.shape.moving() {
            Some(_) => {
                let nearest = self.nearest(step.start.to_local(point), Near::default());
                nearest.velocity(step, point)
            }
            None => step.velocity_at(point),
        }
    }

    /// Greatest speed at which its surface moves in its own coordinates [m/s].
    pub fn deformation_speed(&self) -> f64 {
        self.shape.moving().map_or(0.0, MovingMesh::fastest)
    }

    /// Its shape at a time [s].
    pub fn shape_at(&self, time: f64) -> Arc<dyn Shape> {
        let Some(moving) = self.shape.moving() else {
            return Arc::clone(&self.shape);
        };
        let mut then = moving.clone();
        then.move_to(time, 0.0);
        Arc::new(then)
    }

    /// Where places that its material carries are at time zero, in its own coordinates.
    ///
    /// * `local` — where they are at a time [s], in its own coordinates
    pub fn places_at_start(&self, local: Vec<DVec3>, time: f64) -> Vec<DVec3> {
        let Some(moving) = self.shape.moving() else {
            return local;
        };
        let mut then = moving.clone();
        then.move_to(time, 0.0);
        let at_start = |x| moving.place(&then.anchor(x), 0.0);
        local.into_iter().map(at_start).collect()
    }

    /// Distance [m] of a world point from the surface at a time [s], negative inside what is solid; of one that
    /// deforms as it is now.
    pub fn signed_distance(&self, point: DVec3, time: f64) -> f64 {
        self.distance(self.motion.pose(time).to_local(point))
    }

    /// Distance [m] of a point of its own coordinates from the surface, negative inside what is solid.
    pub fn distance(&self, local: DVec3) -> f64 {
        let distance = self.shape.signed_distance(local);
        if self.two_sided {
            distance.abs()
        } else {
            distance
        }
    }

    /// What of it is nearest to a point, both in its own coordinates. Of one that deforms everything is found at once,
    /// and sooner if the point is near to another one, which had been told `near`.
    pub fn nearest(&self, local: DVec3, near: Near) -> Nearest {
        let Some(moving) = self.shape.moving() else {
            return Nearest {
                distance: self.distance(local),
                touch: None,
            };
        };
        let mut touch = moving.touch(local, near.0);
        if self.two_sided && touch.distance < 0.0 {
            touch.distance = -touch.distance;
            touch.normal = -touch.normal;
        }
        Nearest {
            distance: touch.distance,
            touch: Some(touch),
        }
    }

    /// Unit vector at a point, both in its own coordinates, away from the surface: the gradient of
    /// [`Collider::distance`].
    pub fn normal(&self, local: DVec3) -> DVec3 {
        let normal = self.shape.normal(local);
        if self.two_sided && self.shape.signed_distance(local) < 0.0 {
            -normal
        } else {
            normal
        }
    }
}

/// The part of a collider that deforms that is nearest to a point.
#[derive(Clone, Copy, Debug)]
pub struct Near(u32);

impl Default for Near {
    /// None that is known.
    fn default() -> Self {
        Self(u32::MAX)
    }
}

/// What of a collider is nearest to a point.
#[derive(Clone, Copy, Debug)]
pub struct Nearest {
    /// As [`Collider::distance`] has it.
    pub distance: f64,
    /// The same with the normal and the velocity, of a collider that deforms.
    touch: Option<Touch>,
}

impl Nearest {
    /// As [`Collider::normal`] has it.
    pub fn normal(&self, collider: &Collider, local: DVec3) -> DVec3 {
        self.touch
            .map_or_else(|| collider.normal(local), |touch| touch.normal)
    }

    /// The part of the collider that it is.
    pub fn near(&self) -> Near {
        self.touch
            .map_or_else(Near::default, |touch| Near(touch.triangle))
    }

    /// How fast the surface moves there in the collider's own coordinates [m/s].
    pub fn deformation(&self) -> DVec3 {
        self.touch.map_or(DVec3::ZERO, |touch| touch.velocity)
    }

    /// Mean velocity in a substep [m/s] of the collider's material at a world point given at the start.
    pub fn velocity(&self, step: &ColliderStep, point: DVec3) -> DVec3 {
        match self.touch {
            Some(touch) => {
                let end = step.start.to_local(point) + touch.velocity * step.dt;
                (step.end.to_world(end) - point) / step.dt
            }
            None => step.velocity_at(point),
        }
    }
}

/// What a collider does with particles that touch it: the usual boundary conditions of the material
/// point method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grip {
    /// Particles may leave, and slide with friction.
    #[default]
    Separate,
    /// Particles do not leave, and slide with friction as far as they are pressed.
    Slip,
    /// Particles neither leave nor slide.
    Stick,
}

/// A collider over one substep: where it is and how it moves.
#[derive(Clone, Copy, Debug)]
pub struct ColliderStep {
    /// Pose at the start of the substep.
    pub start: Pose,
    /// Pose at its end.
    pub end: Pose,
    /// The substep [s].
    pub dt: f64,
    /// False if it has left the world, as a rigid body may.
    pub is_present: bool,
}

impl ColliderStep {
    /// The poses of a collider from `time` to `time + dt` [s].
    ///
    /// * `pose` — at a time [s]
    pub fn new(pose: impl Fn(f64) -> Pose, time: f64, dt: f64) -> Self {
        Self {
            start: pose(time),
            end: pose(time + dt),
            dt,
            is_present: true,
        }
    }

    /// True if it stays where it is.
    fn is_still(&self) -> bool {
        self.start == self.end
    }

    /// Rate of turning over the substep [rad/s].
    pub fn spin_speed(&self) -> f64 {
        if self.is_still() {
            return 0.0;
        }
        let turn = self.end.rotation * self.start.rotation.conjugate();
        let sine = turn.xyz().length().min(1.0);
        2.0 * libm::asin(sine) / self.dt
    }

    /// Mean velocity over the substep [m/s] of the collider's material at a world point given at
    /// the start, if it keeps its form.
    pub fn velocity_at(&self, point: DVec3) -> DVec3 {
        if self.is_still() {
            return DVec3::ZERO;
        }
        (self.end.to_world(self.start.to_local(point)) - point) / self.dt
    }
}
