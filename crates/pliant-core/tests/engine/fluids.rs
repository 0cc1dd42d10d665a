//! Fluids: weight and density at rest, momentum, viscosity, bits.

use pliant_core::boundaries::Motion;
use pliant_core::methods::fluid::{FLUID, FluidColumns, FluidSettings};
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::{Body, Material, Setup, World};
use pliant_geometry::shapes::Plane;
use pliant_materials::{Law, Newtonian};
use pliant_math::simd::Instructions;
use pliant_math::{DVec3, Pose, Real, to_double, to_real};

use super::blocks::{block, collider, setup};
use super::worlds::{momentum, nearest_distance};

const SPACING: f64 = 0.02;
const DENSITY: f64 = 1000.0;

/// A block of fluid, and what it consists of.
fn pool(viscosity: Real, size: [usize; 3], corner: DVec3) -> Setup {
    let mut setup = setup(vec![block(0, size, SPACING, corner, DVec3::ZERO)]);
    setup.materials.push(Material {
        name: "fluid".into(),
        density: DENSITY,
        youngs_modulus: 0.0,
        law: Law::Newtonian(Newtonian { viscosity }),
    });
    let material = setup.materials.len() as u32 - 1;
    make_fluid(&mut setup.bodies[0], material);
    setup
}

fn make_fluid(body: &mut Body, material: u32) {
    body.material = material;
    body.method = FLUID;
}

/// A tank of 8 x 10 x 8 spacings full of fluid.
fn tank() -> Setup {
    let half = 4.0 * SPACING;
    let mut setup = pool(0.0, [8, 10, 8], DVec3::new(-half, 0.0, -half));
    for normal in [DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::NEG_Z] {
        let wall = Motion::Rest(Pose {
            translation: normal * -half,
            ..Pose::IDENTITY
        });
        setup.colliders.push(collider(Plane { normal }, wall));
    }
    setup.colliders.iter_mut().for_each(|c| c.friction = 0.0);
    setup
}

fn stepped(setup: Setup, dt: f64, substeps: usize) -> World {
    let mut world = World::new(setup);
    let mut stepper = CpuStepper::new(1).expect("threads");
    for _ in 0..substeps {
        stepper.substep(&mut world, dt).expect("a good step");
    }
    world
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn a_tank_at_rest_carries_its_weight_at_its_density_and_level() {
    let setup = tank();
    let count = setup.bodies[0].particles.position.len() as f64;
    let weight = count * DENSITY * SPACING.powi(3) * 9.81;
    let mut world = World::new(setup);
    let mut stepper = CpuStepper::new(1).expect("threads");
    let (dt, settling, measured) = (2e-3, 500, 250);
    let mut impulse = DVec3::ZERO;
    for substep in 0..settling + measured {
        let report = stepper.substep(&mut world, dt).expect("a good step");
        if substep >= settling {
            impulse += report.collider_impulse[0];
        }
    }
    let force = -impulse.y / (f64::from(measured) * dt);
    assert!((force / weight - 1.0).abs() < 0.01, "{force} of {weight} N");
    let state = &world.state;
    let inside =
        |i: &usize| (2.0 * SPACING..7.0 * SPACING).contains(&state.particles.position[*i].y);
    let errors: Vec<f64> = (0..state.particles.len())
        .filter(inside)
        .map(|i| f64::from(state.methods.of::<FluidColumns>().compression[i]).abs())
        .collect();
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    assert!(mean < 0.01, "mean density error {mean}");
    let greatest = errors.iter().copied().fold(0.0, f64::max);
    assert!(greatest < 0.03, "greatest density error {greatest}");
    let height: f64 = state.particles.position.iter().map(|x| x.y).sum();
    let level = 2.0 * height / count;
    assert!(
        (level - 10.0 * SPACING).abs() < 0.1 * SPACING,
        "level {level}"
    );
}

#[test]
fn a_fluid_and_a_solid_that_meet_keep_their_momentum() {
    let mut setup = pool(0.05, [6, 6, 6], DVec3::new(0.001, 0.002, 0.003));
    setup.gravity = DVec3::ZERO;
    setup.colliders.clear();
    let place = DVec3::new(0.02, 0.14, 0.02);
    let solid = block(2, [4, 4, 4], SPACING, place, DVec3::Y * -2.0);
    setup.bodies.push(solid);
    let start = momentum(&World::new(setup.clone()));
    let world = stepped(setup, 5e-4, 80);
    let drift = (momentum(&world) - start).length() / start.length();
    let tolerance = if size_of::<Real>() == 4 { 1e-5 } else { 1e-12 };
    assert!(drift < tolerance, "{drift}");
    // They have met: the fluid moves.
    let of_fluid = |i: &usize| world.state.particles.body[*i] == 0;
    let fluid: DVec3 = (0..world.state.particles.len())
        .filter(of_fluid)
        .map(|i| to_double(world.state.particles.velocity[i]))
        .sum();
    assert!(fluid.y < -1.0, "{fluid}");
}

/// What is packed as the inside is but lies at a wall or at the free surface starts as dense as the inside:
/// nothing is let go that would stir the tank.
#[test]
fn a_tank_that_starts_at_rest_gains_no_energy() {
    let mut world = World::new(tank());
    let mut stepper = CpuStepper::new(1).expect("threads");
    let start = stepper.energies(&world).total();
    let mut greatest = start;
    for _ in 0..200 {
        stepper.substep(&mut world, 2e-3).expect("a good step");
        greatest = greatest.max(stepper.energies(&world).total());
    }
    assert!(greatest < 1.01 * start, "{greatest} J of {start} J");
}

/// A fluid keeps its own particles apart, not those of solids that are sampled more finely.
#[test]
fn a_solid_near_a_coarser_fluid_gets_no_impulse() {
    let mut setup = pool(0.0, [4; 3], DVec3::ZERO);
    let above = DVec3::new(1.0, 4.75, 1.0) * SPACING;
    let solid = block(0, [8; 3], 0.25 * SPACING, above, DVec3::ZERO);
    setup.bodies.push(solid);
    setup.gravity = DVec3::ZERO;
    setup.colliders.clear();
    let world = stepped(setup, 1e-3, 50);
    let p = &world.state.particles;
    let of_solid = (0..p.len()).filter(|&i| p.body[i] == 1);
    let fastest = of_solid
        .map(|i| p.velocity[i].length())
        .fold(0.0, Real::max);
    assert!(fastest < 1e-4, "{fastest} m/s");
}

/// What is left of sliding layers in the middle of a long block without weight, v_x = V f(y), after twenty
/// substeps; what a decay at a rate [1/s] leaves in as many implicit ones.
fn slid(mut setup: Setup, rate: f64, profile: impl Fn(f64) -> f64) -> (f64, f64) {
    setup.gravity = DVec3::ZERO;
    setup.solver.xsph_rate = 0.0;
    setup.solver.iterations = 20;
    let mut world = World::new(setup);
    let p = &mut world.state.particles;
    for i in 0..p.len() {
        p.velocity[i] = to_real(DVec3::X * 0.01 * profile(p.position[i].y));
    }
    let middle = |world: &World| -> f64 {
        let p = &world.state.particles;
        let ends = 0.35 * LONG as f64 * SPACING..0.65 * LONG as f64 * SPACING;
        let inside = (0..p.len()).filter(|&i| ends.contains(&p.position[i].x));
        inside
            .map(|i| f64::from(p.velocity[i].x) * profile(p.position[i].y))
            .sum()
    };
    let start = middle(&world);
    let (substeps, dt) = (20, 0.02 / rate);
    let mut stepper = CpuStepper::new(1).expect("threads");
    for _ in 0..substeps {
        stepper.substep(&mut world, dt).expect("a good step");
    }
    (middle(&world) / start, (1.0 + rate * dt).powi(-substeps))
}

/// Spacings along the block of [`slid`], and across its layers.
const LONG: usize = 40;
const LAYERS: usize = 12;

/// V cos(pi y/H) decays at nu (pi/H)^2 if both ends are free of shear.
#[test]
fn shear_decays_at_the_rate_of_the_viscosity() {
    for viscosity in [1.0, 40.0] {
        let mut setup = pool(viscosity, [LONG, LAYERS, 6], DVec3::ZERO);
        setup.colliders.clear();
        let wave = std::f64::consts::PI / (LAYERS as f64 * SPACING);
        let rate = f64::from(viscosity) / DENSITY * wave * wave;
        let (left, expected) = slid(setup, rate, |y| (wave * y).cos());
        assert!(
            (left / expected - 1.0).abs() < 0.05,
            "{viscosity}: {left} {expected}"
        );
    }
}

/// V sin(pi y/2H) decays at nu (pi/2H)^2 on a floor that nothing slips on, and not at all on a smooth one.
#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn a_viscous_fluid_does_not_slip_on_a_rough_wall() {
    let wave = 0.5 * std::f64::consts::PI / (LAYERS as f64 * SPACING);
    for viscosity in [1.0, 40.0] {
        let mut setup = pool(viscosity, [LONG, LAYERS, 6], DVec3::ZERO);
        let rate = f64::from(viscosity) / DENSITY * wave * wave;
        let (left, expected) = slid(setup.clone(), rate, |y| (wave * y).sin());
        assert!(
            (left.ln() / expected.ln() - 1.0).abs() < 0.05,
            "{viscosity}: {left} {expected}"
        );
        setup.colliders[0].friction = 0.0;
        let (left, _) = slid(setup, rate, |_| 1.0);
        assert!(left > 0.999, "{viscosity}: {left}");
    }
}

#[test]
fn a_rotating_drop_of_honey_goes_on_rotating() {
    let mut setup = pool(50.0, [8, 8, 8], DVec3::splat(-4.0 * SPACING));
    setup.gravity = DVec3::ZERO;
    setup.colliders.clear();
    setup.solver.xsph_rate = 0.0;
    let radius = 4.0 * SPACING;
    let body = &mut setup.bodies[0].particles;
    body.position.retain(|x| x.length() < radius);
    body.velocity.truncate(body.position.len());
    body.is_pinned.truncate(body.position.len());
    let mut world = World::new(setup);
    let p = &mut world.state.particles;
    for i in 0..p.len() {
        p.velocity[i] = to_real(DVec3::Z.cross(p.position[i]));
    }
    let spin = |world: &World| -> f64 {
        let p = &world.state.particles;
        (0..p.len())
            .map(|i| p.position[i].cross(to_double(p.velocity[i])).z)
            .sum()
    };
    let start = spin(&world);
    let mut stepper = CpuStepper::new(1).expect("threads");
    for _ in 0..100 {
        stepper.substep(&mut world, 2e-3).expect("a good step");
    }
    assert!(
        (spin(&world) / start - 1.0).abs() < 0.01,
        "{}",
        spin(&world) / start
    );
}

/// A vortex in a block without walls, turning about z fastest in the middle.
fn vortex(confinement: f64) -> World {
    let mut setup = pool(0.0, [16, 16, 4], DVec3::new(-0.16, -0.16, -0.04));
    setup.gravity = DVec3::ZERO;
    setup.colliders.clear();
    setup
        .solver
        .methods
        .of_mut::<FluidSettings>()
        .vorticity_confinement = confinement;
    let mut world = World::new(setup);
    let p = &mut world.state.particles;
    for i in 0..p.len() {
        let x = p.position[i];
        let spin = (-(x.x * x.x + x.y * x.y) / (0.05 * 0.05)).exp();
        p.velocity[i] = to_real(DVec3::Z.cross(x) * spin);
    }
    let mut stepper = CpuStepper::new(1).expect("threads");
    for _ in 0..100 {
        stepper.substep(&mut world, 2e-3).expect("a good step");
    }
    world
}

fn kinetic_energy(world: &World) -> f64 {
    let p = &world.state.particles;
    let of = |i: usize| 0.5 * f64::from(p.mass[i] * p.velocity[i].length_squared());
    (0..p.len()).map(of).sum()
}

#[test]
fn vorticity_confinement_sustains_an_eddy() {
    let (plain, confined) = (kinetic_energy(&vortex(0.0)), kinetic_energy(&vortex(5.0)));
    assert!(confined > 1.2 * plain, "{confined} {plain}");
}

#[test]
fn vorticity_confinement_does_not_change_rotation_and_free_flight() {
    let start = |confinement: f64| {
        let mut setup = pool(0.0, [8, 8, 8], DVec3::splat(-4.0 * SPACING));
        setup.gravity = DVec3::ZERO;
        setup.colliders.clear();
        setup
            .solver
            .methods
            .of_mut::<FluidSettings>()
            .vorticity_confinement = confinement;
        let mut world = World::new(setup);
        let p = &mut world.state.particles;
        for i in 0..p.len() {
            p.velocity[i] = to_real(DVec3::Z.cross(p.position[i]) + DVec3::X);
        }
        let mut stepper = CpuStepper::new(1).expect("threads");
        stepper.substep(&mut world, 1e-3).expect("a good step");
        world
    };
    let (plain, confined) = (start(0.0), start(100.0));
    let pairs = plain
        .state
        .particles
        .velocity
        .iter()
        .zip(&confined.state.particles.velocity);
    let greatest = pairs.map(|(a, b)| (*a - *b).length()).fold(0.0, Real::max);
    // dt rate l w is 4e-3 m/s.
    assert!(greatest < 4e-4, "{greatest}");
}

#[test]
fn coincident_particles_separate() {
    let mut setup = pool(0.0, [4, 4, 4], DVec3::Y * 0.5);
    setup.gravity = DVec3::ZERO;
    let body = &mut setup.bodies[0].particles;
    body.position[1] = body.position[0];
    body.position[30] = body.position[31] + DVec3::X * 1e-9;
    let world = stepped(setup, 1e-3, 300);
    let nearest = nearest_distance(&world);
    assert!(nearest > 0.6 * SPACING, "{nearest}");
    let fastest = world.state.particles.velocity.iter().map(|v| v.length());
    assert!(fastest.fold(0.0, Real::max) < 1.0);
}

#[test]
fn bits_depend_neither_on_threads_nor_on_instructions() {
    let scene = || {
        let mut setup = tank();
        setup.bodies.push(block(
            2,
            [4, 4, 4],
            SPACING,
            DVec3::new(-0.04, 0.21, -0.03),
            DVec3::ZERO,
        ));
        let Law::Newtonian(law) = &mut setup.materials[6].law else {
            panic!("the last material is the fluid");
        };
        law.viscosity = 0.1;
        setup
    };
    let run = |threads: usize, instructions: Instructions| {
        let mut world = World::new(scene());
        let mut stepper = CpuStepper::new(threads).expect("threads");
        stepper.set_instructions(instructions);
        for _ in 0..30 {
            stepper.substep(&mut world, 1e-3).expect("a good step");
        }
        world.state.to_bytes()
    };
    let first = run(1, Instructions::best());
    for threads in [2, 4] {
        assert!(run(threads, Instructions::best()) == first);
    }
    for instructions in Instructions::available() {
        assert!(run(1, instructions) == first, "{instructions:?}");
    }
}
