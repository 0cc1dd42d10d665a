//! Viscous stress of flesh.

use pliant_core::methods::muscle::{Integration, MuscleSetup};
use pliant_core::world::{Setup, World};
use pliant_math::{DMat3, DVec3, RandomStream, to_double, to_real};

use super::{SPACING, YOUNGS_MODULUS, block, by_precision, corotated, settings, world_of};
use crate::worlds::{advance, momentum};

const POISSONS_RATIO: f64 = 0.3;
/// Of strong viscosity [s].
const RETARDATION: f64 = 0.01;

fn viscous(integration: Integration, retardation: f64) -> Setup {
    let mut setup = world_of(corotated(POISSONS_RATIO), vec![block([5, 4, 6])]);
    let chosen = settings(&mut setup);
    chosen.integration = integration;
    chosen.retardation_time = retardation;
    chosen.tolerance = 1e-9;
    setup
}

/// The body at rest with velocities v = L (x - c).
fn moving(setup: Setup, rate: DMat3) -> World {
    let mut world = World::new(setup);
    let p = &mut world.state.particles;
    let center: DVec3 = p.position.iter().sum::<DVec3>() / p.len() as f64;
    for (v, &x) in p.velocity.iter_mut().zip(&p.position) {
        *v = to_real(rate * (x - center));
    }
    world
}

/// Sum of m v . dv over a step [J].
fn taken(mut world: World, dt: f64) -> f64 {
    let columns = |world: &World| {
        let p = &world.state.particles;
        let mut all: Vec<_> = (0..p.len())
            .map(|i| (p.id[i], f64::from(p.mass[i]), to_double(p.velocity[i])))
            .collect();
        all.sort_by_key(|&(id, ..)| id);
        all
    };
    let before = columns(&world);
    advance(&mut world, dt, 1, 1).expect("sound flesh");
    let after = columns(&world);
    let of_one =
        |(&(_, m, v), &(_, _, now)): (&(u32, f64, DVec3), &(u32, f64, DVec3))| m * v.dot(now - v);
    before.iter().zip(&after).map(of_one).sum()
}

#[test]
fn viscosity_takes_its_rate_of_strain_squared() {
    let rate = DMat3::from_cols(
        DVec3::new(0.3, 0.2, -0.1),
        DVec3::new(-0.4, -0.2, 0.3),
        DVec3::new(0.1, 0.5, 0.4),
    );
    let strain_rate = (rate + rate.transpose()) * 0.5;
    let square: f64 = strain_rate.to_cols_array().iter().map(|x| x * x).sum();
    let viscosity = RETARDATION * YOUNGS_MODULUS / (2.0 * (1.0 + POISSONS_RATIO));
    for integration in [Integration::Explicit, Integration::Implicit] {
        let dt = by_precision(1e-8, 1e-6);
        let [with, without] = [RETARDATION, 0.0].map(|time| {
            let world = moving(viscous(integration, time), rate);
            let of_setup = MuscleSetup::of(&world.setup);
            let volume: f64 = of_setup.bodies[0].volume.iter().sum();
            taken(world, dt) / (volume * dt)
        });
        let ratio = (without - with) / (2.0 * viscosity * square);
        assert!(
            (ratio - 1.0).abs() < by_precision(1e-4, 0.02),
            "{integration:?} {ratio}"
        );
    }
}

#[test]
fn turning_and_momentum_meet_no_viscosity() {
    let spin = DVec3::new(3.0, -5.0, 4.0);
    let rate = DMat3::from_cols(
        spin.cross(DVec3::X),
        spin.cross(DVec3::Y),
        spin.cross(DVec3::Z),
    );
    let dt = by_precision(1e-8, 1e-6);
    let world = moving(viscous(Integration::Explicit, RETARDATION), rate);
    let scale: f64 = world
        .state
        .particles
        .mass
        .iter()
        .map(|&m| f64::from(m))
        .sum::<f64>()
        * spin.length_squared()
        * SPACING.powi(2);
    let lost = taken(world, dt) / scale;
    assert!(lost.abs() < by_precision(1e-12, 1e-6), "{lost:e}");
    for integration in [Integration::Explicit, Integration::Implicit] {
        let mut world = World::new(viscous(integration, RETARDATION));
        let random = RandomStream::new(6, 0);
        for (i, v) in world.state.particles.velocity.iter_mut().enumerate() {
            let number = |k: u64| random.unit(3 * i as u64 + k) - 0.5;
            *v = to_real(DVec3::new(number(0), number(1), number(2)) + DVec3::X);
        }
        let start = momentum(&world);
        advance(&mut world, 1e-5, 100, 2).expect("sound flesh");
        let error = momentum(&world).distance(start) / start.length();
        assert!(
            error < by_precision(1e-12, 1e-5),
            "{integration:?} {error:e}"
        );
    }
}

#[test]
fn a_viscous_block_comes_to_rest_in_the_time_of_its_modes() {
    // w^2 tau/2 of the slowest mode of a bar that breathes along z, w = pi c/L.
    let mut setup = viscous(Integration::Explicit, RETARDATION);
    settings(&mut setup).hourglass = 0.1;
    let rate = DMat3::from_cols(DVec3::ZERO, DVec3::ZERO, DVec3::Z * 0.5);
    let energy = |world: &World| {
        let p = &world.state.particles;
        (0..p.len())
            .map(|i| f64::from(p.mass[i]) * to_double(p.velocity[i]).length_squared())
            .sum::<f64>()
    };
    let mut world = moving(setup, rate);
    let start = energy(&world);
    let dt = 5e-5;
    advance(&mut world, dt, (0.2 / dt) as usize, 2).expect("sound flesh");
    assert!(
        energy(&world) < 1e-4 * start,
        "{} of {start}",
        energy(&world)
    );
}
