//! What a collider carries, it feels: every method held by a region, under a load that falls upon it.

use pliant_core::step::{CpuStepper, advance_frame};
use pliant_core::world::World;
use pliant_math::{DVec3, Real};

use crate::method_bodies::{METHOD_BODIES, body, momentum};
use crate::world;

const FRAME_RATE: f64 = 120.0;

/// A body held by a collider, sheets along two edges and others by their lowest particles, and one that
/// falls upon it, ten times as dense.
fn carried(held: usize, falling: usize) -> World {
    let (held, half) = body("held", held, 1000.0, false, "");
    let (size, places) = match half {
        0.0 => ("[0.03, 0.1, 0.3]", vec![[0.08, 0.0], [-0.08, 0.0]]),
        _ => ("[0.2, 0.04, 0.2]", vec![[0.0, -half]]),
    };
    let grips = places.iter().enumerate().map(|(number, [x, y])| {
        format!(
            "[[attach]]\nname = \"grip-{number}\"\nbody = \"held\"\nto_collider = \"grip\"\n\
             shape = {{ box = {{ size = {size} }} }}\nposition = [{x:?}, {y:?}, 0]\n"
        )
    });
    let grips: String = grips.collect();
    let (_, above) = body("", falling, 1.0, false, "");
    let place = format!(
        "position = [0.01, {:?}, 0]\nvelocity = [0.2, -1.0, 0]",
        half + above + 0.03
    );
    let (falling, _) = body("falling", falling, 10_000.0, false, &place);
    let scene = format!(
        "[scene]\nduration = 0.1\nframe_rate = {FRAME_RATE:?}\n{held}{grips}{falling}\
         [[collider]]\nname = \"grip\"\nshape = {{ sphere = {{ radius = 0.01 }} }}\nposition = [0, 9, 0]\n"
    );
    world(&scene)
}

/// What the collider felt in so many frames beyond what changed momentum and was not weight, as a share of
/// the impulse of all weight and of the sum of m |v| at the start.
fn miss(world: &mut World, frames: u32) -> f64 {
    let mut stepper = CpuStepper::new(1).expect("a thread");
    let masses = world.state.particles.mass.iter();
    let mass: f64 = masses.map(|&m| f64::from(m)).sum();
    let time = f64::from(frames) / FRAME_RATE;
    let weight = world.setup.gravity * mass * time;
    let (start, size) = momentum(world);
    let mut felt = DVec3::ZERO;
    for _ in 0..frames {
        let report = advance_frame(world, &mut stepper, &mut |_| ()).expect("a sound scene");
        felt += report.collider_force[0] / FRAME_RATE;
    }
    let given = weight - (momentum(world).0 - start);
    (felt - given).length() / (weight.length() + size)
}

#[test]
fn the_force_on_a_collider_counts_carried_and_falling_bodies() {
    let tolerance = if size_of::<Real>() == 4 { 1e-5 } else { 1e-12 };
    // Rigid bodies are joined, not held by their particles.
    let held = (0..METHOD_BODIES.len()).filter(|&matter| METHOD_BODIES[matter].0 != "rigid");
    for (held, falling) in
        held.flat_map(|held| (0..METHOD_BODIES.len()).map(move |other| (held, other)))
    {
        let miss = miss(&mut carried(held, falling), 12);
        let names = [held, falling].map(|matter| METHOD_BODIES[matter].0);
        assert!(miss < tolerance, "{names:?}: {miss}");
    }
}
