//! Bodies under joints.

use pliant_core::methods::rigid::RigidColumns;
use std::f64::consts::PI;
use std::sync::Arc;

use pliant_geometry::Shape;
use pliant_geometry::shapes::{Box, Plane, Sphere};
use pliant_math::{DVec3, Pose, to_double};
use pliant_rigid::{End, Joint, JointKind, Motor};

use crate::worlds::{Scene, Solid, energy, place, pose, run, run_frames};

fn joint(kind: JointKind, anchor: DVec3, axis: DVec3) -> Joint {
    Joint {
        name: "joint".into(),
        ends: [End::World, End::Body(0)],
        anchor,
        axis,
        kind,
        limits: None,
        motor: None,
        collides: true,
    }
}

#[test]
fn a_pendulum_has_its_period() {
    let shape: Arc<dyn Shape> = Arc::new(Sphere { radius: 0.05 });
    let (length, angle): (f64, f64) = (0.5, 0.1);
    for kind in [JointKind::Ball, JointKind::Hinge] {
        let start = DVec3::new(angle.sin(), -angle.cos(), 0.0) * length;
        let solid = Solid::new(&shape, 1.0, start);
        let scene = Scene::new().with(&solid);
        let mut world = scene.world(vec![joint(kind, DVec3::ZERO, DVec3::Z)]);
        let mut crossings = Vec::new();
        let mut before = start.x;
        run(&mut world, 6.0, 1e-3, |world| {
            let x = pose(world, 0).translation.x;
            if before < 0.0 && x >= 0.0 {
                let part = -before / (x - before);
                crossings.push(world.state.time - 1e-3 * (1.0 - part));
            }
            before = x;
        });
        let count = crossings.len() - 1;
        let period = (crossings[count] - crossings[0]) / count as f64;
        // Physical pendulum, with the first term of its amplitude.
        let inertia = 0.4 * 0.05f64.powi(2) + length * length;
        let expected = 2.0 * PI * (inertia / (9.81 * length)).sqrt() * (1.0 + angle * angle / 16.0);
        assert!(
            (period / expected - 1.0).abs() < 1e-3,
            "{kind:?}: {period} of {expected}"
        );
    }
}

#[test]
fn a_fixed_body_stays_and_a_slider_goes_along_its_axis() {
    let shape: Arc<dyn Shape> = Arc::new(Box {
        half_size: DVec3::splat(0.1),
    });
    let start = DVec3::new(0.3, 0.0, 0.0);
    let fixed = Scene::new().with(&Solid::new(&shape, 2.0, start));
    let mut world = fixed.world(vec![joint(JointKind::Fixed, DVec3::ZERO, DVec3::X)]);
    run(&mut world, 1.0, 1e-3, |_| ());
    let off = (pose(&world, 0).translation - start).length();
    assert!(off < 1e-4, "it sank by {off}");
    let axis = DVec3::new(1.0, -1.0, 0.0).normalize();
    let sliding = Scene::new().with(&Solid::new(&shape, 2.0, start));
    let mut world = sliding.world(vec![joint(JointKind::Slider, start, axis)]);
    run(&mut world, 0.5, 1e-3, |_| ());
    let way = pose(&world, 0).translation - start;
    let expected = axis * (0.5 * 9.81 * 0.5f64.sqrt() * 0.25);
    assert!(
        (way - expected).length() < 0.01 * expected.length(),
        "{way}"
    );
}

#[test]
fn a_motor_turns_a_wheel_at_its_rate_and_stops_at_a_limit() {
    let shape: Arc<dyn Shape> = Arc::new(Sphere { radius: 0.1 });
    let motor = Motor {
        velocity: 3.0,
        damping: 5.0,
        max_force: f64::INFINITY,
        ..Motor::default()
    };
    let mut hinge = joint(JointKind::Hinge, DVec3::ZERO, DVec3::Z);
    hinge.motor = Some(motor);
    let solid = Solid::new(&shape, 1.0, DVec3::ZERO);
    let mut world = Scene::new().with(&solid).world(vec![hinge.clone()]);
    run(&mut world, 0.5, 1e-3, |_| ());
    let spin = world.state.methods.of::<RigidColumns>().spin[0];
    assert!((spin - DVec3::Z * 3.0).length() < 0.01, "{spin}");
    hinge.limits = Some([-0.5, 0.5]);
    let mut world = Scene::new().with(&solid).world(vec![hinge]);
    run(&mut world, 1.0, 1e-3, |_| ());
    let turned = pose(&world, 0).rotation * DVec3::X;
    let angle = turned.y.atan2(turned.x);
    assert!((angle - 0.5).abs() < 0.02, "{angle}");
}

#[test]
fn a_joint_between_two_bodies_keeps_their_momentum() {
    let shape: Arc<dyn Shape> = Arc::new(Sphere { radius: 0.05 });
    let mut one = Solid::new(&shape, 1.0, DVec3::X * -0.2);
    one.velocity = DVec3::new(0.0, 1.0, 0.5);
    let other = Solid::new(&shape, 2.0, DVec3::X * 0.2);
    let mut ball = joint(JointKind::Ball, DVec3::ZERO, DVec3::X);
    ball.ends = [End::Body(0), End::Body(1)];
    let scene = Scene::new().weightless().with(&one).with(&other);
    let mut world = scene.world(vec![ball]);
    run(&mut world, 1.0, 1e-3, |_| ());
    let p = &world.state.particles;
    let momentum = |k: usize| {
        let i = place(&world, k);
        to_double(p.velocity[i]) * f64::from(p.mass[i])
    };
    let sum = momentum(0) + momentum(1);
    assert!((sum - one.velocity).length() < 1e-4, "{sum}");
    let apart = |k: usize| pose(&world, k).translation;
    let distance = apart(0).distance(apart(1));
    assert!((distance - 0.4).abs() < 2e-3, "{distance}");
}

/// Rods of half a metre and 1 kg that hang on each other, held at the origin, stretched along x.
fn chain(kind: JointKind, count: u32) -> (Scene, Vec<Joint>) {
    let rod: Arc<dyn Shape> = Arc::new(Box {
        half_size: DVec3::new(0.25, 0.02, 0.03),
    });
    let mut scene = Scene::new();
    let mut joints = vec![];
    for k in 0..count {
        let start = DVec3::X * 0.5 * f64::from(k);
        let mut one = joint(kind, start, DVec3::Z);
        one.collides = false;
        one.ends[1] = End::Body(k);
        if k > 0 {
            one.ends[0] = End::Body(k - 1);
        }
        joints.push(one);
        let mut solid = Solid::new(&rod, 1.0, start + DVec3::X * 0.25);
        if kind == JointKind::Ball {
            // Turns about the upright as a whole.
            solid.velocity = -DVec3::Z * solid.pose.translation.x;
            solid.spin = DVec3::Y;
        }
        scene = scene.with(&solid);
    }
    (scene, joints)
}

#[test]
fn pendulums_of_several_rods_keep_their_energy_and_their_joints() {
    for (kind, count) in [
        (JointKind::Hinge, 2),
        (JointKind::Ball, 2),
        (JointKind::Hinge, 5),
    ] {
        let (scene, joints) = chain(kind, count);
        let mut world = scene.world(joints);
        let before = energy(&world);
        // Weight times length: what swings about.
        let scale = 9.81 * 0.25 * f64::from(count * count);
        run_frames(&mut world, 10.0, |world, _, _| {
            let change = (energy(world) - before) / scale;
            assert!(change < 2e-3, "{kind:?}, {count}: gained {change}");
            // Rods that are not neighbours hit each other.
            assert!(count > 2 || change > -0.01, "{kind:?}: lost {change}");
            let end = |k: usize, x: f64| pose(world, k).to_world(DVec3::X * x);
            for k in 1..count as usize {
                let apart = end(k - 1, 0.25).distance(end(k, -0.25));
                // Where rods hit each other and overlaps are undone, joints close in the next step.
                let most = if count > 2 { 1e-4 } else { 1e-9 };
                assert!(apart < most, "{kind:?}: joint {k} is open by {apart}");
            }
        });
    }
}

#[test]
fn a_fixed_joint_carries_a_heavy_load() {
    let shelf: Arc<dyn Shape> = Arc::new(Box {
        half_size: DVec3::new(0.2, 0.01, 0.1),
    });
    let cube: Arc<dyn Shape> = Arc::new(Box {
        half_size: DVec3::splat(0.05),
    });
    for mass in [0.1, 1.0, 20.0] {
        let scene = Scene::new()
            .with(&Solid::new(&shelf, 1.0, DVec3::ZERO))
            .with(&Solid::new(&cube, mass, DVec3::new(0.12, 0.06, 0.02)));
        let fixed = joint(JointKind::Fixed, DVec3::X * -0.2, DVec3::X);
        let mut world = scene.world(vec![fixed]);
        run_frames(&mut world, 2.0, |world, _, _| {
            let fallen = pose(world, 1).translation - DVec3::new(0.12, 0.06, 0.02);
            assert!(fallen.length() < 1e-5, "{mass} kg: {fallen}");
            assert!(pose(world, 0).translation.length() < 1e-4, "{mass} kg");
        });
    }
}

#[test]
fn a_motor_is_limited_by_max_force() {
    let shape: Arc<dyn Shape> = Arc::new(Sphere { radius: 0.1 });
    let mut hinge = joint(JointKind::Hinge, DVec3::ZERO, DVec3::Z);
    hinge.motor = Some(Motor {
        velocity: 1e3,
        damping: 50.0,
        max_force: 0.02,
        ..Motor::default()
    });
    let mut world = Scene::new()
        .with(&Solid::new(&shape, 1.0, DVec3::ZERO))
        .world(vec![hinge]);
    run_frames(&mut world, 0.5, |_, _, _| ());
    // Torque times time over 0.4 m r^2.
    let spin = world.state.methods.of::<RigidColumns>().spin[0].z;
    assert!((spin / (0.02 * 0.5 / 0.004) - 1.0).abs() < 1e-3, "{spin}");
}

#[test]
fn a_rod_on_a_ring_of_joints_stands_on_the_floor() {
    // Four rods in a square, closed by hinges: the last holds what the others do already.
    let floor: Arc<dyn Shape> = Arc::new(Plane { normal: DVec3::Y });
    let rod: Arc<dyn Shape> = Arc::new(Box {
        half_size: DVec3::new(0.2, 0.02, 0.03),
    });
    let mut scene = Scene::new().on(floor, Pose::IDENTITY, 0.5);
    let mut joints = vec![];
    let corners = [(-0.2, -0.2), (0.2, -0.2), (0.2, 0.2), (-0.2, 0.2)];
    let corner = |k: u32| {
        let (x, z) = corners[k as usize % 4];
        DVec3::new(x, 0.02, z)
    };
    for k in 0..4 {
        let mut solid = Solid::new(&rod, 1.0, 0.5 * (corner(k) + corner(k + 1)));
        let angle = -std::f64::consts::FRAC_PI_2 * f64::from(k);
        solid.pose = Pose::from_euler(solid.pose.translation, DVec3::Y * angle);
        scene = scene.with(&solid);
        let mut hinge = joint(JointKind::Hinge, corner(k + 1), DVec3::Y);
        hinge.ends = [End::Body(k), End::Body((k + 1) % 4)];
        hinge.collides = false;
        joints.push(hinge);
    }
    let mut world = scene.world(joints);
    run_frames(&mut world, 2.0, |_, _, _| ());
    for k in 0..4 {
        let at = pose(&world, k as usize).translation;
        let off = at - 0.5 * (corner(k) + corner(k + 1));
        assert!(off.length() < 1e-4, "rod {k} is off by {off}");
    }
}
