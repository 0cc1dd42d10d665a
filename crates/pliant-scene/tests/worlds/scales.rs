//! A rigid body whose friction is another along an axis slides on bodies of every method.

use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::World;
use pliant_math::{DVec3, to_double};

use crate::method_bodies::{METHOD_BODIES, body};
use crate::world;

const GRAVITY: f64 = 9.81;
const DT: f64 = 5e-4;
/// Half of how high the block is [m].
const HALF: f64 = 0.005;

/// A block with a friction of 0.7 across an axis and 0.14 along, on a slope of 30 degrees that falls along x: a body of
/// some matter that does not move, whose friction differs less along another axis.
fn slope(matter: usize, axis: [f64; 2]) -> World {
    let sampling = match METHOD_BODIES[matter] {
        ("rigid", ..) | (_, true, _) => "",
        _ => "sampling = \"grid\"",
    };
    let [x, z] = axis;
    let place = format!(
        "friction = 0.7\nfriction_axis = [{z:?}, 0, {x:?}]\nfriction_along = 0.5\n{sampling}"
    );
    let (held, half) = body("held", matter, 1000.0, false, &place);
    let (sin, cos) = 30f64.to_radians().sin_cos();
    let (along, down) = (GRAVITY * sin, -GRAVITY * cos);
    let mut world = world(&format!(
        "[scene]\nduration = 0.1\ngravity = [{along:?}, {down:?}, 0]\n{held}
[[attach]]
name = \"hold\"
body = \"held\"
shape = {{ box = {{ size = [1, 1, 1] }} }}
[material.stone]
law = \"rigid\"
density = 1000.0
[[body]]
name = \"block\"
material = \"stone\"
shape = {{ box = {{ size = [0.06, 0.01, 0.06] }} }}
position = [-0.002, {:?}, 0]
friction = 0.7
friction_axis = [{x:?}, 0, {z:?}]
friction_along = 0.2
",
        half + 2.0 * HALF
    ));
    // So that it neither falls nor is pushed out at the start.
    let p = &mut world.state.particles;
    let heights = (0..p.len()).filter(|&i| p.body[i] == 0);
    let heights = heights.map(|i| p.position[i].y + f64::from(p.radius[i]));
    let top = match METHOD_BODIES[matter].0 {
        "rigid" => half,
        _ => heights.fold(f64::NEG_INFINITY, f64::max),
    };
    let block = block(&world);
    world.state.particles.position[block].y = top + HALF;
    world
}

fn block(world: &World) -> usize {
    let mut bodies = world.state.particles.body.iter();
    bodies.position(|&body| body == 1).expect("the block")
}

/// Mean acceleration [m/s2] of the block over 30 ms, after as much time as impacts of the start take.
fn acceleration(world: &mut World) -> DVec3 {
    let mut stepper = CpuStepper::new(1).expect("a thread");
    let mut step = |world: &mut World, count: u32| {
        for _ in 0..count {
            stepper.substep(world, DT).expect("a sound scene");
        }
        to_double(world.state.particles.velocity[block(world)])
    };
    let start = step(world, 40);
    (step(world, 60) - start) / (60.0 * DT)
}

#[test]
fn a_rigid_body_slides_along_its_scales_on_every_method_and_holds_across() {
    let (sin, cos) = 30f64.to_radians().sin_cos();
    // A fluid has no dry friction.
    let matters = (0..METHOD_BODIES.len()).filter(|&matter| METHOD_BODIES[matter].0 != "fluid");
    for matter in matters {
        let cases = [
            ([1.0, 0.0], GRAVITY * (sin - 0.14 * cos)),
            ([0.0, 1.0], 0.0),
        ];
        for (axis, expected) in cases {
            let found = acceleration(&mut slope(matter, axis));
            let name = METHOD_BODIES[matter].0;
            let off = found - DVec3::X * expected;
            assert!(
                off.length() < 1e-3 * GRAVITY,
                "{name} {axis:?}: {found} of {expected}"
            );
        }
    }
}
