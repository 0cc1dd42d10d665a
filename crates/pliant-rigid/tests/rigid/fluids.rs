//! Bodies in water.

use std::sync::Arc;

use pliant_core::methods::fluid::FLUID;
use pliant_core::step::longest_elastic_step;
use pliant_core::world::{Body, Material, World};
use pliant_geometry::Shape;
use pliant_geometry::shapes::{Box, Plane};
use pliant_materials::{Law, Newtonian};
use pliant_math::{DVec3, Pose, Real, to_double};

use crate::worlds::{Scene, Solid, energy, place, pose, run};

const SPACING: f64 = 0.02;
const GRAVITY: f64 = 9.81;
const DENSITY: f64 = 1000.0;

/// Adds water: so many particles by axis, from the floor up and around the y axis, but for those within
/// a box.
fn with_water(mut scene: Scene, count: [usize; 3], middle: DVec3, carved: Option<DVec3>) -> Scene {
    scene.setup.materials.push(Material {
        name: "water".into(),
        density: DENSITY,
        youngs_modulus: 0.0,
        law: Law::Newtonian(Newtonian { viscosity: 0.001 }),
    });
    let [nx, ny, nz] = count;
    let corner = DVec3::new(0.5 - 0.5 * nx as f64, 0.5, 0.5 - 0.5 * nz as f64);
    let place = |k: usize| {
        let (x, y, z) = (k % nx, k / nx % ny, k / (nx * ny));
        SPACING * (corner + DVec3::new(x as f64, y as f64, z as f64))
    };
    let is_free = |x: &DVec3| match carved {
        Some(size) => ((*x - middle).abs() - 0.5 * size).max_element() > 0.0,
        None => true,
    };
    let position: Vec<DVec3> = (0..nx * ny * nz).map(place).filter(is_free).collect();
    let mut water = Body::new(FLUID, 1, DENSITY, SPACING, position);
    water.friction = 0.5;
    scene.setup.bodies.push(water);
    scene
}

/// A tank so many spacings wide.
fn tank(width: usize) -> Scene {
    let half = 0.5 * width as f64 * SPACING;
    let floor: Arc<dyn Shape> = Arc::new(Plane { normal: DVec3::Y });
    let mut scene = Scene::new().on(floor, Pose::IDENTITY, 0.5);
    for normal in [DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::NEG_Z] {
        let at = Pose::from_euler(normal * -half, DVec3::ZERO);
        scene = scene.on(Arc::new(Plane { normal }), at, 0.5);
    }
    scene
}

fn cuboid(size: DVec3) -> Arc<dyn Shape> {
    let half_size = 0.5 * size;
    Arc::new(Box { half_size })
}

/// A box of a density in a tank of water, which it is in the middle of.
fn drowned(density: f64, size: DVec3, middle: DVec3) -> World {
    let (shape, mass) = (cuboid(size), density * size.element_product());
    let scene = tank(10).with(&Solid::new(&shape, mass, middle));
    with_water(scene, [10, 8, 10], middle, Some(size)).world(vec![])
}

fn greatest_speed(world: &World) -> f64 {
    let speeds = world.state.particles.velocity.iter();
    speeds.map(|v| f64::from(v.length())).fold(0.0, f64::max)
}

/// Runs at the default step, and holds the energy at what there was and every speed at that of free fall
/// from the surface.
fn run_without_gain(world: &mut World, seconds: f64, name: &str) {
    let dt = longest_elastic_step(&world.setup);
    let start = energy(world);
    let fall = (2.0 * GRAVITY * 0.25_f64).sqrt();
    run(world, seconds, dt, |world| {
        let now = energy(world);
        assert!(now < 1.01 * start, "{name}: {start} J became {now}");
        let speed = greatest_speed(world);
        assert!(speed < fall, "{name}: {speed} m/s");
    });
}

#[test]
fn boxes_of_any_density_gain_no_energy_in_water() {
    let size = SPACING * DVec3::new(4.0, 2.0, 4.0);
    for density in [1.0, 50.0, 500.0, 20_000.0] {
        let mut world = drowned(density, size, SPACING * DVec3::Y * 4.0);
        run_without_gain(&mut world, 0.5, &format!("{density} kg/m3"));
        let height = pose(&world, 0).translation.y / SPACING;
        let expected = match density {
            d if d < 100.0 => 6.5..9.5,
            d if d < 1000.0 => 4.0..9.5,
            // On the floor, or on a layer of water that it has not squeezed out.
            _ => 0.9..2.1,
        };
        assert!(expected.contains(&height), "{density}: {height} spacings");
    }
}

/// Water has no way below it and presses it down.
#[test]
fn a_light_box_between_floor_and_water_stays_at_rest() {
    let size = SPACING * DVec3::new(4.0, 2.0, 4.0);
    for density in [1.0, 50.0] {
        let mut world = drowned(density, size, SPACING * DVec3::Y);
        run_without_gain(&mut world, 0.3, &format!("{density} kg/m3"));
        let height = pose(&world, 0).translation.y / SPACING;
        assert!(height > 0.9, "{density}: {height} spacings");
    }
}

/// Two boxes, one light and one heavy, fall 10 cm into water.
#[test]
fn boxes_that_fall_into_water_gain_no_energy() {
    let shape = cuboid(DVec3::new(0.05, 0.03, 0.06));
    let volume = 9e-5;
    let light = Solid::new(&shape, 30.0 * volume, DVec3::new(-0.05, 0.275, 0.01));
    let heavy = Solid::new(&shape, 3000.0 * volume, DVec3::new(0.05, 0.275, -0.02));
    let scene = tank(10).with(&light).with(&heavy);
    let mut world = with_water(scene, [10, 8, 10], DVec3::ZERO, None).world(vec![]);
    let (dt, start) = (longest_elastic_step(&world.setup), energy(&world));
    run(&mut world, 0.6, dt, |world| {
        let now = energy(world);
        assert!(now < 1.01 * start, "{start} J became {now}");
    });
    let height = |number: usize| pose(&world, number).translation.y;
    assert!(height(0) > 0.14, "{}", height(0));
    // It lies or leans on the floor, or on a layer of water that it has not squeezed out.
    assert!((0.014..0.054).contains(&height(1)), "{}", height(1));
}

/// A plank as thin as the water's spacing: its centre of mass is no particle of the water's.
#[test]
fn water_and_a_thin_plank_keep_their_momentum() {
    let size = SPACING * DVec3::new(8.0, 1.0, 8.0);
    let middle = SPACING * DVec3::Y * 7.0;
    let shape = cuboid(size);
    let plank = Solid {
        velocity: DVec3::Y * -1.0,
        ..Solid::new(&shape, 0.5, middle)
    };
    let scene = Scene::new().weightless().with(&plank);
    let mut world = with_water(scene, [6, 6, 6], DVec3::ZERO, None).world(vec![]);
    let momentum = |world: &World| -> DVec3 {
        let p = &world.state.particles;
        let of = |i: usize| to_double(p.velocity[i]) * f64::from(p.mass[i]);
        (0..p.len()).map(of).sum()
    };
    let start = momentum(&world);
    run(&mut world, 0.1, 1e-3, |_| ());
    let drift = (momentum(&world) - start).length() / start.length();
    let tolerance = if size_of::<Real>() == 4 { 1e-5 } else { 1e-12 };
    assert!(drift < tolerance, "{drift}");
    let slowed = to_double(world.state.particles.velocity[place(&world, 0)]);
    assert!(slowed.y > -0.6, "they have not met: {slowed}");
}

/// Two slabs with honey between them, which they take along while they turn away from it; smooth ones leave it
/// behind.
#[test]
fn rigid_bodies_drag_a_viscous_fluid_along() {
    for (friction, least, most) in [(0.5, 0.8, 1.01), (0.0, -0.01, 0.01)] {
        let slab = cuboid(SPACING * DVec3::new(8.0, 1.0, 8.0));
        let at = |layers: f64| Solid {
            velocity: DVec3::X * 0.05,
            friction,
            ..Solid::new(&slab, 0.5, SPACING * layers * DVec3::Y)
        };
        let scene = Scene::new().weightless().with(&at(-0.5)).with(&at(6.5));
        let mut scene = with_water(scene, [6, 6, 6], DVec3::ZERO, None);
        let viscosity = 50.0;
        scene.setup.materials[1].law = Law::Newtonian(Newtonian { viscosity });
        let mut world = scene.world(vec![]);
        let sum = |world: &World, of_fluid: bool| -> (DVec3, f64) {
            let p = &world.state.particles;
            let inside = (0..p.len()).filter(|&i| (p.body[i] == 2) == of_fluid);
            let add = |(momentum, mass), i: usize| {
                let m = f64::from(p.mass[i]);
                (momentum + to_double(p.velocity[i]) * m, mass + m)
            };
            inside.fold((DVec3::ZERO, 0.0), add)
        };
        run(&mut world, 0.1, 1e-3, |_| ());
        let (of_slabs, of_fluid) = (sum(&world, false), sum(&world, true));
        let drift = (of_slabs.0 + of_fluid.0 - DVec3::X * 0.05).length() / 0.05;
        let tolerance = if size_of::<Real>() == 4 { 1e-5 } else { 1e-12 };
        assert!(drift < tolerance, "{drift}");
        let common = 0.05 / (of_slabs.1 + of_fluid.1);
        let share = of_fluid.0.x / of_fluid.1 / common;
        assert!(
            (least..most).contains(&share),
            "friction {friction}: {share}"
        );
    }
}

/// A box of a height swims as deep as Archimedes says, by the level that the volume of the water gives.
#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn floats_swim_as_deep_as_archimedes_says() {
    let edge = 6.0 * SPACING;
    let shape = cuboid(DVec3::splat(edge));
    for share in [0.25, 0.5, 0.75, 0.9] {
        let depth = share * edge;
        // In water ten spacings deep, started a quarter of a spacing too high.
        let middle = DVec3::Y * (10.25 * SPACING - depth + 0.5 * edge);
        let solid = Solid::new(&shape, share * DENSITY * edge.powi(3), middle);
        let mut scene = tank(14).with(&solid);
        scene.setup.solver.damping = 1.0;
        let mut world =
            with_water(scene, [14, 10, 14], middle, Some(DVec3::splat(edge))).world(vec![]);
        let water = (world.state.particles.len() - 1) as f64 * SPACING.powi(3);
        let (tank, own) = ((14.0 * SPACING).powi(2), edge * edge);
        let dt = longest_elastic_step(&world.setup);
        let (mut mean, mut count) = (0.0, 0.0);
        run(&mut world, 2.0, dt, |world| {
            if world.state.time > 1.5 {
                let bottom = pose(world, 0).translation.y - 0.5 * edge;
                // The water's volume is that of the tank up to its level less what the box takes.
                mean += (water / tank - bottom) / (1.0 - own / tank);
                count += 1.0;
            }
        });
        let error = (mean / count - depth) / SPACING;
        println!("{share}: {error} spacings");
        assert!(error.abs() < 0.25, "{share}: {error} spacings too deep");
    }
}
