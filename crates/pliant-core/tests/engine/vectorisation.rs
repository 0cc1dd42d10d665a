//! The sweep over sixteen blocks at once against the plain one, and its instruction sets.

use pliant_core::methods::xpbi::{
    GradientPrecision, PlainSweep, Xpbi, XpbiColumns, XpbiSettings, XpbiSetup,
};
use pliant_core::particles::ReorderScratch;
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::{Setup, State, World};
use pliant_math::simd::Instructions;
use pliant_math::{DVec3, RandomStream, Real, SymMat3, Vec3, to_real};

use crate::blocks::{block, setup};
use crate::worlds::momentum_of;

const DT: f64 = 1e-3;

const PRECISIONS: [GradientPrecision; 2] = [GradientPrecision::Full, GradientPrecision::Half];

/// All laws in one continuum, shaken out of their lattices, some particles held.
fn mixed(gradient_precision: GradientPrecision) -> Setup {
    let mut bodies = vec![
        block(2, [13, 9, 11], 0.05, DVec3::ZERO, DVec3::ZERO),
        block(1, [6, 7, 5], 0.05, DVec3::new(0.1, 0.44, 0.1), DVec3::ZERO),
        block(0, [5, 4, 6], 0.05, DVec3::new(0.2, 0.78, 0.1), DVec3::ZERO),
        block(3, [4, 5, 4], 0.05, DVec3::new(0.42, 0.44, 0.1), DVec3::ZERO),
        block(
            4,
            [4, 5, 4],
            0.05,
            DVec3::new(0.42, 0.44, 0.32),
            DVec3::ZERO,
        ),
        block(
            5,
            [5, 5, 3],
            0.05,
            DVec3::new(0.12, 0.44, 0.38),
            DVec3::ZERO,
        ),
    ];
    let random = RandomStream::new(7, 3);
    for (number, body) in bodies.iter_mut().enumerate() {
        let particles = &mut body.particles;
        for (k, x) in particles.position.iter_mut().enumerate() {
            let noise = |axis: u64| random.unit(9 * k as u64 + axis + 100_000 * number as u64);
            *x += DVec3::new(noise(0) - 0.5, noise(1) - 0.5, noise(2) - 0.5) * (0.8 * body.spacing);
            particles.is_pinned[k] = noise(3) < 0.02;
        }
    }
    let mut setup = setup(bodies);
    setup
        .solver
        .methods
        .of_mut::<XpbiSettings>()
        .gradient_precision = gradient_precision;
    setup
}

/// The method after its search, with particles that move and are strained at random.
fn moving(setup: Setup) -> (Xpbi, State) {
    let World { setup, mut state } = World::new(setup);
    let mut method = XpbiSetup::of(&setup);
    method.settings.warm_start = false;
    let random = RandomStream::new(7, 4);
    for k in 0..state.particles.len() {
        let noise = |n: u64| (random.unit(12 * k as u64 + n) - 0.5) as Real;
        state.particles.velocity[k] = Vec3::new(noise(0), noise(1), noise(2));
        let [xx, yy, zz] = [3, 4, 5].map(|n| noise(n) * 0.02);
        let [xy, xz, yz] = [6, 7, 8].map(|n| noise(n) * 0.02);
        // A few are strained so far that their logarithm takes the other way.
        let factor = if noise(9) > 0.48 { 30.0 } else { 1.0 };
        state.methods.of_mut::<XpbiColumns>().strain[k] =
            SymMat3::new(xx, yy, zz, xy, xz, yz) * factor;
    }
    let mut xpbi = Xpbi::new(method);
    let State {
        particles, methods, ..
    } = &mut state;
    let columns = methods.of_mut::<XpbiColumns>();
    xpbi.find(particles, columns, &mut ReorderScratch::default(), DT);
    (xpbi, state)
}

#[test]
fn the_vectorised_sweep_equals_the_plain_one() {
    PRECISIONS
        .into_iter()
        .for_each(compare_with_the_plain_sweep);
}

fn compare_with_the_plain_sweep(precision: GradientPrecision) {
    let (mut xpbi, state) = moving(mixed(precision));
    let (mut fast, mut slow) = (state.particles.clone(), state.particles.clone());
    xpbi.start_warm(&mut fast, DT);
    let mut plain = PlainSweep::cold(&xpbi.continua[0]);
    for _ in 0..3 {
        xpbi.project(&mut fast, DT);
        let continuum = &xpbi.continua[0];
        plain.sweep(
            continuum,
            &mut slow,
            state.methods.of::<XpbiColumns>(),
            &xpbi.setup,
            DT as Real,
        );
    }
    let continuum = &xpbi.continua[0];
    let greatest_stress = plain.applied.iter().map(|t| t.norm()).fold(0.0, Real::max);
    let tolerance = 2e3 * Real::EPSILON;
    for i in 0..fast.len() {
        let difference = (fast.velocity[i] - slow.velocity[i]).length();
        assert!(difference < tolerance, "{i}: {difference:e}");
        let difference = (continuum.applied_stress(i) - plain.applied[i]).norm();
        assert!(
            difference < tolerance * greatest_stress,
            "{i}: {difference:e}"
        );
    }
    let change = (0..fast.len()).map(|i| (fast.velocity[i] - state.particles.velocity[i]).length());
    assert!(change.fold(0.0, Real::max) > 0.1);
}

#[test]
fn half_precision_gradients_are_accurate_and_keep_momentum() {
    let gradients = |precision| {
        let (xpbi, _) = moving(mixed(precision));
        let lists = &xpbi.continua[0].neighbors;
        let of = |i: usize| lists.neighbors(i).map(|n| n.gradient).collect::<Vec<_>>();
        (0..xpbi.continua[0].range.len())
            .map(of)
            .collect::<Vec<_>>()
    };
    let [full, half] = PRECISIONS.map(gradients);
    let mut greatest_error: Real = 0.0;
    for (full, half) in full.iter().zip(&half) {
        let size = full
            .iter()
            .map(|g| g.abs().max_element())
            .fold(0.0, Real::max);
        for (full, half) in full.iter().zip(half) {
            let error = (*full - *half).abs().max_element() / size;
            greatest_error = greatest_error.max(error);
        }
    }
    assert!(greatest_error < 1.0 / 2048.0 + 1e-6, "{greatest_error:e}");
    assert!(
        greatest_error > 1e-5,
        "nothing is rounded: {greatest_error:e}"
    );

    let mut setup = mixed(GradientPrecision::Half);
    setup
        .bodies
        .iter_mut()
        .for_each(|body| body.particles.is_pinned.fill(false));
    let (mut xpbi, mut state) = moving(setup);
    let before = momentum_of(&state.particles);
    xpbi.start_warm(&mut state.particles, DT);
    for _ in 0..3 {
        xpbi.project(&mut state.particles, DT);
    }
    xpbi.smooth(&mut state.particles, 100.0, DT);
    let change = (momentum_of(&state.particles) - before).length();
    let exchanged: f64 = state.particles.mass.iter().map(|&m| f64::from(m)).sum();
    assert!(
        change < 3.0 * f64::from(Real::EPSILON) * exchanged,
        "{change:e}"
    );
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    PRECISIONS.into_iter().for_each(compare_instruction_sets);
}

fn compare_instruction_sets(precision: GradientPrecision) {
    let bytes_with = |instructions: Instructions| {
        let mut world = World::new(mixed(precision));
        for (k, v) in world.state.particles.velocity.iter_mut().enumerate() {
            *v = to_real(DVec3::new(0.1, -0.3, 1e-3 * k as f64));
        }
        let mut stepper = CpuStepper::new(2).expect("threads");
        stepper.set_instructions(instructions);
        for _ in 0..20 {
            stepper.substep(&mut world, DT).expect("a sound scene");
        }
        world.state.to_bytes()
    };
    let baseline = bytes_with(Instructions::BASELINE);
    let all = Instructions::available();
    for &instructions in all.iter().filter(|&&set| set != Instructions::BASELINE) {
        let same = bytes_with(instructions) == baseline;
        assert!(same, "{}", instructions.name());
    }
}

/// Most grains fly together, with a zero of either sign; those at one end are driven together.
fn driven_together_at_one_end() -> (Xpbi, State) {
    let sand = block(2, [40, 9, 9], 0.05, DVec3::ZERO, DVec3::ZERO);
    let World { setup, mut state } = World::new(setup(vec![sand]));
    let mut xpbi = Xpbi::new(XpbiSetup::of(&setup));
    let State {
        particles, methods, ..
    } = &mut state;
    let columns = methods.of_mut::<XpbiColumns>();
    let origin = particles.position[0].x;
    for (x, v) in particles.position.iter().zip(&mut particles.velocity) {
        let along = x.x - origin;
        let driven = if along < 0.3 { -5.0 * along } else { -0.0 };
        *v = Vec3::new(driven as Real, -1.0, 0.0);
    }
    xpbi.find(particles, columns, &mut ReorderScratch::default(), DT);
    (xpbi, state)
}

#[test]
fn grains_in_flight_keep_their_velocities_with_every_instruction_set() {
    let velocities_with = |instructions: Instructions| {
        let (mut xpbi, mut state) = driven_together_at_one_end();
        xpbi.set_instructions(instructions);
        let before = state.particles.velocity.clone();
        xpbi.start_warm(&mut state.particles, DT);
        for _ in 0..2 {
            xpbi.project(&mut state.particles, DT);
        }
        (before, state.particles.velocity)
    };
    let (before, baseline) = velocities_with(Instructions::BASELINE);
    let kept = before.iter().zip(&baseline).filter(|(a, b)| a == b).count();
    let changed = before.len() - kept;
    assert!(kept > 2000 && changed > 300, "{kept} {changed}");
    let bits = |all: &[Vec3]| -> Vec<_> {
        let numbers = all.iter().flat_map(|v| [v.x, v.y, v.z]);
        numbers.map(Real::to_bits).collect()
    };
    for instructions in Instructions::available() {
        let same = bits(&velocities_with(instructions).1) == bits(&baseline);
        assert!(same, "{}", instructions.name());
    }
}
