//! Axes of friction turn with bodies of all methods that know how they were.

use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::World;
use pliant_math::{DQuat, DVec3, Vec3, to_double};

use crate::method_bodies::{METHOD_BODIES, body, momentum};
use crate::world;

const GRAVITY: f64 = 9.81;
const FRICTION: f64 = 0.4;
const FACTOR: f64 = 0.25;
const DT: f64 = 2.5e-4;

/// A plate or a sheet that slides on the floor along x, turned by a right angle about y from how it came.
fn sliding(matter: usize, [x, z]: [f64; 2]) -> World {
    let place = format!(
        "position = [0, 0.01, 0]\nfriction = {FRICTION:?}\nfriction_axis = [{x:?}, 0, {z:?}]\nfriction_along = {FACTOR:?}"
    );
    let (plate, _) = body("plate", matter, 1000.0, true, &place);
    let mut world = world(&format!(
        "[scene]\nduration = 0.1\n{plate}
[[collider]]
name = \"floor\"
shape = {{ plane = {{}} }}
friction = {FRICTION:?}
"
    ));
    let turn = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
    let p = &mut world.state.particles;
    let bottoms = p.position.iter().zip(&p.radius);
    let bottoms = bottoms.map(|(x, &radius)| x.y - f64::from(radius));
    let lowest = bottoms.fold(f64::INFINITY, f64::min);
    for x in &mut p.position {
        *x = turn * *x - DVec3::Y * lowest;
    }
    p.velocity.fill(Vec3::X);
    world
}

/// How fast it slows down [m/s2].
fn deceleration(world: &mut World) -> f64 {
    let mut stepper = CpuStepper::new(1).expect("a thread");
    let mass: f64 = world
        .state
        .particles
        .mass
        .iter()
        .map(|&m| f64::from(m))
        .sum();
    let mut speed_after = |count: u32| {
        for _ in 0..count {
            stepper.substep(world, DT).expect("a sound scene");
        }
        momentum(world).0.x / mass
    };
    let start = speed_after(100);
    (start - speed_after(200)) / (200.0 * DT)
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn axes_turn_with_bodies_that_keep_their_neighbors() {
    let kept = ["rubber", "groups", "flesh", "cloth", "lattice", "net"];
    let matters =
        (0..METHOD_BODIES.len()).filter(|&matter| kept.contains(&METHOD_BODIES[matter].0));
    for matter in matters {
        for (axis, factor) in [([0.0, 1.0], FACTOR), ([1.0, 0.0], 1.0)] {
            let mut world = sliding(matter, axis);
            let ratio = deceleration(&mut world) / (factor * FRICTION * GRAVITY);
            let name = METHOD_BODIES[matter].0;
            assert!((ratio - 1.0).abs() < 0.05, "{name} {axis:?}: {ratio}");
            let p = &world.state.particles;
            let aside = p
                .velocity
                .iter()
                .map(|&v| to_double(v).z.abs())
                .fold(0.0, f64::max);
            assert!(aside < 0.05, "{name} {axis:?}: {aside} m/s");
        }
    }
}
