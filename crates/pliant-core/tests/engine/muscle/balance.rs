//! Work of muscles: what of it is found again.

use pliant_core::measure::Energies;
use pliant_core::methods::muscle::{
    Activation, Incompressibility, Integration, Muscle, MuscleSetup, read_muscles,
};
use pliant_core::schedule::{Ease, Schedule};
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::World;
use pliant_math::DVec3;

use super::{SPACING, block, corotated, settings, world_of};

/// Damping of velocities [1/s], and the step [s], which is so short that the implicit step loses little.
const DAMPING: f64 = 40.0;
const STEP: f64 = 4e-5;

/// A bar that contracts as quickly as a wave passes it.
///
/// * `is_held` — hung up by its first layer of particles, with weight
fn twitching(
    integration: Integration,
    incompressibility: Incompressibility,
    is_held: bool,
) -> World {
    let ramp = Schedule::Keyframes {
        keyframes: vec![(0.0, 0.0), (0.02, 1.0)],
        ease: Ease::Smooth,
    };
    let mut flesh = block([4, 4, 10]);
    let mut muscle = Muscle::new("bundle", 2e5, Activation::Scheduled(ramp));
    muscle.peak_stress = 3e4;
    flesh.add(muscle, |_, _| Some((DVec3::Z, 0.0)));
    let mut setup = world_of(corotated(0.3), vec![flesh]);
    setup.solver.damping = DAMPING;
    if is_held {
        setup.gravity = DVec3::Z * 9.81;
        let particles = &mut setup.bodies[0].particles;
        let first = particles
            .position
            .iter()
            .map(|x| x.z)
            .fold(f64::INFINITY, f64::min);
        let columns = particles.is_pinned.iter_mut().zip(&particles.position);
        for (pinned, x) in columns {
            *pinned = x.z < first + 1e-6;
        }
    }
    let chosen = settings(&mut setup);
    chosen.integration = integration;
    chosen.incompressibility = incompressibility;
    chosen.tolerance = 1e-6;
    World::new(setup)
}

/// What is found again of the work of the muscle, and what damping takes of it, over the work; and what the power that is
/// read off adds up to over the mean tension along the way of the mean stretch.
fn balance(mut world: World) -> [f64; 3] {
    let energies = |world: &World| Energies::of(world, |_| true);
    let stored = |of: Energies| of.elastic + of.gravitational;
    let start = stored(energies(&world));
    let mut stepper = CpuStepper::new(2).expect("threads");
    let (mut work, mut taken) = (0.0, 0.0);
    let volume = world.state.particles.len() as f64 * SPACING.powi(3);
    let read = |world: &World| {
        let state = &world.state;
        let setup = MuscleSetup::of(&world.setup);
        read_muscles(&setup, &state.particles, state.methods.of()).remove(0)
    };
    let (mut by_power, mut by_tension, mut before) = (0.0, 0.0, read(&world));
    for _ in 0..1250 {
        let report = stepper.substep(&mut world, STEP).expect("sound flesh");
        work += report.work.motors;
        // Velocities are 1/(1 + c dt) of what they were before.
        taken += energies(&world).kinetic * ((1.0 + DAMPING * STEP).powi(2) - 1.0);
        let now = read(&world);
        by_power += 0.5 * (before.power + now.power) * STEP;
        let tension = 0.5 * (before.tension + now.tension);
        by_tension += tension * (before.stretch - now.stretch) * volume;
        before = now;
    }
    let end = energies(&world);
    let gained = stored(end) + end.kinetic - start;
    [(gained + taken) / work, taken / work, by_power / by_tension]
}

#[test]
fn the_work_of_a_muscle_is_what_its_body_gains_and_what_damping_takes() {
    for integration in [Integration::Implicit, Integration::Explicit] {
        for (incompressibility, lost) in [
            (Incompressibility::None, 0.05),
            (Incompressibility::Velocity, 0.05),
            // What is as dense as at rest stops at once where it would get denser.
            (Incompressibility::Density, 0.1),
        ] {
            let is_held = integration == Integration::Explicit;
            let world = twitching(integration, incompressibility, is_held);
            let [found, taken, read] = balance(world);
            let name = format!("{integration:?}, {incompressibility:?}");
            println!("{name}: found {found}, taken {taken}, read {read}");
            assert!(taken > 0.1, "{name}: {taken}");
            assert!(found > 1.0 - lost && found < 1.05, "{name}: {found}");
            assert!((read - 1.0).abs() < 0.1, "{name}: {read}");
        }
    }
}
