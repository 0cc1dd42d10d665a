//! Restitution, in the steps that a world chooses itself.

use std::sync::Arc;

use pliant_core::methods::rigid::RigidColumns;
use pliant_core::world::World;
use pliant_geometry::Shape;
use pliant_geometry::shapes::{Box, Plane, Sphere};
use pliant_math::{DVec3, Pose, to_double};

use crate::worlds::{Scene, Solid, energy, place, pose, run_frames};

fn cube(edge: f64) -> Arc<dyn Shape> {
    Arc::new(Box {
        half_size: DVec3::splat(0.5 * edge),
    })
}

fn ball(edge: f64) -> Arc<dyn Shape> {
    Arc::new(Sphere { radius: 0.5 * edge })
}

fn velocity(world: &World, number: usize) -> DVec3 {
    to_double(world.state.particles.velocity[place(world, number)])
}

/// Heights [m] that a body of a size [m] reaches after each bounce on a floor that is turned about gravity
/// with it, and its greatest speed of turning at its corners [m/s].
fn rebounds(solid: &Solid<'_>, floor: Pose, size: f64, height: f64) -> (Vec<f64>, f64) {
    let up = floor.rotation * DVec3::Y;
    let shape: Arc<dyn Shape> = Arc::new(Plane { normal: DVec3::Y });
    let mut scene = Scene::new().on(shape, floor, 0.5).with(solid);
    scene.setup.gravity = up * -9.81;
    let mut world = scene.world(vec![]);
    let (mut heights, mut spin, mut falls) = (vec![], 0.0, true);
    let seconds = 4.4 * (2.0 * height / 9.81).sqrt();
    run_frames(&mut world, seconds, |world, _, _| {
        let speed = velocity(world, 0).dot(up);
        if falls && speed > 0.0 {
            let above = pose(world, 0).translation.dot(up) - 0.5 * size;
            heights.push(above + speed * speed / (2.0 * 9.81));
        }
        falls = speed <= 0.0;
        spin = world.state.methods.of::<RigidColumns>().spin[0]
            .length()
            .max(spin);
    });
    (heights, spin * size)
}

#[test]
fn a_flat_fall_rebounds_to_restitution_squared_without_rotation() {
    let turned = Pose::from_euler(DVec3::ZERO, DVec3::new(0.3, 0.7, -0.9));
    let cases = [(0.01, 0.02), (0.1, 0.5), (0.1, 0.07), (1.0, 1.3)];
    for (size, height) in cases {
        for (shape, restitution) in [
            (cube(size), 0.3),
            (cube(size), 0.5),
            (cube(size), 0.95),
            (ball(size), 0.5),
            (ball(size), 1.0),
        ] {
            for floor in [Pose::IDENTITY, turned] {
                let up = floor.rotation * DVec3::Y;
                let mut solid = Solid::new(&shape, 1.0, up * (0.5 * size + height));
                solid.pose.rotation = floor.rotation;
                solid.restitution = restitution;
                let (heights, spinning) = rebounds(&solid, floor, size, height);
                let case = format!("{size} m from {height} m, {restitution}: {heights:?}");
                let first = heights[0] / height - restitution * restitution;
                assert!(first.abs() < 0.005 * restitution, "{case}");
                if restitution >= 0.5 {
                    let second = heights[1] / height - restitution.powi(4);
                    assert!(second.abs() < 0.02 * restitution.powi(4), "{case}");
                }
                let fastest = (2.0 * 9.81 * height).sqrt();
                assert!(spinning < 1e-3 * fastest, "{case}: turns with {spinning}");
            }
        }
    }
}

#[test]
fn two_bodies_separate_at_restitution_times_their_approach_speed() {
    for (mass, restitution) in [(1.0, 0.5), (30.0, 0.8), (0.02, 1.0)] {
        let (one, other) = (cube(0.1), cube(0.07));
        let mut first = Solid::new(&one, 1.0, DVec3::new(-0.2, 0.0, 0.0));
        first.velocity = DVec3::X * 2.3;
        let mut second = Solid::new(&other, mass, DVec3::new(0.3, 0.01, -0.01));
        second.velocity = DVec3::X * -0.9;
        second.restitution = restitution;
        // What turns a body off its middle is kept out by a third number: no friction.
        (first.friction, second.friction) = (0.0, 0.0);
        let scene = Scene::new().weightless().with(&first).with(&second);
        let mut world = scene.world(vec![]);
        let before = energy(&world);
        run_frames(&mut world, 0.3, |_, _, _| ());
        let center = |k: usize| pose(&world, k).translation;
        // Where their faces are pressed, they part with this share of the approach.
        let point = 0.5 * (center(0) + center(1));
        let at = |k: usize| {
            let spin = world.state.methods.of::<RigidColumns>().spin[k];
            velocity(&world, k) + spin.cross(DVec3::new(0.0, point.y, point.z) - center(k))
        };
        let parts = (at(1) - at(0)).x / 3.2;
        assert!(parts > 0.0, "{mass}: {parts}");
        let momentum = velocity(&world, 0) + mass * velocity(&world, 1);
        let sum = 2.3 - 0.9 * mass;
        assert!((momentum.x - sum).abs() < 1e-5 * (1.0 + mass), "{momentum}");
        let reduced = 0.5 * mass / (1.0 + mass) * 3.2 * 3.2;
        let lost = (before - energy(&world)) / reduced;
        let most = 1.0 - restitution * restitution;
        assert!(
            lost > -1e-5 && lost < most + 1e-5,
            "{mass}: {lost} of {most}"
        );
        if restitution == 1.0 {
            assert!(lost.abs() < 1e-4, "{lost}");
        }
    }
}

#[test]
fn balls_in_a_central_collision_exchange_their_velocities() {
    let shape = ball(0.1);
    let mut first = Solid::new(&shape, 1.0, DVec3::new(-0.2, 0.0, 0.0));
    first.velocity = DVec3::X * 3.0;
    first.restitution = 0.6;
    let second = Solid::new(&shape, 2.0, DVec3::new(0.2, 0.0, 0.0));
    let scene = Scene::new().weightless().with(&first).with(&second);
    let mut world = scene.world(vec![]);
    run_frames(&mut world, 0.5, |_, _, _| ());
    // v1 = (m1 - e m2) v/(m1 + m2), v2 = m1 (1 + e) v/(m1 + m2); they touch after 0.3/3 s.
    assert!((velocity(&world, 0).x + 0.2).abs() < 1e-4);
    assert!((velocity(&world, 1).x - 1.6).abs() < 1e-4);
    let x = pose(&world, 1).translation.x;
    assert!((x - (0.2 + 1.6 * 0.4)).abs() < 1e-4, "{x}");
}

#[test]
fn tumbling_bodies_with_friction_never_gain_energy() {
    for (number, edge) in [(0, 0.1), (1, 0.03), (2, 0.4), (3, 0.1)] {
        let shape: Arc<dyn Shape> = Arc::new(Box {
            half_size: 0.5 * edge * DVec3::new(1.0, 0.6, 1.7),
        });
        let tilt = DVec3::new(0.4, 0.3, -0.7) * f64::from(number + 1);
        let mut solid = Solid::new(&shape, 2.0, DVec3::Y * (2.0 * edge + 0.3));
        solid.pose = Pose::from_euler(solid.pose.translation, tilt);
        solid.velocity = DVec3::new(1.0, 0.0, 0.3);
        solid.spin = DVec3::new(3.0, -2.0, 5.0);
        solid.restitution = [0.3, 0.6, 0.9, 1.0][number as usize];
        let floor: Arc<dyn Shape> = Arc::new(Plane { normal: DVec3::Y });
        let scene = Scene::new().on(floor, Pose::IDENTITY, 0.4).with(&solid);
        let mut world = scene.world(vec![]);
        let above_floor = |world: &World| energy(world);
        let mut least = above_floor(&world);
        let paid = least;
        run_frames(&mut world, 3.0, |world, _, _| {
            let now = above_floor(world);
            assert!(
                now < least + 0.003 * paid,
                "{number}: {now} J after {least} J"
            );
            least = least.min(now);
        });
    }
}
