//! The work that driven joints do.

use super::RigidBody;
use crate::boundaries::RigidStep;

/// Runs what joints do to bodies. Returns what that changed their kinetic energy by [J] if joints are
/// driven; 0 if not, since others only take energy out.
pub fn work_of(
    drives: bool,
    shapes: &[RigidBody],
    bodies: &mut [RigidStep],
    act: impl FnOnce(&mut [RigidStep]),
) -> f64 {
    let before = drives.then(|| kinetic_energy(shapes, bodies));
    act(bodies);
    before.map_or(0.0, |before| kinetic_energy(shapes, bodies) - before)
}

/// Kinetic energy of the bodies that can move [J].
fn kinetic_energy(shapes: &[RigidBody], bodies: &[RigidStep]) -> f64 {
    let of_body = |(step, body): (&RigidStep, &RigidBody)| {
        let spin = step.rotation.conjugate() * step.spin;
        let turning = spin.dot(body.shape.inertia * spin);
        0.5 * (step.velocity.length_squared() / step.inverse_mass + turning)
    };
    let moving = bodies.iter().zip(shapes);
    let moving = moving.filter(|(step, _)| step.inverse_mass > 0.0);
    moving.map(of_body).sum()
}
