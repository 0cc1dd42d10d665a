//! Bodies among particles.

use std::sync::Arc;

use pliant_core::methods::granules::GRANULES;
use pliant_core::methods::rigid::RigidColumns;
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::{Body, Material, State, World};
use pliant_geometry::Shape;
use pliant_geometry::shapes::{Box, Plane, Sphere};
use pliant_materials::Law;
use pliant_materials::laws::ContactFriction;
use pliant_math::{DVec3, Pose, Real, to_double};

use crate::worlds::{Scene, Solid, angular_momentum, place, pose, run};

/// Adds balls that touch, in layers, with a coefficient of friction among them.
pub fn with_grains(
    mut scene: Scene,
    friction: Real,
    count: [usize; 3],
    from: DVec3,
    velocity: DVec3,
) -> Scene {
    const SPACING: f64 = 0.02;
    scene.setup.materials.push(Material {
        name: "grains".into(),
        density: 1500.0,
        youngs_modulus: 0.0,
        law: Law::ContactFriction(ContactFriction { friction }),
    });
    let [nx, ny, nz] = count;
    let place = |k: usize| {
        let (x, y, z) = (k % nx, k / nx % ny, k / (nx * ny));
        from + SPACING * DVec3::new(x as f64, y as f64, z as f64)
    };
    let position: Vec<DVec3> = (0..nx * ny * nz).map(place).collect();
    let mut grains = Body::new(GRANULES, 1, 1500.0, SPACING, position);
    grains.friction = 0.5;
    grains.particles.velocity.fill(velocity);
    scene.setup.bodies.push(grains);
    scene
}

pub fn total_momentum(world: &World) -> DVec3 {
    let p = &world.state.particles;
    let momentum = |i: usize| to_double(p.velocity[i]) * f64::from(p.mass[i]);
    (0..p.len()).map(momentum).sum()
}

fn total_angular_momentum(world: &World) -> DVec3 {
    let p = &world.state.particles;
    let momentum = |i: usize| to_double(p.velocity[i]) * f64::from(p.mass[i]);
    let orbits: DVec3 = (0..p.len()).map(|i| p.position[i].cross(momentum(i))).sum();
    orbits + angular_momentum(world, 0)
}

#[test]
fn grains_that_hit_a_body_keep_the_total_momentum() {
    let shape: Arc<dyn Shape> = Arc::new(Box {
        half_size: DVec3::new(0.05, 0.1, 0.05),
    });
    let scene = Scene::new()
        .weightless()
        .with(&Solid::new(&shape, 0.4, DVec3::ZERO));
    let velocity = DVec3::X * 2.0;
    // Without friction among themselves: grains that do not turn lose its couple.
    let mut world = with_grains(
        scene,
        0.0,
        [5, 5, 5],
        DVec3::new(-0.3, 0.0, -0.03),
        velocity,
    )
    .world(vec![]);
    let before = (total_momentum(&world), total_angular_momentum(&world));
    run(&mut world, 0.3, 1e-3, |_| ());
    let bound = if size_of::<Real>() == 8 { 1e-13 } else { 1e-5 };
    let lost = (total_momentum(&world) - before.0).length() / before.0.length();
    assert!(lost < bound, "{lost} of the momentum was lost");
    let spin = world.state.methods.of::<RigidColumns>().spin[0].length();
    assert!(spin > 0.1, "it does not turn: {spin}");
    let turned = (total_angular_momentum(&world) - before.1).length() / before.1.length();
    assert!(turned < 0.01, "{turned} of the angular momentum was lost");
}

/// A ball and a box that fall into grains on a floor, and touch each other.
fn busy() -> World {
    let ball: Arc<dyn Shape> = Arc::new(Sphere { radius: 0.04 });
    let cube: Arc<dyn Shape> = Arc::new(Box {
        half_size: DVec3::splat(0.03),
    });
    let floor = Arc::new(Plane { normal: DVec3::Y });
    let scene = Scene::new()
        .on(floor, Pose::IDENTITY, 0.5)
        .with(&Solid::new(&cube, 0.3, DVec3::new(0.05, 0.16, 0.05)))
        .with(&Solid::new(&ball, 0.5, DVec3::new(0.07, 0.24, 0.05)));
    with_grains(
        scene,
        0.4,
        [8, 4, 6],
        DVec3::new(0.0, 0.01, 0.0),
        DVec3::ZERO,
    )
    .world(vec![])
}

fn bytes_after(steps: u32, threads: usize) -> Vec<u8> {
    let mut world = busy();
    let mut stepper = CpuStepper::new(threads).expect("threads");
    for _ in 0..steps {
        stepper.substep(&mut world, 2e-3).expect("a step");
    }
    world.state.to_bytes()
}

#[test]
fn the_bits_depend_on_neither_threads_nor_an_interruption() {
    let expected = bytes_after(120, 1);
    for threads in [2, 4] {
        assert!(bytes_after(120, threads) == expected, "{threads} threads");
    }
    let mut world = busy();
    world.state = State::from_bytes(&bytes_after(60, 2), &world.setup).expect("a state");
    world.state.check_fits(&world.setup).expect("it fits");
    run(&mut world, 0.12, 2e-3, |_| ());
    assert!(world.state.to_bytes() == expected, "after an interruption");
}

#[test]
fn grains_carry_a_body_and_do_not_enter_it() {
    let mut world = busy();
    run(&mut world, 1.0, 2e-3, |_| ());
    let p = &world.state.particles;
    let index = world.setup.first_rigid();
    for number in 0..2 {
        let collider = &world.setup.colliders[index + number];
        let pose = pose(&world, number);
        let own = place(&world, number);
        for i in (0..p.len()).filter(|&i| i != own && p.body[i] == 2) {
            let distance = collider.distance(pose.to_local(p.position[i]));
            assert!(distance > 0.007, "a grain is {distance} from body {number}");
        }
    }
    assert!(pose(&world, 0).translation.y > 0.025);
    assert!(pose(&world, 1).translation.y > 0.035);
}

#[test]
fn a_heavy_body_neither_sinks_into_a_layer_on_the_floor_nor_presses_it_through() {
    let shape: Arc<dyn Shape> = Arc::new(Box {
        half_size: DVec3::new(0.1, 0.05, 0.1),
    });
    for mass in [1.0, 100.0, 1e4] {
        let solid = Solid {
            velocity: DVec3::NEG_Y * 2.0,
            ..Solid::new(&shape, mass, DVec3::Y * 0.1)
        };
        let floor = Arc::new(Plane { normal: DVec3::Y });
        let scene = Scene::new().with(&solid).on(floor, Pose::IDENTITY, 0.5);
        let from = DVec3::new(-0.06, 0.01, -0.06);
        let mut world = with_grains(scene, 0.5, [7, 1, 7], from, DVec3::ZERO).world(vec![]);
        let (mut lowest_grain, mut lowest_body) = (f64::INFINITY, f64::INFINITY);
        run(&mut world, 0.4, 1e-3, |world| {
            let p = &world.state.particles;
            for i in 0..p.len() {
                let lowest = match p.body[i] {
                    0 => &mut lowest_body,
                    _ => &mut lowest_grain,
                };
                *lowest = lowest.min(p.position[i].y);
            }
        });
        assert!(lowest_grain > 0.00995, "{mass} kg: {lowest_grain}");
        assert!(lowest_body > 0.0695, "{mass} kg: {lowest_body}");
    }
}
