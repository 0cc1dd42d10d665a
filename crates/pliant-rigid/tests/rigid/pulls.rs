//! Springs that pull at points of rigid bodies.

use std::sync::Arc;

use pliant_core::attachments::{Attachment, AttachmentKind};
use pliant_core::boundaries::Motion;
use pliant_core::schedule::Schedule;
use pliant_core::step::{CpuStepper, advance_frame};
use pliant_core::world::World;
use pliant_geometry::Shape;
use pliant_geometry::shapes::{Box, Plane};
use pliant_math::{DVec3, Pose};

use crate::worlds::{Scene, Solid, pose, run, run_frames};

const G: f64 = 9.81;

/// A spring of a compliance [m/N] at a point of the first body, which is where that is at the start.
fn spring(point: DVec3, place: DVec3, collider: Option<u32>, compliance: f64) -> Attachment {
    Attachment {
        name: "hand".into(),
        particles: vec![0],
        kind: AttachmentKind::PullRigid {
            body: 0,
            point,
            collider,
            target: place,
            compliance,
            strength: Schedule::Constant(1.0),
        },
    }
}

fn cuboid(size: DVec3) -> Arc<dyn Shape> {
    Arc::new(Box {
        half_size: 0.5 * size,
    })
}

#[test]
fn a_body_hangs_as_far_below_as_its_weight_asks_for_and_upright() {
    let shape = cuboid(DVec3::new(0.2, 0.1, 0.1));
    let mut scene = Scene::new().with(&Solid::new(&shape, 2.0, DVec3::ZERO));
    scene.setup.solver.damping = 8.0;
    let corner = DVec3::new(0.1, 0.05, 0.05);
    scene.setup.attachments = vec![spring(corner, corner, None, 1e-3)];
    let mut world = scene.world(vec![]);
    run(&mut world, 6.0, 1e-3, |_| ());
    let held = pose(&world, 0).to_world(corner);
    let expected = corner - DVec3::Y * (2.0 * G * 1e-3);
    assert!((held - expected).length() < 1e-4, "{held}");
    let center = pose(&world, 0).translation;
    let aside = (center - held) * DVec3::new(1.0, 0.0, 1.0);
    assert!(center.y < held.y && aside.length() < 1e-4, "{center}");
}

#[test]
fn a_rod_swings_about_its_held_end_as_a_physical_pendulum() {
    // 2 pi sqrt(2 L/(3 g)) for a thin rod, times 1 + a^2/16 for the amplitude a.
    let (length, width, angle) = (0.6, 0.01, 0.1);
    let shape = cuboid(DVec3::new(width, length, width));
    let mut solid = Solid::new(&shape, 0.3, DVec3::ZERO);
    let end = DVec3::Y * (0.5 * length);
    solid.pose = Pose::from_euler(DVec3::ZERO, DVec3::Z * angle);
    let place = solid.pose.to_world(end);
    let mut scene = Scene::new().with(&solid);
    scene.setup.attachments = vec![spring(end, place, None, 1e-7)];
    let mut world = scene.world(vec![]);
    let mut crossings = Vec::new();
    let mut before = -place.x;
    run(&mut world, 4.0, 5e-4, |world| {
        let now = pose(world, 0).translation.x - place.x;
        if before * now < 0.0 {
            crossings.push(world.state.time - 5e-4 * now / (now - before));
        }
        before = now;
    });
    let half_turns = crossings.len() - 1;
    let period = 2.0 * (crossings[half_turns] - crossings[0]) / half_turns as f64;
    let inertia = length * (1.0 + (width / length).powi(2) / 4.0);
    let expected =
        std::f64::consts::TAU * (2.0 * inertia / (3.0 * G)).sqrt() * (1.0 + angle * angle / 16.0);
    assert!(
        (period / expected - 1.0).abs() < 2e-3,
        "{period} {expected}"
    );
    let off = pose(&world, 0).to_world(end).distance(place);
    assert!(off < 1e-4, "{off}");
}

#[test]
fn a_sleeping_body_is_woken_and_lifted() {
    let floor: Arc<dyn Shape> = Arc::new(Plane { normal: DVec3::Y });
    let shape = cuboid(DVec3::splat(0.1));
    let crate_ = Solid::new(&shape, 1.0, DVec3::Y * 0.05);
    let mut world = Scene::new()
        .on(floor, Pose::IDENTITY, 0.5)
        .with(&crate_)
        .world(vec![]);
    run_frames(&mut world, 1.5, |_, _, _| ());
    let top = DVec3::Y * 0.05;
    let above = spring(top, DVec3::Y * 0.4, None, 1.0 / 625.0);
    world.attach(above).expect("it is there");
    let mut highest: f64 = 0.0;
    run_frames(&mut world, 0.5, |world, _, _| {
        highest = highest.max(pose(world, 0).translation.y);
    });
    assert!(highest > 0.3, "{highest}");
}

#[test]
fn a_body_that_is_dragged_and_let_go_gains_nothing_that_was_not_paid_for() {
    let floor: Arc<dyn Shape> = Arc::new(Plane { normal: DVec3::Y });
    let knob: Arc<dyn Shape> = Arc::new(pliant_geometry::shapes::Sphere { radius: 0.01 });
    let shape = cuboid(DVec3::new(0.2, 0.1, 0.1));
    let corner = DVec3::new(0.1, 0.05, 0.05);
    let mut scene = Scene::new()
        .on(
            floor,
            Pose::from_euler(DVec3::NEG_Y * 0.05, DVec3::ZERO),
            0.5,
        )
        .on(knob, Pose::IDENTITY, 0.0)
        .with(&Solid::new(&shape, 2.0, DVec3::ZERO));
    scene.setup.colliders[1].motion = Motion::Constant {
        start: Pose::from_euler(corner + DVec3::Y * 0.2, DVec3::ZERO),
        velocity: DVec3::new(3.0, 0.5, 0.0),
        spin: DVec3::ZERO,
    };
    let strength = Schedule::Keyframes {
        keyframes: vec![(0.3, 1.0), (0.3001, 0.0)],
        ease: pliant_core::schedule::Ease::Linear,
    };
    let mut attachment = spring(corner, DVec3::NEG_Y * 0.2, Some(1), 1.0 / 1250.0);
    if let AttachmentKind::PullRigid { strength: own, .. } = &mut attachment.kind {
        *own = strength;
    }
    scene.setup.attachments = vec![attachment];
    let mut world = scene.weightless().world(vec![]);
    let mut stepper = CpuStepper::new(1).expect("a thread");
    for _ in 0..48 {
        advance_frame(&mut world, &mut stepper, &mut |_| ()).expect("a sound frame");
    }
    let account = world.state.account;
    assert!(account.greatest_motion > 1.0, "it was dragged: {account:?}");
    assert!(
        account.gained <= 1e-3 * account.greatest_motion,
        "{account:?}"
    );
}

#[test]
fn what_is_not_there_is_not_pulled() {
    let shape = cuboid(DVec3::splat(0.1));
    let mut world: World = Scene::new()
        .with(&Solid::new(&shape, 1.0, DVec3::ZERO))
        .world(vec![]);
    let mut wrong = spring(DVec3::ZERO, DVec3::ZERO, None, 1.0);
    if let AttachmentKind::PullRigid { body, .. } = &mut wrong.kind {
        *body = 1;
    }
    assert!(world.attach(wrong).is_err());
    assert!(
        world
            .attach(spring(DVec3::ZERO, DVec3::ZERO, Some(0), 1.0))
            .is_err()
    );
    assert!(
        world
            .attach(spring(DVec3::ZERO, DVec3::ZERO, None, 1.0))
            .is_ok()
    );
}
