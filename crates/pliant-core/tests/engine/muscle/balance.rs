//! Work of muscles in implicit steps.

use pliant_core::measure::Energies;
use pliant_core::methods::muscle::{Activation, Integration, Muscle};
use pliant_core::schedule::{Ease, Schedule};
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::World;
use pliant_math::DVec3;

use super::{block, corotated, settings, world_of};

/// Damping of velocities [1/s], and the step [s], which is so short that the implicit step loses little.
const DAMPING: f64 = 40.0;
const STEP: f64 = 4e-5;

/// A free bar that contracts as quickly as a wave passes it.
fn twitching() -> World {
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
    let chosen = settings(&mut setup);
    chosen.integration = Integration::Implicit;
    chosen.tolerance = 1e-6;
    World::new(setup)
}

#[test]
fn the_work_of_a_muscle_in_implicit_steps_is_what_its_body_gains_and_what_damping_takes() {
    let mut world = twitching();
    let energies = |world: &World| Energies::of(world, |_| true);
    let start = energies(&world).elastic;
    let mut stepper = CpuStepper::new(2).expect("threads");
    let (mut work, mut taken) = (0.0, 0.0);
    for _ in 0..2500 {
        let report = stepper.substep(&mut world, STEP).expect("sound flesh");
        work += report.work.motors;
        // Velocities are 1/(1 + c dt) of what they were before.
        taken += energies(&world).kinetic * ((1.0 + DAMPING * STEP).powi(2) - 1.0);
    }
    let end = energies(&world);
    let gained = end.elastic + end.kinetic - start;
    assert!(taken > 0.1 * work, "{taken} of {work}");
    let off = (gained + taken) / work - 1.0;
    assert!(off.abs() < 0.05, "{off}: {gained} and {taken} of {work}");
}
