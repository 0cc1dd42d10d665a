//! What falls from the hand.

use pliant_core::step;
use pliant_core::world::{Body, Setup, World};
use pliant_math::DVec3;

use crate::HandError;

/// Radius of a ball that is poured, in spacings of its body.
const RADIUS: f64 = 2.6;

/// How far from the origin may be poured, in spacings: farther away places are rounded too much, as for bodies of
/// scenes.
const FARTHEST: f64 = 1e9;

/// Names of the bodies that can be poured.
pub(crate) fn pourable(setup: &Setup) -> Vec<String> {
    let bodies = setup.bodies.iter();
    let fed = bodies.filter(|body| body.method.can_be_fed());
    fed.map(|body| body.name.clone()).collect()
}

/// Adds a ball of particles of a body around a point [m], where there is room, which falls as if from its own
/// height: so a ball a frame is a stream.
pub(crate) fn pour(world: &mut World, body: &str, at: DVec3) -> Result<(), HandError> {
    let mut bodies = world.setup.bodies.iter();
    let is_it = |b: &Body| b.name == body && b.method.can_be_fed();
    let Some(number) = bodies.position(is_it) else {
        return Err(HandError::NotPourable {
            body: body.to_owned(),
            pourable: pourable(&world.setup),
        });
    };
    let spacing = world.setup.bodies[number].spacing;
    let is_near = at.abs().max_element() <= FARTHEST * spacing;
    if !(at.is_finite() && is_near) {
        return Err(HandError::Pour);
    }
    let gravity = world.setup.gravity;
    let height = 2.0 * RADIUS * spacing;
    let speed = (2.0 * gravity.length() * height).sqrt();
    let velocity = gravity.normalize_or_zero() * speed;
    step::pour(world, number as u32, ball(at, spacing), velocity);
    Ok(())
}

/// The points of a cubic lattice in a ball around a point [m].
fn ball(middle: DVec3, spacing: f64) -> Vec<DVec3> {
    let most = RADIUS as i32;
    let along = |k: i32| f64::from(k % (2 * most + 1) - most);
    let side = 2 * most + 1;
    let offsets =
        (0..side.pow(3)).map(|k| DVec3::new(along(k), along(k / side), along(k / (side * side))));
    let inside = offsets.filter(|offset| offset.length() <= RADIUS);
    inside.map(|offset| middle + offset * spacing).collect()
}
