//! What converged and truncated solves do.

use pliant_core::methods::springs;
use pliant_core::methods::springs::SpringsSettings;
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::{Setup, World};
use pliant_materials::Springs;
use pliant_math::{DVec3, Pose};

use super::networks::{cubic, kinetic_energy, law, positions, sheet, world_of};
use crate::worlds::advance;

/// A square of 16 x 16 held at two edges and pulled to twice its area, Vogiannou et al. 2010, fig. 3,
/// under gravity.
fn pulled(law: Springs) -> Setup {
    let n = 16;
    let mut body = sheet([n, n], 0.02, 1.0, Pose::IDENTITY);
    for (k, x) in body.particles.position.iter_mut().enumerate() {
        x.x *= 2.0;
        body.particles.is_pinned[k] = k % n == 0 || k % n == n - 1;
    }
    world_of(law, vec![body])
}

fn energy_at_end(change: impl FnOnce(&mut Setup)) -> f64 {
    let mut springs = law(cubic(1000.0));
    springs.shear = 1.0;
    let mut setup = pulled(springs);
    change(&mut setup);
    let mut world = World::new(setup);
    advance(&mut world, 0.04, 150, 1).expect("a sound scene");
    kinetic_energy(&world)
}

#[test]
fn one_step_of_conjugate_gradients_leaves_a_pulled_sheet_trembling() {
    let truncated = |steps: u32| {
        energy_at_end(|setup| {
            setup
                .solver
                .methods
                .of_mut::<SpringsSettings>()
                .cg_iterations = Some(steps);
            setup
                .solver
                .methods
                .of_mut::<SpringsSettings>()
                .clamp_jacobian = false;
        })
    };
    let (one, two) = (truncated(1), truncated(2));
    assert!(one > 1e-5 && two < 1e-9, "{one:e} {two:e}");
    // It is the truncation, not the law: solved, it rests with any Jacobian.
    for is_clamped in [true, false] {
        let solved = energy_at_end(|setup| {
            setup
                .solver
                .methods
                .of_mut::<SpringsSettings>()
                .clamp_jacobian = is_clamped
        });
        assert!(solved < 1e-6, "{solved:e}");
    }
}

#[test]
fn jacobian_damping_slows_a_swinging_sheet() {
    // Held at one edge from the horizontal on.
    let lowest = |damping: f64| {
        let n = 16;
        let mut body = sheet([n, n], 0.02, 0.25, Pose::IDENTITY);
        (0..n).for_each(|k| body.particles.is_pinned[k] = true);
        let mut setup = world_of(law(cubic(1000.0)), vec![body]);
        setup
            .solver
            .methods
            .of_mut::<SpringsSettings>()
            .jacobian_damping = damping;
        let mut world = World::new(setup);
        advance(&mut world, 0.005, 50, 1).expect("a sound scene");
        positions(&world).iter().map(|x| x.y).fold(0.0, f64::min)
    };
    let (free, damped) = (lowest(0.0), lowest(0.01));
    // A sheet falls a quarter of a second; with 1 % of damping a tenth as far and less.
    assert!(free < -0.2, "{free}");
    assert!(damped > 0.2 * free, "{damped} {free}");
}

#[test]
fn a_squeezed_sheet_is_stable_with_the_clamped_jacobian() {
    for dt in [0.005, 0.02] {
        let n = 24;
        let mut body = sheet([n, n], 0.02, 1.0, Pose::IDENTITY);
        for (k, x) in body.particles.position.iter_mut().enumerate() {
            x.x *= 0.7;
            x.y = 1e-4 * ((k * 7919) % 13) as f64;
            body.particles.is_pinned[k] = k % n == 0 || k % n == n - 1;
        }
        let mut setup = world_of(law(cubic(1000.0)), vec![body]);
        setup.gravity = DVec3::ZERO;
        let mut world = World::new(setup);
        advance(&mut world, dt, (3.0 / dt) as usize, 1).expect("a sound scene");
        let energy = kinetic_energy(&world);
        assert!(energy < 1.0, "{dt}: {energy:e}");
    }
}

/// A sheet of particles of 0.1 g that swings from one edge, after some steps of 10 ms, in which springs of
/// 1000 N/m outweigh particles a thousand times; and how many steps the last solve took.
fn swung(side: usize, tolerance: f64, cg_iterations: Option<u32>) -> (Vec<DVec3>, u32) {
    let mass = 1e-4 * (side * side) as f64;
    let mut body = sheet([side, side], 0.02, mass, Pose::IDENTITY);
    (0..side).for_each(|k| body.particles.is_pinned[k * side] = true);
    let mut setup = world_of(law(cubic(1000.0)), vec![body]);
    setup.solver.methods.of_mut::<SpringsSettings>().tolerance = tolerance;
    setup
        .solver
        .methods
        .of_mut::<SpringsSettings>()
        .cg_iterations = cg_iterations;
    let mut world = World::new(setup);
    let mut stepper = CpuStepper::new(1).expect("a thread");
    for _ in 0..12 {
        stepper.substep(&mut world, 1e-2).expect("a step");
    }
    let steps = stepper.method().map_or(0, springs::Springs::solver_steps);
    (positions(&world), steps)
}

#[test]
fn solver_steps_grow_slower_than_the_width_of_a_sheet() {
    let (_, few) = swung(32, 1e-3, None);
    let (_, many) = swung(96, 1e-3, None);
    // A pull that goes on by a particle a step would take three times as many; seen: 12 and 23.
    assert!(f64::from(many) < 2.3 * f64::from(few), "{few} {many}");
}

#[test]
fn aggregates_do_not_change_the_solution() {
    let (plain, _) = swung(32, 1e-3, Some(600));
    let (solved, steps) = swung(32, 1e-6, None);
    let distances = plain.iter().zip(&solved).map(|(a, b)| a.distance(*b));
    let off = distances.fold(0.0, f64::max);
    assert!(off < 2e-5 && steps < 120, "{off:e} m after {steps}");
}
