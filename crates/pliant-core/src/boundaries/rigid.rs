//! A rigid body in one substep: a collider that is moved by its contacts.

use pliant_math::{DMat3, DQuat, DVec3, Pose};

use super::ColliderStep;

/// A rigid body over one substep: where it starts, and its velocity as impulses change it.
///
/// In double precision whatever the particles have: many small impulses add up to one large momentum.
#[derive(Clone, Copy, Debug)]
pub struct RigidStep {
    /// False once it has left the world; nothing touches it then.
    pub is_present: bool,
    /// Centre of mass at the start [m].
    pub center: DVec3,
    /// Rotation of its shape at the start.
    pub rotation: DQuat,
    /// Velocity of the centre of mass [m/s].
    pub velocity: DVec3,
    /// Angular velocity in world axes [rad/s].
    pub spin: DVec3,
    /// 1/mass [1/kg], 0 if it is held.
    pub inverse_mass: f64,
    /// Inverse of the moment of inertia in world axes [1/(kg m2)], 0 if it is held.
    pub inverse_inertia: DMat3,
}

impl RigidStep {
    /// Velocity of its material at a world point [m/s].
    #[inline]
    pub fn velocity_at(&self, point: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(point - self.center)
    }

    /// A world point as seen from its centre of mass, in the axes of its shape [m].
    pub fn to_local(&self, point: DVec3) -> DVec3 {
        self.rotation.conjugate() * (point - self.center)
    }

    /// Gives it an impulse [N s] at a world point.
    #[inline]
    pub fn push(&mut self, impulse: DVec3, point: DVec3) {
        self.velocity += impulse * self.inverse_mass;
        self.spin += self.inverse_inertia * (point - self.center).cross(impulse);
    }

    /// Change of the velocity at a world point for an impulse of 1 N s there [1/kg], as a matrix.
    pub fn mobility(&self, point: DVec3) -> DMat3 {
        let arm = point - self.center;
        let cross = DMat3::from_cols(
            DVec3::new(0.0, arm.z, -arm.y),
            DVec3::new(-arm.z, 0.0, arm.x),
            DVec3::new(arm.y, -arm.x, 0.0),
        );
        DMat3::from_diagonal(DVec3::splat(self.inverse_mass)) - cross * self.inverse_inertia * cross
    }

    /// The rotation that its spin leads to in `dt` [s].
    pub fn rotation_after(&self, dt: f64) -> DQuat {
        turned(self.rotation, self.spin * dt)
    }

    /// The poses of its collider, which has the centre of mass at `center` [m] in its coordinates, at the
    /// start and, with the velocity that it has now, at the end of `dt` [s].
    pub fn collider_step(&self, center: DVec3, dt: f64) -> ColliderStep {
        let pose = |rotation: DQuat, middle: DVec3| Pose {
            rotation,
            translation: middle - rotation * center,
        };
        let end = self.center + self.velocity * dt;
        ColliderStep {
            start: pose(self.rotation, self.center),
            end: pose(self.rotation_after(dt), end),
            dt,
            is_present: self.is_present,
        }
    }
}

/// A rotation turned by the length of `angle` [rad] about its direction in world axes.
pub fn turned(rotation: DQuat, angle: DVec3) -> DQuat {
    let size = angle.length();
    if size == 0.0 {
        return rotation;
    }
    let (sin, cos) = (libm::sin(0.5 * size), libm::cos(0.5 * size));
    let turn = DQuat::from_vec4((angle * (sin / size)).extend(cos));
    (turn * rotation).normalize()
}

/// The vector of the angle [rad] that turns one rotation into another, the shorter way round.
pub fn turn_between(from: DQuat, to: DQuat) -> DVec3 {
    let turn = to * from.conjugate();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let sine = turn.xyz().length();
    if sine == 0.0 {
        return DVec3::ZERO;
    }
    turn.xyz() * (2.0 * libm::atan2(sine, turn.w) / sine)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step() -> RigidStep {
        RigidStep {
            is_present: true,
            center: DVec3::new(1.0, 2.0, 3.0),
            rotation: DQuat::IDENTITY,
            velocity: DVec3::new(0.3, -0.2, 0.1),
            spin: DVec3::new(0.5, 0.7, -0.4),
            inverse_mass: 0.5,
            inverse_inertia: DMat3::from_diagonal(DVec3::new(1.0, 2.0, 4.0)),
        }
    }

    #[test]
    fn mobility_is_what_an_impulse_does_to_the_point_it_acts_at() {
        let mut body = step();
        let point = DVec3::new(1.4, 1.5, 3.7);
        let impulse = DVec3::new(0.2, -0.9, 0.6);
        let before = body.velocity_at(point);
        let expected = body.mobility(point) * impulse;
        body.push(impulse, point);
        assert!((body.velocity_at(point) - before - expected).length() < 1e-14);
    }

    #[test]
    fn a_collider_turns_about_the_centre_of_mass() {
        let body = step();
        let center = DVec3::new(0.1, 0.0, 0.2);
        let dt = 1e-3;
        let collider = body.collider_step(center, dt);
        assert!((collider.start.to_world(center) - body.center).length() < 1e-14);
        let moved = collider.end.to_world(center) - body.center;
        assert!((moved - body.velocity * dt).length() < 1e-14);
        let point = DVec3::new(1.3, 2.2, 2.9);
        assert!((collider.velocity_at(point) - body.velocity_at(point)).length() < 1e-3);
    }
}
