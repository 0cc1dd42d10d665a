//! What moves freely: momenta, energy, how long steps may be.

use std::f64::consts::TAU;

use pliant_core::boundaries::Motion;
use pliant_core::measure::Energies;
use pliant_core::methods::muscle::{
    Activation, Incompressibility, Integration, Muscle, MuscleSetup, TravelingWave, step_choice,
};
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::{BodyGrain, State, World};
use pliant_geometry::shapes::Plane;
use pliant_math::simd::Instructions;
use pliant_math::{DVec3, Pose, RandomStream, to_double, to_real};

use super::{DENSITY, SPACING, YOUNGS_MODULUS, block, by_precision, corotated, settings, world_of};
use crate::blocks::collider;
use crate::worlds::{advance, momentum};

fn angular_momentum(world: &World) -> DVec3 {
    let p = &world.state.particles;
    let of = |i: usize| p.position[i].cross(to_double(p.velocity[i])) * f64::from(p.mass[i]);
    (0..p.len()).map(of).sum()
}

/// A block that spins at 10 rad/s about a skew axis, for 2 s: the part of its angular momentum that it loses.
fn spin_loss(integration: Integration, incompressibility: Incompressibility, dt: f64) -> f64 {
    let mut setup = world_of(corotated(0.3), vec![block([4, 5, 6])]);
    let chosen = settings(&mut setup);
    (chosen.integration, chosen.incompressibility) = (integration, incompressibility);
    let mut world = World::new(setup);
    let p = &mut world.state.particles;
    let center = DVec3::new(2.0, 2.5, 3.0) * SPACING;
    for i in 0..p.len() {
        let spin = DVec3::new(6.0, 0.0, 8.0);
        p.velocity[i] = to_real(spin.cross(p.position[i] - center));
    }
    let start = angular_momentum(&world);
    advance(&mut world, dt, (2.0 / dt).round() as usize, 2).expect("sound flesh");
    (angular_momentum(&world) - start).length() / start.length()
}

#[test]
fn explicit_steps_keep_spin() {
    for volume in [Incompressibility::None, Incompressibility::Velocity] {
        let loss = spin_loss(Integration::Explicit, volume, 8e-4);
        assert!(loss < by_precision(1e-10, 1e-4), "{volume:?} {loss:e}");
    }
}

#[test]
fn implicit_steps_keep_spin() {
    for volume in [Incompressibility::None, Incompressibility::Velocity] {
        for dt in [1e-3, 4e-3] {
            let loss = spin_loss(Integration::Implicit, volume, dt);
            assert!(loss < by_precision(1e-3, 1e-3), "{volume:?} {dt} {loss:e}");
        }
    }
}

/// A block stretched by 2 % with noise, after half a second of a step of so many longest ones: its energy over that
/// at the start; infinite if it blew up.
fn energy_ratio(poissons_ratio: f64, integration: Integration, steps: f64) -> f64 {
    let mut setup = world_of(corotated(poissons_ratio), vec![block([6, 6, 8])]);
    settings(&mut setup).integration = integration;
    let of_method = MuscleSetup::of(&setup);
    let dt = steps * step_choice(&of_method, &of_method.bodies[0]).seconds;
    let mut world = World::new(setup);
    let random = RandomStream::new(7, 0);
    let p = &mut world.state.particles;
    for i in 0..p.len() {
        let number = |k: u64| random.unit(3 * u64::from(p.id[i]) + k) - 0.5;
        let noise = DVec3::new(number(0), number(1), number(2)) * (0.02 * SPACING);
        p.position[i] = p.position[i] * 1.02 + noise;
    }
    let start = Energies::of(&world, |_| true).elastic;
    match advance(&mut world, dt, (0.5 / dt) as usize, 2) {
        Ok(()) => {
            let end = Energies::of(&world, |_| true);
            (end.elastic + end.kinetic) / start
        }
        Err(_) => f64::INFINITY,
    }
}

#[test]
fn the_longest_explicit_step_is_stable_and_not_far_from_what_is_not() {
    for nu in [0.0, 0.3, 0.49] {
        // Energy at the times of the velocities swings by the step.
        let ratio = energy_ratio(nu, Integration::Explicit, 1.0);
        assert!((0.7..1.3).contains(&ratio), "{nu}: {ratio}");
        let ratio = energy_ratio(nu, Integration::Explicit, 3.5);
        assert!(ratio > 2.0, "{nu}: {ratio}");
    }
}

#[test]
fn implicit_steps_of_any_length_gain_no_energy() {
    for (nu, steps) in [(0.3, 1.0), (0.3, 5.0), (0.49, 5.0)] {
        let ratio = energy_ratio(nu, Integration::Implicit, steps);
        assert!(ratio < 1.02, "{nu} {steps}: {ratio}");
    }
}

#[test]
fn keeping_the_volume_gains_no_energy() {
    for integration in [Integration::Explicit, Integration::Implicit] {
        let mut setup = world_of(corotated(0.3), vec![block([6, 6, 8])]);
        let chosen = settings(&mut setup);
        chosen.integration = integration;
        chosen.incompressibility = Incompressibility::Velocity;
        let of_method = MuscleSetup::of(&setup);
        let dt = step_choice(&of_method, &of_method.bodies[0]).seconds;
        let mut world = World::new(setup);
        for x in &mut world.state.particles.position {
            // Longer by a tenth, and thinner by as much as keeps the volume.
            *x *= DVec3::new(1.1_f64.powf(-0.5), 1.1_f64.powf(-0.5), 1.1);
        }
        let start = Energies::of(&world, |_| true).elastic;
        advance(&mut world, dt, (0.5 / dt) as usize, 2).expect("sound flesh");
        let end = Energies::of(&world, |_| true);
        let ratio = (end.elastic + end.kinetic) / start;
        // Energy at the times of the velocities swings by the step.
        assert!(ratio < 1.05, "{integration:?}: {ratio}");
    }
}

/// The greatest energy that a beam of flesh which starts with none comes to while it swings under its weight through
/// five periods, over the greatest elastic energy. A wave along it crosses three spacings in a step.
fn energy_of_swing(poissons_ratio: f64) -> f64 {
    let [height, length] = [4.0 * SPACING, 18.5 * SPACING];
    let speed = (YOUNGS_MODULUS / DENSITY).sqrt();
    let mut setup = world_of(corotated(poissons_ratio), vec![block([4, 4, 20])]);
    // At rest it sags by a tenth of its length: 3/2 rho g L^4/(E h^2).
    setup.gravity = DVec3::X * (0.1 * (speed * height).powi(2) / (1.5 * length.powi(3)));
    settings(&mut setup).integration = Integration::Implicit;
    settings(&mut setup).incompressibility = Incompressibility::Velocity;
    let particles = &mut setup.bodies[0].particles;
    for (x, pinned) in particles.position.iter().zip(&mut particles.is_pinned) {
        *pinned = x.z < 2.0 * SPACING;
    }
    let mut world = World::new(setup);
    let start = Energies::of(&world, |_| true).gravitational;
    let frequency = 3.516 * speed * height / (12.0_f64.sqrt() * length * length);
    let dt = 3.0 * SPACING / speed;
    let steps = 5.0 * TAU / (frequency * dt);
    let (mut total, mut elastic) = (0.0_f64, 0.0_f64);
    for _ in 0..(steps / 10.0) as usize {
        advance(&mut world, dt, 10, 2).expect("sound flesh");
        let now = Energies::of(&world, |_| true);
        total = total.max(now.kinetic + now.elastic + now.gravitational - start);
        elastic = elastic.max(now.elastic);
    }
    total / elastic
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn a_beam_that_keeps_its_volume_swings_no_higher() {
    for nu in [0.0, 0.3, 0.45] {
        let gained = energy_of_swing(nu);
        assert!(gained < 0.02, "{nu}: {gained}");
    }
}

#[test]
fn momentum_is_kept_by_all_forms_of_the_step() {
    for integration in [Integration::Explicit, Integration::Implicit] {
        let mut setup = world_of(corotated(0.4), vec![block([5, 4, 6])]);
        let chosen = settings(&mut setup);
        chosen.integration = integration;
        chosen.incompressibility = Incompressibility::Velocity;
        let mut world = World::new(setup);
        let random = RandomStream::new(9, 0);
        let p = &mut world.state.particles;
        for i in 0..p.len() {
            let number = |k: u64| random.unit(6 * u64::from(p.id[i]) + k) - 0.5;
            p.position[i] += DVec3::new(number(0), number(1), number(2)) * (0.1 * SPACING);
            let velocity = DVec3::new(number(3), number(4), number(5)) * 0.3 + DVec3::X;
            p.velocity[i] = to_real(velocity);
        }
        let start = momentum(&world);
        advance(&mut world, 5e-4, 200, 2).expect("sound flesh");
        let error = momentum(&world).distance(start) / start.length();
        assert!(
            error < by_precision(1e-12, 1e-5),
            "{integration:?} {error:e}"
        );
    }
}

/// A bar with a muscle that a wave passes, falling onto a floor on its side.
fn crawling(integration: Integration) -> World {
    let mut flesh = block([4, 4, 12]);
    let wave = Activation::Wave(TravelingWave {
        mean: 0.5,
        amplitude: 0.5,
        frequency: 3.0,
        phase: 0.0,
    });
    flesh.add(Muscle::new("bundle", 1e5, wave), |_, x| {
        (x.x < 2.0 * SPACING).then_some((DVec3::Z, x.z / (12.0 * SPACING)))
    });
    let mut setup = world_of(corotated(0.4), vec![flesh]);
    setup.gravity = DVec3::Y * -9.81;
    setup.bodies[0].grain = Some(BodyGrain {
        axis: DVec3::Z,
        factor: 0.1,
    });
    setup.colliders.push(collider(
        Plane { normal: DVec3::Y },
        Motion::Rest(Pose::IDENTITY),
    ));
    let chosen = settings(&mut setup);
    chosen.integration = integration;
    chosen.incompressibility = Incompressibility::Velocity;
    World::new(setup)
}

fn bits(world: &World) -> Vec<u64> {
    let p = &world.state.particles;
    let position = p.position.iter().flat_map(|x| x.to_array());
    position.map(f64::to_bits).collect()
}

#[test]
fn bits_do_not_depend_on_threads_instructions_and_dropped_steppers() {
    for integration in [Integration::Explicit, Integration::Implicit] {
        let dt = 8e-4;
        let mut world = crawling(integration);
        advance(&mut world, dt, 60, 1).expect("sound flesh");
        for threads in [2, 4] {
            let mut other = crawling(integration);
            advance(&mut other, dt, 25, threads).expect("sound flesh");
            let saved = other.state.to_bytes();
            let mut again = crawling(integration);
            let setup = std::sync::Arc::clone(&again.setup);
            again.state = State::from_bytes(&saved, &setup).expect("its own state");
            advance(&mut again, dt, 35, 1).expect("sound flesh");
            assert!(bits(&world) == bits(&again), "{integration:?} {threads}");
        }
        for instructions in Instructions::available() {
            let mut other = crawling(integration);
            let mut stepper = CpuStepper::new(1).expect("threads");
            stepper.set_instructions(instructions);
            for _ in 0..60 {
                stepper.substep(&mut other, dt).expect("sound flesh");
            }
            assert!(
                bits(&world) == bits(&other),
                "{integration:?} {instructions}"
            );
        }
    }
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn flesh_rests_on_a_floor() {
    // Explicit steps end at a few times what gravity gives in one, 0.008 m/s.
    for (integration, dt, quiet) in [
        (Integration::Explicit, 8e-4, 0.05),
        (Integration::Implicit, 4e-3, 1e-5),
    ] {
        let mut setup = world_of(corotated(0.4), vec![block([6, 5, 7])]);
        setup.gravity = DVec3::Y * -9.81;
        setup.solver.damping = 3.0;
        setup.colliders.push(collider(
            Plane { normal: DVec3::Y },
            Motion::Rest(Pose::IDENTITY),
        ));
        let chosen = settings(&mut setup);
        chosen.integration = integration;
        chosen.incompressibility = Incompressibility::Velocity;
        let mut world = World::new(setup);
        advance(&mut world, dt, (2.0 / dt) as usize, 2).expect("sound flesh");
        let speed = crate::worlds::greatest_speed(&world);
        assert!(speed < quiet, "{integration:?} {speed}");
        let low = world.state.particles.position.iter().map(|x| x.y);
        let low = low.fold(f64::INFINITY, f64::min) / SPACING;
        assert!((0.3..0.6).contains(&low), "{integration:?} {low}");
    }
}
