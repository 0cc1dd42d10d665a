//! The work that driven joints do.

use pliant_math::DVec3;

use super::RigidBody;
use crate::boundaries::{RigidStep, turn_between};

/// Linear [N s] and angular [N m s] impulse that joints have given a body in a substep.
pub type JointImpulse = [DVec3; 2];

/// Runs what joints do to bodies, and adds to `given` what that gives each of them, if joints are driven: others
/// only take energy out.
pub fn record(
    drives: bool,
    shapes: &[RigidBody],
    bodies: &mut [RigidStep],
    given: &mut [JointImpulse],
    act: impl FnOnce(&mut [RigidStep]),
) {
    let add = |given: &mut [JointImpulse], bodies: &[RigidStep], sign: f64| {
        for ((given, step), body) in given.iter_mut().zip(bodies).zip(shapes) {
            let [linear, angular] = momenta(step, body);
            given[0] += linear * sign;
            given[1] += angular * sign;
        }
    };
    if drives {
        add(given, bodies, -1.0);
    }
    act(bodies);
    if drives {
        add(given, bodies, 1.0);
    }
}

/// Work [J] of what joints gave a body in a substep of `dt` [s], over the way that it has gone from its start to
/// its end: as gravity's counts, which works against a spring.
pub fn work_of(
    [linear, angular]: &JointImpulse,
    (start, end): (&RigidStep, &RigidStep),
    dt: f64,
) -> f64 {
    let moved = linear.dot(end.center - start.center);
    let turned = angular.dot(turn_between(start.rotation, end.rotation));
    (moved + turned) / dt
}

/// Linear and angular momentum of a body; zero if it cannot move.
fn momenta(step: &RigidStep, body: &RigidBody) -> JointImpulse {
    if step.inverse_mass == 0.0 {
        return [DVec3::ZERO; 2];
    }
    let spin = step.rotation.conjugate() * step.spin;
    [
        step.velocity / step.inverse_mass,
        step.rotation * (body.shape.inertia * spin),
    ]
}
