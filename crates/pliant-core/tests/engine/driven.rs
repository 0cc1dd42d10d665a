//! Colliders that are driven from outside.

use pliant_core::boundaries::Motion;
use pliant_core::step::{CpuStepper, Stepper, advance_frame, frame_substeps};
use pliant_core::world::{DriveError, Setup, State, World};
use pliant_geometry::shapes::{Plane, Sphere};
use pliant_math::{DQuat, DVec3, Pose, to_double};

use crate::blocks::{block, collider, setup};
use crate::worlds::advance;

const DT: f64 = 1e-3;
const G: f64 = 9.81;

fn at(translation: DVec3) -> Pose {
    Pose {
        translation,
        ..Pose::IDENTITY
    }
}

/// A block on a plate that is driven.
fn on_plate() -> Setup {
    let rubber = block(0, [4, 3, 4], 0.05, DVec3::ZERO, DVec3::ZERO);
    let mut setup = setup(vec![rubber]);
    let start = Pose::IDENTITY;
    let plate = collider(Plane { normal: DVec3::Y }, Motion::Driven { start });
    setup.colliders = vec![plate];
    setup
}

fn mean_velocity(world: &World) -> DVec3 {
    let velocity = &world.state.particles.velocity;
    velocity.iter().map(|&v| to_double(v)).sum::<DVec3>() / velocity.len() as f64
}

#[test]
fn a_driven_plate_lifts_what_lies_on_it_and_feels_its_weight() {
    let mut world = World::new(on_plate());
    let mut stepper = CpuStepper::new(2).expect("threads");
    let mass: f64 = world
        .state
        .particles
        .mass
        .iter()
        .map(|&m| f64::from(m))
        .sum();
    world.drive_to(0, at(DVec3::Y * 0.6), 0.6).expect("driven");
    let mut impulse = 0.0;
    for substep in 0..600 {
        let report = stepper.substep(&mut world, DT).expect("a sound scene");
        if substep == 300 {
            let speed = mean_velocity(&world).y;
            assert!((speed - 1.0).abs() < 0.02, "{speed}");
        }
        impulse += report.collider_impulse[0].y;
    }
    // Lifted by 0.6 m, at the speed of the plate.
    let given = -impulse / (mass * (G * 0.6 + 1.0));
    assert!((given - 1.0).abs() < 0.02, "{given}");
    assert_eq!(world.collider_pose(0), Some(at(DVec3::Y * 0.6)));
    advance(&mut world, DT, 100, 1).expect("a sound scene");
    assert_eq!(world.collider_pose(0), Some(at(DVec3::Y * 0.6)));
}

#[test]
fn it_moves_as_a_collider_with_the_same_keyframes_of_constant_speed() {
    let mut driven = World::new(on_plate());
    driven
        .drive(0, DVec3::Y * -0.5, DVec3::ZERO)
        .expect("driven");
    let mut constant = on_plate();
    constant.colliders[0].motion = Motion::Constant {
        start: Pose::IDENTITY,
        velocity: DVec3::Y * -0.5,
        spin: DVec3::ZERO,
    };
    let mut constant = World::new(constant);
    let count = |world: &World| frame_substeps(&world.setup, &world.state);
    assert!((count(&driven) - count(&constant)).abs() < 0.5);
    advance(&mut driven, DT, 200, 2).expect("a sound scene");
    advance(&mut constant, DT, 200, 1).expect("a sound scene");
    let positions = |world: &World| world.state.particles.position.clone();
    assert_eq!(positions(&driven), positions(&constant));
}

#[test]
fn a_fast_drive_shortens_the_step() {
    let mut world = World::new(on_plate());
    let before = frame_substeps(&world.setup, &world.state);
    world
        .drive(0, DVec3::Y * 200.0, DVec3::ZERO)
        .expect("driven");
    let after = frame_substeps(&world.setup, &world.state);
    // 0.4 r of 0.05 m at 200 m/s.
    assert!(after >= 400.0 && after > 2.0 * before, "{before} {after}");
}

#[test]
fn it_turns_the_shorter_way_to_just_the_target() {
    let mut world = World::new(on_plate());
    let turn = DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 2.5);
    for (target, angle) in [(turn, 2.5), (-turn, 0.0), (DQuat::IDENTITY, 2.5)] {
        let from = world.collider_pose(0).expect("a plate").rotation;
        let goal = Pose {
            rotation: target,
            translation: DVec3::ONE,
        };
        world.drive_to(0, goal, 1.0).expect("driven");
        world.state.time += 0.5;
        let half = world.collider_pose(0).expect("a plate").rotation;
        assert!((from.angle_between(half) - 0.5 * angle).abs() < 1e-7);
        world.state.time += 0.5;
        assert_eq!(world.collider_pose(0), Some(goal));
    }
}

#[test]
fn a_run_resumed_while_it_is_driven_has_the_same_bits() {
    let drive = |world: &mut World, stepper: &mut CpuStepper, frames: u32| {
        for _ in 0..frames {
            advance_frame(world, stepper, &mut |_| ()).expect("a sound frame");
        }
    };
    let mut world = World::new(on_plate());
    let mut stepper = CpuStepper::new(2).expect("threads");
    world.drive_to(0, at(DVec3::Y * 0.1), 0.2).expect("driven");
    drive(&mut world, &mut stepper, 2);
    let saved = world.state.to_bytes();
    drive(&mut world, &mut stepper, 5);
    let mut resumed = World::new(on_plate());
    resumed.state = State::from_bytes(&saved, &resumed.setup).expect("its own bytes");
    drive(&mut resumed, &mut CpuStepper::new(1).expect("a thread"), 5);
    assert!(world.state.to_bytes() == resumed.state.to_bytes());
    let mut other = on_plate();
    other.colliders[0].motion = Motion::Rest(Pose::IDENTITY);
    assert!(State::from_bytes(&saved, &other).is_err());
}

#[test]
fn a_collider_can_be_taken_over_while_it_moves_and_let_go() {
    let mut setup = on_plate();
    let spin = DVec3::Y;
    let turning = Motion::Constant {
        start: at(DVec3::new(0.1, 0.5, 0.1)),
        velocity: DVec3::ZERO,
        spin,
    };
    let ball = collider(Sphere { radius: 0.05 }, turning.clone());
    setup.colliders.push(ball);
    let mut world = World::new(setup);
    advance(&mut world, DT, 50, 1).expect("a sound scene");
    let there = world.collider_pose(1).expect("a ball");
    let start = Pose::IDENTITY;
    world
        .change(|setup| setup.colliders[1].motion = Motion::Driven { start })
        .expect("a motion");
    assert_eq!(world.collider_pose(1), Some(there));
    world.drive(1, DVec3::X, DVec3::ZERO).expect("driven");
    advance(&mut world, DT, 50, 1).expect("a sound scene");
    let moved = world.collider_pose(1).expect("a ball").translation - there.translation;
    assert!(moved.distance(DVec3::X * 0.05) < 1e-12, "{moved}");
    world
        .change(|setup| setup.colliders[1].motion = turning)
        .expect("a motion");
    let own = world.setup.colliders[1].motion.pose(world.state.time);
    assert_eq!(world.collider_pose(1), Some(own));
}

#[test]
fn what_is_not_driven_or_not_finite_is_refused() {
    let mut setup = on_plate();
    setup.colliders[0].motion = Motion::Rest(Pose::IDENTITY);
    let mut world = World::new(setup);
    let error = world.drive(0, DVec3::X, DVec3::ZERO).expect_err("at rest");
    assert_eq!(error, DriveError::NotDriven(0));
    assert!(world.drive_to(7, Pose::IDENTITY, 1.0).is_err());
    let mut world = World::new(on_plate());
    let before = world.state.to_bytes();
    for duration in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(world.drive_to(0, Pose::IDENTITY, duration).is_err());
    }
    assert!(world.drive_to(0, at(DVec3::NAN), 1.0).is_err());
    assert!(world.drive(0, DVec3::INFINITY, DVec3::ZERO).is_err());
    assert!(world.state.to_bytes() == before);
}
