//! The operations of a substep, one at a time.

use pliant_core::boundaries::Motion;
use pliant_core::step::{CpuStepper, Operation, Stepper, operations};
use pliant_core::world::World;
use pliant_geometry::shapes::Sphere;
use pliant_math::{DVec3, Pose};

use crate::blocks::{block, collider, setup};
use crate::worlds::momentum;

const DT: f64 = 1e-3;

/// Sand that a falling block of rubber hits, and a ball that both meet.
fn scene() -> World {
    let sand = block(2, [8, 5, 8], 0.05, DVec3::ZERO, DVec3::ZERO);
    let place = DVec3::new(0.1, 0.26, 0.1);
    let rubber = block(0, [3, 3, 3], 0.06, place, DVec3::Y * -2.0);
    let mut setup = setup(vec![sand, rubber]);
    let at = Pose {
        translation: DVec3::new(0.2, 0.1, 0.2),
        ..Pose::IDENTITY
    };
    let ball = Sphere { radius: 0.05 };
    setup.colliders.push(collider(ball, Motion::Rest(at)));
    World::new(setup)
}

#[test]
fn operations_one_at_a_time_are_the_substep() {
    let mut whole = scene();
    let mut stepper = CpuStepper::new(2).expect("threads");
    for _ in 0..20 {
        stepper.substep(&mut whole, DT).expect("a sound scene");
    }
    let mut parts = scene();
    let mut stepper = CpuStepper::new(1).expect("a thread");
    for _ in 0..20 {
        stepper.begin(&parts);
        for (_, operation) in operations(parts.setup.solver.iterations) {
            let done = stepper.operate(operation, &mut parts, DT);
            done.expect("a sound scene");
        }
        assert!(stepper.end().contacts > 0);
    }
    assert!(whole.state.to_bytes() == parts.state.to_bytes());
}

#[test]
fn what_each_operation_does_to_momentum_is_seen_between_them() {
    let mut world = scene();
    let mut stepper = CpuStepper::new(2).expect("threads");
    let mass: f64 = world
        .state
        .particles
        .mass
        .iter()
        .map(|&m| f64::from(m))
        .sum();
    stepper.begin(&world);
    for (_, operation) in operations(world.setup.solver.iterations) {
        let before = momentum(&world);
        let done = stepper.operate(operation, &mut world, DT);
        done.expect("a sound scene");
        let change = momentum(&world) - before;
        match operation {
            Operation::Accelerate => {
                let expected = DVec3::Y * (-9.81 * mass * DT);
                assert!(change.distance(expected) < 1e-4 * expected.length());
            }
            // The floor and the ball take momentum; nothing else may.
            Operation::ProjectContacts | Operation::Restore | Operation::StopPassages => {}
            // Single precision: rounding of 3000 impulses.
            _ => assert!(change.length() < 1e-4 * mass * DT, "{operation:?} {change}"),
        }
    }
}
