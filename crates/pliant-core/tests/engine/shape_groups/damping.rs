//! Damping of what is not a rigid motion of a group.

use pliant_core::measure::Energies;
use pliant_core::methods::shape_groups::ShapeGroupsSettings;
use pliant_core::world::World;
use pliant_math::{DVec3, to_real};

use super::{SPACING, angular_momentum, block, by_precision, rubber, step, world_of};
use crate::worlds::advance;

/// A weightless bar with a rate of damping [1/s] that moves as a field of velocities says.
fn moving(damping: f64, velocity: impl Fn(DVec3) -> DVec3) -> World {
    let cells = [3, 3, 8];
    let mut setup = world_of(rubber(0.3), vec![block(cells, DVec3::ZERO)]);
    let settings: &mut ShapeGroupsSettings = setup.solver.methods.of_mut();
    settings.damping = damping;
    let mut world = World::new(setup);
    let center = DVec3::from_array(cells.map(|n| 0.5 * n as f64 * SPACING));
    let p = &mut world.state.particles;
    for i in 0..p.len() {
        p.velocity[i] = to_real(velocity(p.position[i] - center));
    }
    world
}

/// Kinetic and elastic energy [J].
fn energy(world: &World) -> f64 {
    let energies = Energies::of(world, |_| true);
    energies.kinetic + energies.elastic
}

/// The part of a slow spin that is lost in 0.2 s.
fn spin_lost(damping: f64) -> f64 {
    // So slow that no step, which turns the body by as little, takes any of it.
    let rate = by_precision(1e-3, 0.1);
    let mut world = moving(damping, |x| (DVec3::X * rate).cross(x));
    let start = angular_momentum(&world);
    let dt = step(0.2);
    advance(&mut world, dt, (0.2 / dt) as usize, 2).expect("a sound bar");
    angular_momentum(&world).distance(start) / start.length()
}

#[test]
fn damping_leaves_spin_alone_to_rounding() {
    let (with, without) = (spin_lost(20.0), spin_lost(0.0));
    assert!(without < by_precision(1e-9, 1e-3), "{without:e}");
    assert!(with < by_precision(1e-9, 1e-3), "{with:e}");
}

/// Energy that a bar that is stretched to and fro has after 0.2 s over that without damping.
fn left(damping: f64, crossed: f64) -> f64 {
    let after = |damping: f64| {
        let mut world = moving(damping, |x| DVec3::Z * (0.2 * x.z / SPACING));
        let dt = step(crossed);
        advance(&mut world, dt, (0.2 / dt).round() as usize, 2).expect("a sound bar");
        energy(&world)
    };
    after(damping) / after(0.0)
}

/// What theory has for that: v' being the slope of velocities, groups of volume h^3 with members of their whole
/// masses m take c sum m (v' h/2)^2, 2 c rho h^2 v'^2 of each volume inside, less at the sides. A bar of length L whose
/// velocities are sin(pi z/L) loses 2 c h^2 (pi/L)^2 of its energy in a unit of time, and more as it gets thinner.
fn expected(damping: f64) -> f64 {
    let wave = std::f64::consts::PI / (8.0 * SPACING);
    let inside = 2.0 * damping * (SPACING * wave).powi(2);
    // Particles at the sides, of three cells across each way, are in half as many groups.
    let sides = (10.0_f64 / 12.0).powi(2);
    let thinner = 1.0 + 2.0 * 0.3 * 0.3;
    (-inside * sides * thinner * 0.2).exp()
}

#[test]
fn an_oscillation_is_damped_by_as_much_in_short_steps_as_in_long_ones() {
    let (long, short) = (left(5.0, 0.05), left(5.0, 0.0125));
    assert!((long / short - 1.0).abs() < 0.03, "{long} {short}");
    assert!((short / expected(5.0) - 1.0).abs() < 0.03, "{short}");
}

#[test]
fn a_body_that_spins_and_swings_is_left_with_its_spin() {
    let rate = by_precision(1e-3, 0.1);
    let spin = |x: DVec3| (DVec3::X * rate).cross(x);
    let swinging = |damping: f64| moving(damping, |x| spin(x) + DVec3::Z * (4.0 * rate * x.z));
    let spinning = energy(&moving(0.0, spin));
    let mut world = swinging(200.0);
    let start = angular_momentum(&world);
    let before = energy(&world) / spinning;
    let dt = step(0.05);
    advance(&mut world, dt, (0.2 / dt) as usize, 2).expect("a sound bar");
    let lost = angular_momentum(&world).distance(start) / start.length();
    let after = energy(&world) / spinning;
    assert!(lost < 1e-3, "{lost:e}");
    assert!(
        before > 5.0 && (after - 1.0).abs() < 0.05,
        "{before} {after}"
    );
}
