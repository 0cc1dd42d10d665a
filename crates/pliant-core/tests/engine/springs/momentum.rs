//! Momentum and angular momentum of networks that nothing holds.

use std::sync::Arc;

use pliant_core::methods::springs::SpringsSettings;
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::World;
use pliant_math::{DVec3, Pose, to_double};

use super::networks::{cubic, kinetic_energy, lattice, law, sheet, world_of};
use crate::worlds::momentum;

/// Angular momentum about the origin [kg m2/s].
fn angular_momentum(world: &World) -> DVec3 {
    let p = &world.state.particles;
    let of = |i: usize| p.position[i].cross(to_double(p.velocity[i])) * f64::from(p.mass[i]);
    (0..p.len()).map(of).sum()
}

/// A lattice that turns about a tilted axis, flies and swings in itself.
fn turning(keeps: bool) -> World {
    let mut body = lattice([6, 5, 4], 0.05, 1.0, DVec3::ZERO);
    let center = DVec3::new(0.125, 0.1, 0.075);
    let spin = DVec3::new(2.0, 9.0, -4.0);
    for k in 0..body.particles.position.len() {
        let arm = body.particles.position[k] - center;
        let swing = DVec3::X * 2.0 * (20.0 * arm.y).sin();
        body.particles.velocity[k] = spin.cross(arm) + swing + DVec3::new(0.4, 0.0, -0.3);
    }
    let mut setup = world_of(law(cubic(300.0)), vec![body]);
    setup.gravity = DVec3::ZERO;
    setup
        .solver
        .methods
        .of_mut::<SpringsSettings>()
        .keep_angular_momentum = keeps;
    World::new(setup)
}

fn run(world: &mut World, dt: f64, time: f64) {
    let mut stepper = CpuStepper::new(1).expect("threads");
    for _ in 0..(time / dt).round() as usize {
        stepper.substep(world, dt).expect("a sound scene");
    }
}

#[test]
fn a_free_network_keeps_both_momenta_at_any_step() {
    for (dt, steps) in [(1e-3, None), (1e-2, None), (1e-2, Some(2))] {
        let mut world = turning(true);
        Arc::make_mut(&mut world.setup)
            .solver
            .methods
            .of_mut::<SpringsSettings>()
            .cg_iterations = steps;
        let (linear, angular) = (momentum(&world), angular_momentum(&world));
        run(&mut world, dt, 1.0);
        let bound = if cfg!(feature = "double") {
            1e-11
        } else {
            2e-5
        };
        let drift = (momentum(&world) - linear).length() / linear.length();
        assert!(drift < bound, "{dt}: {drift:e}");
        let drift = (angular_momentum(&world) - angular).length() / angular.length();
        assert!(drift < bound, "{dt}: {drift:e}");
    }
}

#[test]
fn restoring_the_angular_momentum_lost_by_linearisation_adds_no_energy() {
    let (mut kept, mut lost) = (turning(true), turning(false));
    let start = angular_momentum(&lost).length();
    let energy = kinetic_energy(&kept);
    run(&mut lost, 5e-3, 2.0);
    assert!(angular_momentum(&lost).length() < 0.9 * start);
    for _ in 0..20 {
        run(&mut kept, 5e-3, 0.5);
        assert!(kinetic_energy(&kept) < energy);
    }
    // It turns on: most of what was no swing is left.
    assert!((angular_momentum(&kept).length() / start - 1.0).abs() < 1e-3);
}

#[test]
fn an_unstrained_body_stays_at_rest() {
    let mut sheet = sheet([12, 9], 0.05, 1.0, Pose::IDENTITY);
    sheet.particles.velocity.fill(DVec3::new(3.0, -1.0, 2.0));
    let mut setup = world_of(law(cubic(1000.0)), vec![sheet]);
    setup.gravity = DVec3::ZERO;
    let mut world = World::new(setup);
    run(&mut world, 1e-2, 0.5);
    let p = &world.state.particles;
    let expected = DVec3::new(3.0, -1.0, 2.0);
    assert!(
        p.velocity
            .iter()
            .all(|&v| (to_double(v) - expected).length() < 1e-4)
    );
}
