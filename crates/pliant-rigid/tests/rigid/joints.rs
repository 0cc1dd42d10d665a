//! Bodies under joints.

use std::f64::consts::PI;
use std::sync::Arc;

use pliant_geometry::Shape;
use pliant_geometry::shapes::{Box, Sphere};
use pliant_math::{DVec3, to_double};
use pliant_rigid::{End, Joint, JointKind, Motor};

use crate::worlds::{Scene, Solid, place, pose, run};

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
        greatest: f64::INFINITY,
        ..Motor::default()
    };
    let mut hinge = joint(JointKind::Hinge, DVec3::ZERO, DVec3::Z);
    hinge.motor = Some(motor);
    let solid = Solid::new(&shape, 1.0, DVec3::ZERO);
    let mut world = Scene::new().with(&solid).world(vec![hinge.clone()]);
    run(&mut world, 0.5, 1e-3, |_| ());
    let spin = world.state.rigid.spin[0];
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
