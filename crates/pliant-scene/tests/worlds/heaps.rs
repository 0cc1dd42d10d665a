//! Heaps of grains.

use std::fmt::Write;

use pliant_core::step::{CpuStepper, advance_frame};

use crate::world;

#[test]
fn a_deep_heap_of_grains_does_not_sink_into_itself() {
    let mut text = String::from(
        "[scene]\nduration = 1.5\nframe_rate = 24\n\
         [material.grains]\nlaw = \"contact-friction\"\ndensity = 1600.0\nfriction = 0.3\n\
         [[body]]\nname = \"heap\"\nmaterial = \"grains\"\nposition = [0, 0.24, 0]\nspacing = 0.02\n\
         shape = { box = { size = [0.12, 0.48, 0.12] } }\n\
         [[collider]]\nname = \"floor\"\nshape = { plane = {} }\n",
    );
    for (name, x, z) in [
        ("left", 1, 0),
        ("right", -1, 0),
        ("back", 0, 1),
        ("front", 0, -1),
    ] {
        let (from_x, from_z) = (-0.06 * f64::from(x), -0.06 * f64::from(z));
        let wall = writeln!(
            text,
            "[[collider]]\nname = \"{name}\"\nfriction = 0.0\nposition = [{from_x}, 0, {from_z}]\n\
             shape = {{ plane = {{ normal = [{x}, 0, {z}] }} }}"
        );
        wall.expect("a string takes it");
    }
    let mut world = world(&text);
    let mut stepper = CpuStepper::new(1).expect("a thread");
    for _ in 0..36 {
        advance_frame(&mut world, &mut stepper, &mut |_| ()).expect("a sound scene");
    }
    let height = |world: &pliant_core::world::World| {
        let position = &world.state.particles.position;
        position.iter().map(|x| x.y).sum::<f64>() / position.len() as f64
    };
    // Placed at random, eight layers settle to 0.9 of their height. Of this heap, 24 grains deep, grains that began each
    // substep without what had carried them left 0.62.
    let share = height(&world) / 0.24;
    assert!(share > 0.72, "{share}");
    let account = world.state.account;
    assert!(account.gained < 0.01 * account.lost, "{account:?}");
}
