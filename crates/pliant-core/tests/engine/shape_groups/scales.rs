//! Friction along an axis of a body that turns with it.

use pliant_core::boundaries::Motion;
use pliant_core::world::{BodyGrain, World};
use pliant_geometry::shapes::Plane;
use pliant_math::{DQuat, DVec3, Pose, Vec3, to_double};

use super::{SPACING, block, rubber, world_of};
use crate::blocks::collider;
use crate::worlds::advance_frames;

const GRAVITY: f64 = 9.81;
const FRICTION: f64 = 0.4;

/// How fast a block slows down [m/s2] that slides along x, turned by a right angle about y from how it rests.
fn deceleration(axis: DVec3) -> f64 {
    let mut body = block([4, 2, 4], DVec3::ZERO);
    body.grain = Some(BodyGrain { axis, factor: 0.25 });
    let mut setup = world_of(rubber(0.3), vec![body]);
    setup.gravity = DVec3::Y * -GRAVITY;
    setup.solver = Default::default();
    setup.frame_rate = 50.0;
    let mut floor = collider(Plane { normal: DVec3::Y }, Motion::Rest(Pose::IDENTITY));
    floor.friction = FRICTION;
    setup.colliders.push(floor);
    setup.bodies[0].friction = FRICTION;
    let mut world = World::new(setup);
    let turn = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
    let p = &mut world.state.particles;
    let lowest = p.position.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    let lift = 0.05 * SPACING - lowest;
    for x in &mut p.position {
        *x = turn * *x + DVec3::Y * lift;
    }
    p.velocity.fill(Vec3::X * 3.0);
    let speed = |world: &World| {
        let p = &world.state.particles;
        let sum: f64 = p
            .velocity
            .iter()
            .zip(&p.mass)
            .map(|(v, &m)| to_double(*v).x * f64::from(m))
            .sum();
        sum / p.mass.iter().map(|&m| f64::from(m)).sum::<f64>()
    };
    advance_frames(&mut world, 10, |_| ());
    let before = speed(&world);
    advance_frames(&mut world, 20, |_| ());
    (before - speed(&world)) / 0.4
}

#[test]
fn scales_turn_with_their_body() {
    for (axis, factor) in [(DVec3::Z, 0.25), (DVec3::X, 1.0)] {
        let ratio = deceleration(axis) / (factor * FRICTION * GRAVITY);
        assert!((ratio - 1.0).abs() < 0.05, "{axis} {ratio}");
    }
}
