//! Bodies of different methods that carry each other.

use pliant_core::boundaries::Motion;
use pliant_core::methods::fluid::FLUID;
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::{Body, Material, World};
use pliant_geometry::shapes::Plane;
use pliant_materials::laws::{NeoHookean, Solid, SolidLaw};
use pliant_materials::springs::SpringCurve;
use pliant_materials::{LameModuli, Law, Newtonian, SpringLaw, Springs};
use pliant_math::{DVec3, Pose, to_double};

use crate::blocks::{body, collider};
use crate::friction::{grains, lattice, solid, world_of};
use crate::springs::networks::sheet;

const DT: f64 = 1e-3;
const GRAVITY: f64 = 9.81;

fn rubber(density: f64, youngs_modulus: f64) -> Material {
    let moduli = LameModuli::from_youngs(youngs_modulus, 0.3);
    Material {
        name: "rubber".into(),
        density,
        youngs_modulus,
        law: Law::Solid(Solid::elastic(SolidLaw::NeoHookean(NeoHookean { moduli }))),
    }
}

/// Where the particles of a body are [m], by their ids.
fn places(world: &World, body: u32) -> Vec<DVec3> {
    let p = &world.state.particles;
    let mut of_body: Vec<usize> = (0..p.len()).filter(|&i| p.body[i] == body).collect();
    of_body.sort_unstable_by_key(|&i| p.id[i]);
    of_body.into_iter().map(|i| p.position[i]).collect()
}

fn momentum_of(world: &World, body: u32) -> DVec3 {
    let p = &world.state.particles;
    let places = (0..p.len()).filter(|&i| p.body[i] == body);
    places
        .map(|i| to_double(p.velocity[i]) * f64::from(p.mass[i]))
        .sum()
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn a_light_block_supports_one_a_hundred_times_heavier() {
    let spacing = 0.02;
    let size = [5, 3, 5];
    let at = |layers: f64| lattice(size, spacing, DVec3::Y * layers * spacing);
    let mut light = solid(at(0.5), spacing, 0.3);
    let mut heavy = solid(at(3.5), spacing, 0.3);
    let mut setup = world_of(Vec::new());
    setup.materials.push(rubber(100.0, 2e5));
    setup.materials.push(rubber(1e4, 2e6));
    (light.material, heavy.material) = (8, 9);
    light.particles.particle_mass = 100.0 * spacing.powi(3);
    heavy.particles.particle_mass = 1e4 * spacing.powi(3);
    setup.bodies = vec![light, heavy];
    let plane = Plane { normal: DVec3::Y };
    setup.colliders = vec![collider(plane, Motion::Rest(Pose::IDENTITY))];
    setup.solver.iterations = 10;
    setup.solver.damping = 4.0;
    let weight = 75.0 * (1e4 + 100.0) * spacing.powi(3) * GRAVITY;
    let mut world = World::new(setup);
    let mut stepper = CpuStepper::new(2).expect("threads");
    let (mut impulse, mut measured) = (0.0, 0);
    for substep in 0..1500 {
        let report = stepper.substep(&mut world, DT).expect("a sound stack");
        if substep >= 1200 {
            impulse -= report.collider_impulse[0].y;
            measured += 1;
        }
    }
    // Damping takes its part of gravity.
    let force = impulse / (f64::from(measured) * DT) * (1.0 + 4.0 * DT);
    // Column by column, the lowest layer above less the highest below.
    let (light, heavy) = (places(&world, 0), places(&world, 1));
    let gaps = (0..25).map(|k| {
        let column = k % 5 + 15 * (k / 5);
        heavy[column].y - light[column + 10].y
    });
    let least = gaps.fold(f64::INFINITY, f64::min);
    assert!((force / weight - 1.0).abs() < 0.01, "{force} of {weight} N");
    assert!(least > spacing - 1e-5, "{least}");
}

#[test]
fn sand_on_cloth_of_springs_does_not_leak_and_lies_with_its_weight() {
    let n = 20;
    let mut cloth = sheet([n, n], 0.6 / (n - 1) as f64, 1.0, Pose::IDENTITY);
    for k in 0..n * n {
        let (x, z) = (k % n, k / n);
        cloth.particles.is_pinned[k] = x == 0 || z == 0 || x == n - 1 || z == n - 1;
    }
    let spacing = 0.03;
    let sand = lattice([8, 5, 8], spacing, DVec3::new(-0.1, 0.025, -0.11));
    let mut sand = grains(sand, spacing, 0.5);
    sand.particles.particle_mass = 0.0054;
    let mass = 320.0 * 0.0054;
    let mut setup = world_of(vec![cloth, sand]);
    let curve = SpringLaw::Curve(SpringCurve::linear(1e3));
    setup.materials[6].law = Law::Springs(Springs::new(curve));
    setup.solver.iterations = 5;
    setup.solver.damping = 10.0;
    let mut world = World::new(setup);
    let mut stepper = CpuStepper::new(2).expect("threads");
    let mut before = DVec3::ZERO;
    for substep in 0..1200 {
        stepper.substep(&mut world, DT).expect("sound sand");
        if substep == 899 {
            before = momentum_of(&world, 1);
        }
    }
    let change = (momentum_of(&world, 1) - before).y / (300.0 * DT);
    let share = 1.0 + change / (mass * GRAVITY);
    let lowest_cloth = places(&world, 0)
        .into_iter()
        .map(|x| x.y)
        .fold(0.0, f64::min);
    let lowest_sand = places(&world, 1)
        .into_iter()
        .map(|x| x.y)
        .fold(0.0, f64::min);
    assert!(share > 0.99, "{share}");
    assert!(
        lowest_cloth < -0.04 && lowest_sand > lowest_cloth,
        "{lowest_cloth} {lowest_sand}"
    );
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn a_fluid_is_stable_against_a_wall_fifty_times_lighter() {
    let spacing = 0.02;
    let mut setup = world_of(Vec::new());
    setup.materials.push(rubber(20.0, 1e6));
    setup.materials.push(Material {
        name: "water".into(),
        density: 1000.0,
        youngs_modulus: 0.0,
        law: Law::Newtonian(Newtonian { viscosity: 0.0 }),
    });
    // Two layers, held below and at both ends.
    let points = lattice([2, 10, 6], spacing, DVec3::splat(0.5) * spacing);
    let mut wall = solid(points, spacing, 0.0);
    wall.material = 8;
    wall.particles.particle_mass = 20.0 * spacing.powi(3);
    let held = wall.particles.position.iter();
    wall.particles.is_pinned = held
        .map(|x| x.y < spacing || x.z < spacing || x.z > 5.0 * spacing)
        .collect();
    let corner = DVec3::new(2.5, 0.5, 0.5) * spacing;
    let mut water: Body = body(9, spacing, lattice([4, 8, 6], spacing, corner), DVec3::ZERO);
    water.method = FLUID;
    water.friction = 0.0;
    setup.bodies = vec![wall, water];
    let planes = [
        (DVec3::Y, 0.0),
        (DVec3::NEG_X, 6.0),
        (DVec3::Z, 0.0),
        (DVec3::NEG_Z, 6.0),
    ];
    setup.colliders = planes
        .map(|(normal, at)| {
            let mut plane = collider(
                Plane { normal },
                Motion::Rest(Pose {
                    translation: normal * (-at * spacing),
                    ..Pose::IDENTITY
                }),
            );
            plane.friction = 0.0;
            plane
        })
        .into();
    // As many as follow pressure waves of the wall, which cross eleven spacings a step, as an automatic step does.
    setup.solver.iterations = 20;
    let mut world = World::new(setup);
    let mut stepper = CpuStepper::new(2).expect("threads");
    let start = places(&world, 0);
    // Of the wall, from 0.4 s to 0.6 s and from there to 0.8 s.
    let mut squares = [0.0; 2];
    for substep in 0..800 {
        stepper.substep(&mut world, DT).expect("a sound tank");
        if substep >= 400 {
            let p = &world.state.particles;
            let of_wall = p.velocity.iter().zip(&p.body).filter(|&(_, &b)| b == 0);
            let sum: f64 = of_wall.map(|(v, _)| f64::from(v.length_squared())).sum();
            squares[usize::from(substep >= 600)] += sum / (start.len() * 200) as f64;
        }
    }
    let speeds = squares.map(f64::sqrt);
    let now = places(&world, 0);
    let moved = start.iter().zip(&now).map(|(a, b)| a.distance(*b));
    let moved = moved.fold(0.0, f64::max);
    let water = places(&world, 1);
    let leftmost = water.iter().map(|x| x.x).fold(1.0, f64::min);
    // 1 mm/s measured; what is unstable grows.
    assert!(speeds.iter().all(|&speed| speed < 0.005), "{speeds:?}");
    assert!(moved < 0.25 * spacing, "{moved}");
    assert!(leftmost > 2.0 * spacing, "{leftmost}");
}
