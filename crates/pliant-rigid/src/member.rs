//! Bodies as they fly and turn.

use pliant_core::boundaries::{ColliderStep, RigidStep, turn_between};
use pliant_math::{DMat3, DQuat, DVec3};

/// A rotation is integrated in parts of this angle [rad] at most.
const TURN: f64 = 0.1;

/// A rigid body between two moments, or a collider, which nothing moves.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Centre of mass [m].
    pub center: DVec3,
    /// Rotation of its own axes.
    pub rotation: DQuat,
    /// Velocity of the centre of mass [m/s].
    pub velocity: DVec3,
    /// Angular velocity in world axes [rad/s].
    pub spin: DVec3,
    /// 1/mass [1/kg]; 0 if nothing moves it.
    pub inverse_mass: f64,
    /// Moment of inertia in its own axes [kg m2], and the inverse, which is 0 if nothing moves it.
    pub inertia: DMat3,
    pub inverse_inertia: DMat3,
}

impl Member {
    /// What never moves.
    pub fn world() -> Self {
        Self {
            center: DVec3::ZERO,
            rotation: DQuat::IDENTITY,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            inverse_mass: 0.0,
            inertia: DMat3::IDENTITY,
            inverse_inertia: DMat3::ZERO,
        }
    }

    /// A rigid body with a moment of inertia in its own axes [kg m2].
    pub fn of_body(step: &RigidStep, inertia: DMat3) -> Self {
        Self {
            center: step.center,
            rotation: step.rotation,
            velocity: step.velocity,
            spin: step.spin,
            inverse_mass: step.inverse_mass,
            inertia,
            inverse_inertia: match step.inverse_mass > 0.0 {
                true => inertia.inverse(),
                false => DMat3::ZERO,
            },
        }
    }

    /// A collider on its way.
    pub fn of_collider(step: &ColliderStep) -> Self {
        Self {
            center: step.start.translation,
            rotation: step.start.rotation,
            velocity: (step.end.translation - step.start.translation) / step.dt,
            spin: turn_between(step.start.rotation, step.end.rotation) / step.dt,
            ..Self::world()
        }
    }

    /// The change of its spin for an angular impulse of 1 N m s, as a matrix [1/(kg m2)].
    pub fn turns(&self) -> DMat3 {
        let turn = DMat3::from_quat(self.rotation);
        turn * self.inverse_inertia * turn.transpose()
    }

    /// Where it is after flying freely for `dt` [s]: angular momentum stays what it is, and the rotation
    /// follows by the fourth-order method of Runge and Kutta.
    pub fn flown(&self, dt: f64) -> Self {
        let mut end = *self;
        end.center += self.velocity * dt;
        let parts = (self.spin.length() * dt / TURN).ceil().max(1.0);
        let dt_part = dt / parts;
        if self.inverse_mass == 0.0 {
            let spin = |_: DQuat| self.spin;
            for _ in 0..parts as u32 {
                end.rotation = turned(end.rotation, dt_part, spin);
            }
            return end;
        }
        let turn = DMat3::from_quat(self.rotation);
        let momentum = turn * (self.inertia * (turn.transpose() * self.spin));
        let spin = |rotation: DQuat| {
            let rotation = rotation.normalize();
            rotation * (self.inverse_inertia * (rotation.conjugate() * momentum))
        };
        for _ in 0..parts as u32 {
            end.rotation = turned(end.rotation, dt_part, spin);
        }
        end.spin = spin(end.rotation);
        end
    }
}

/// A rotation after `dt` [s] of turning with the spin [rad/s] that goes with each rotation.
fn turned(rotation: DQuat, dt: f64, spin: impl Fn(DQuat) -> DVec3) -> DQuat {
    let rate = |q: DQuat| DQuat::from_vec4((0.5 * spin(q)).extend(0.0)) * q;
    let one = rate(rotation);
    let two = rate(rotation + one * (0.5 * dt));
    let three = rate(rotation + two * (0.5 * dt));
    let four = rate(rotation + three * dt);
    (rotation + (one + two * 2.0 + three * 2.0 + four) * (dt / 6.0)).normalize()
}
