//! Bodies that are tied where they touch from the start are no contacts of each other there.

use pliant_core::step::{CpuStepper, advance_frame};
use pliant_core::world::World;
use pliant_math::{DVec3, to_double};

use crate::world;

/// Two bars end to end, of which one is thrown sideways: the pair spins.
const PAIR: &str = r#"
scene = { duration = 1.0, frame_rate = 24, gravity = [0, 0, 0] }
material.heavy = { law = "neo-hookean", density = 1000.0, youngs_modulus = 2e5, poissons_ratio = 0.45 }
material.light = { law = "neo-hookean", density = 100.0, youngs_modulus = 2e5, poissons_ratio = 0.45 }

[[body]]
name = "thrown"
material = "heavy"
method = "FIRST"
shape = { box = { size = [0.2, 0.1, 0.1] } }
velocity = [0, 1, 0]
spacing = 0.0333

[[body]]
name = "tied"
material = "light"
method = "SECOND"
shape = { box = { size = [0.2, 0.1, 0.1] } }
position = [0.2, 0, 0]
spacing = 0.0333

[[attach]]
name = "tie"
body = "tied"
shape = { box = { size = [0.03, 0.2, 0.2] } }
position = [0.11, 0, 0]
to_body = "thrown"
"#;

/// Sum of m x times v over all particles [kg m2/s], along z.
fn spin(world: &World) -> f64 {
    let particles = &world.state.particles;
    let rows = particles.position.iter().zip(&particles.velocity);
    let rows = rows.zip(&particles.mass);
    rows.map(|((x, &v), &m)| x.cross(to_double(v)).z * f64::from(m))
        .sum()
}

/// The middle of a body [m].
fn middle(world: &World, body: u32) -> DVec3 {
    let particles = &world.state.particles;
    let own = particles.position.iter().zip(&particles.body);
    let own: Vec<DVec3> = own.filter(|(_, b)| **b == body).map(|(x, _)| *x).collect();
    own.iter().sum::<DVec3>() / own.len() as f64
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn two_that_are_tied_spin_on_and_gain_nothing() {
    let methods = ["strain-energy", "shape-groups", "muscle"];
    for first in methods {
        for second in methods {
            let text = PAIR.replace("FIRST", first).replace("SECOND", second);
            let mut world = world(&text);
            let before = spin(&world);
            let mut stepper = CpuStepper::new(1).expect("a thread");
            for _ in 0..12 {
                advance_frame(&mut world, &mut stepper, &mut |_| ()).expect("a sound scene");
            }
            let told = format!("{first}, {second}: {:?}", world.state.account);
            // About the middle of both it is 0.036; contacts at the tie took all of it.
            let change = spin(&world) - before;
            assert!(change.abs() < 1e-5, "{change} {told}");
            let across = middle(&world, 1) - middle(&world, 0);
            // By more than 45 degrees.
            assert!(across.y.abs() > across.x, "they turned to {across}, {told}");
            assert!(world.state.account.gained < 0.02, "{told}");
        }
    }
}

/// A bar that hangs, and a weight of iron below it, at a distance of GAP.
const WEIGHT: &str = r#"
scene = { duration = 1.0, frame_rate = 24 }
material.rubber = { law = "polynomial-neo-hookean", density = 1000.0, youngs_modulus = 2e5, poissons_ratio = NU }
material.iron = { law = "rigid", density = 7800.0 }

[[body]]
name = "bar"
material = "rubber"
method = "shape-groups"
groups = "GROUPS"
shape = { box = { size = [0.1, 0.3, 0.1] } }
position = [0, 0.15, 0]
spacing = 0.025

[[body]]
name = "weight"
material = "iron"
shape = { box = { size = [0.08, 0.08, 0.08] } }
position = [0, DOWN, 0]

[[attach]]
name = "top"
body = "bar"
shape = { box = { size = [1, 0.01, 1] } }
position = [0, 0.3, 0]

[[attach]]
name = "tie"
body = "bar"
shape = { box = { size = [0.09, 0.01, 0.09] } }
position = [0, 0, 0]
to_body = "weight"
"#;

/// How far the weight is below its start after so many frames, and what was gained.
fn sag((groups, nu): (&str, f64), gap: f64, frames: u32) -> [f64; 2] {
    let down = -0.04 - gap;
    let text = WEIGHT
        .replace("GROUPS", groups)
        .replace("NU", &nu.to_string())
        .replace("DOWN", &down.to_string());
    let mut world = world(&text);
    let mut stepper = CpuStepper::new(1).expect("a thread");
    for _ in 0..frames {
        advance_frame(&mut world, &mut stepper, &mut |_| ()).expect("a sound scene");
    }
    [down - middle(&world, 1).y, world.state.account.gained]
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn a_weight_hangs_as_low_whether_it_touches_what_it_is_tied_to_or_not() {
    for (groups, nu) in [("hexahedra", 0.3), ("tetrahedra", 0.49)] {
        for frames in [3, 6] {
            let [touching, gained] = sag((groups, nu), 0.0, frames);
            let [apart, _] = sag((groups, nu), 2e-3, frames);
            // Contacts pushed it away by their thickness.
            assert!(touching > 2e-3, "{groups}: {touching}");
            let difference = (touching - apart).abs();
            assert!(difference < 2e-4, "{groups}: {touching} and {apart}");
            assert!(gained < 0.05, "{groups}: {gained} J");
        }
    }
}
