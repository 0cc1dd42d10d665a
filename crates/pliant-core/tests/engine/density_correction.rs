//! Position correction by density.

use std::sync::Arc;

use pliant_core::measure::probes::KernelDensity;
use pliant_core::methods::xpbi::{PositionCorrection, Xpbi, XpbiColumns, XpbiSettings, XpbiSetup};
use pliant_core::particles::ReorderScratch;
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::{Setup, World};
use pliant_geometry::sampling::{Sampling, fill};
use pliant_geometry::{in_order, shapes};
use pliant_math::simd::Instructions;
use pliant_math::{DVec3, RandomStream, Real, to_double};

use crate::blocks::{block, body, setup};
use crate::worlds::{advance, greatest_speed, momentum};

const SPACING: f64 = 0.05;
const DT: f64 = 2e-3;
const SAND: u32 = 2;

/// The bound of the settings.
const BOUND: f64 = 1.25;

/// A weightless block of sand, its lattice drawn together or apart by a factor and shaken by so many
/// spacings.
fn sand(size: [usize; 3], factor: f64, shaken: f64, correction: PositionCorrection) -> Setup {
    let mut block = block(SAND, size, SPACING, DVec3::ZERO, DVec3::ZERO);
    let random = RandomStream::new(3, 9);
    for (k, x) in block.particles.position.iter_mut().enumerate() {
        let noise = |axis: u64| random.unit(3 * k as u64 + axis) - 0.5;
        *x = *x * factor + DVec3::new(noise(0), noise(1), noise(2)) * (shaken * SPACING);
    }
    let mut setup = setup(vec![block]);
    setup.gravity = DVec3::ZERO;
    setup.colliders.clear();
    setup.solver.methods.of_mut::<XpbiSettings>().correction = correction;
    setup
}

fn greatest_density(world: &World) -> f64 {
    let all: Vec<usize> = (0..world.state.particles.len()).collect();
    KernelDensity::of(world, &all).greatest
}

fn bytes_after(setup: Setup, substeps: usize, threads: usize) -> Vec<u8> {
    let mut world = World::new(setup);
    advance(&mut world, DT, substeps, threads).expect("a sound scene");
    world.state.to_bytes()
}

#[test]
fn a_compressed_block_expands_to_the_bound_at_the_push_out_speed() {
    let mut setup = sand([7; 3], 0.85, 0.0, PositionCorrection::Density);
    setup.solver.xsph_rate = 0.0;
    setup.solver.push_out_speed = Some(0.3);
    let mut world = World::new(setup.clone());
    let rate = world.setup.push_out_speed() / SPACING;
    let start = greatest_density(&world);
    assert!(start > 1.5, "{start}");
    // The rate is that of the sum of V W, which is 1.04 at rest. With enough sweeps it is met.
    let mut exact = World::new(setup);
    Arc::make_mut(&mut exact.setup).solver.iterations = 60;
    advance(&mut exact, DT, 1, 1).expect("a sound scene");
    let first = 1.04 * (start - greatest_density(&exact)) / DT;
    assert!((first / rate - 1.0).abs() < 0.03, "{first} {rate}");
    let half_diagonal = 0.5 * 3.0_f64.sqrt() * 7.0 * SPACING;
    let substeps = (1.2 * (start - BOUND) * 1.04 / (rate * DT)) as usize;
    for _ in 0..substeps / 10 {
        advance(&mut world, DT, 10, 1).expect("a sound scene");
        let fastest = greatest_speed(&world);
        assert!(fastest < rate * half_diagonal, "{fastest}");
    }
    let end = greatest_density(&world);
    assert!(end < 1.01 * BOUND, "{end}");
}

#[test]
fn density_correction_leaves_sparse_particles_alone() {
    for (factor, shaken) in [(1.0, 0.3), (1.1, 0.8)] {
        let after = |correction| {
            let mut setup = sand([7; 3], factor, shaken, correction);
            // Parts that turn against each other, and hardly approach.
            let particles = &mut setup.bodies[0].particles;
            for (v, x) in particles.velocity.iter_mut().zip(&particles.position) {
                *v = DVec3::new(0.2 * x.y, -0.2 * x.x, 0.1 * x.y);
            }
            bytes_after(setup, 10, 1)
        };
        let alone = after(PositionCorrection::None);
        assert!(
            after(PositionCorrection::Density) == alone,
            "{factor} {shaken}"
        );
    }
}

#[test]
fn a_sampled_body_at_rest_stays_where_it_is() {
    let sphere = shapes::Sphere { radius: 0.4 };
    let random = RandomStream::new(5, 1);
    let points = fill(&sphere, SPACING, Sampling::Poisson, 0.0, random, in_order);
    let mut setup = sand([1; 3], 1.0, 0.0, PositionCorrection::Density);
    setup.bodies = vec![body(SAND, SPACING, points, DVec3::ZERO)];
    let mut world = World::new(setup);
    assert!(greatest_density(&world) > 1.15, "hardly irregular");
    advance(&mut world, DT, 20, 1).expect("a sound scene");
    let (fastest, cap) = (greatest_speed(&world), world.setup.push_out_speed());
    assert!(fastest < 1e-3 * cap, "{fastest} m/s of {cap}");
}

#[test]
fn density_correction_keeps_momentum() {
    let mut setup = sand([8; 3], 0.9, 0.9, PositionCorrection::Density);
    setup.bodies[0].particles.velocity.fill(DVec3::X);
    let mut world = World::new(setup);
    let before = momentum(&world);
    let density = greatest_density(&world);
    advance(&mut world, DT, 25, 1).expect("a sound scene");
    let drift = (momentum(&world) - before).length() / before.length();
    let tolerance = if size_of::<Real>() == 4 { 2e-6 } else { 1e-13 };
    assert!(drift < tolerance, "{drift:e}");
    // Something has happened.
    let after = greatest_density(&world);
    assert!(after < 0.95 * density, "{density} {after}");
}

#[test]
fn pushing_crowds_apart_does_not_make_them_spin() {
    let World { setup, mut state } =
        World::new(sand([8; 3], 0.85, 0.5, PositionCorrection::Density));
    let mut xpbi = Xpbi::new(XpbiSetup::of(&setup));
    let particles = &mut state.particles;
    let mut scratch = ReorderScratch::default();
    xpbi.find(
        particles,
        state.methods.of_mut::<XpbiColumns>(),
        &mut scratch,
        DT,
    );
    for _ in 0..4 {
        xpbi.correct_positions(particles, setup.push_out_speed(), DT);
    }
    let (mut spin, mut size) = (DVec3::ZERO, 0.0);
    for (x, v) in particles.position.iter().zip(&particles.velocity) {
        let moment = x.cross(to_double(*v));
        spin += moment;
        size += moment.length();
    }
    assert!(size > 0.1, "nothing moves: {size}");
    // Gradients of sand have eleven bits in single precision.
    let tolerance = if size_of::<Real>() == 4 { 1e-4 } else { 1e-12 };
    assert!(spin.length() < tolerance * size, "{spin} {size}");
}

#[test]
fn density_correction_has_the_same_bits_for_any_threads_and_instructions() {
    // So long that each colour has blocks for two tasks.
    let rod = |correction| sand([4, 4, 200], 0.85, 0.4, correction);
    let crowd = || rod(PositionCorrection::Density);
    let one = bytes_after(crowd(), 6, 1);
    assert_ne!(one, bytes_after(rod(PositionCorrection::None), 6, 1));
    assert!(bytes_after(crowd(), 6, 2) == one);
    for instructions in Instructions::available() {
        let mut world = World::new(crowd());
        let mut stepper = CpuStepper::new(2).expect("threads");
        stepper.set_instructions(instructions);
        for _ in 0..6 {
            stepper.substep(&mut world, DT).expect("a sound scene");
        }
        assert!(world.state.to_bytes() == one, "{}", instructions.name());
    }
}
