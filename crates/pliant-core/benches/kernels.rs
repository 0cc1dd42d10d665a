//! Times of the parts of a substep that run over neighbours, for each instruction set that the
//! processor has.
//!
//! `cargo bench -p pliant-core` runs them, on one thread and 27 000 grains of sand. `pliant bench` tells
//! the same in multiples of the gather bound.

#[path = "../tests/engine/blocks.rs"]
mod blocks;

use pliant_core::methods::xpbi::{PositionCorrection, Xpbi, XpbiColumns, XpbiSettings, XpbiSetup};
use pliant_core::parallel::Pool;
use pliant_core::particles::ReorderScratch;
use pliant_core::world::{State, World};
use pliant_math::simd::Instructions;
use pliant_math::{DVec3, RandomStream};

use blocks::{block, setup};

fn main() {
    divan::main();
}

/// Grains along an edge of the block.
const SIDE: usize = 30;
const DT: f64 = 1e-3;
/// [m/s]
const PUSH_OUT_SPEED: f64 = 0.1;

/// The method and its particles after a search.
struct Case {
    xpbi: Xpbi,
    state: State,
    scratch: ReorderScratch,
}

impl Case {
    fn new(instructions: Instructions, correction: PositionCorrection) -> Self {
        let mut sand = block(2, [SIDE; 3], 0.05, DVec3::ZERO, DVec3::ZERO);
        let random = RandomStream::new(1, 1);
        for (k, x) in sand.particles.position.iter_mut().enumerate() {
            let noise = |axis| random.unit(3 * k as u64 + axis) - 0.5;
            *x += DVec3::new(noise(0), noise(1), noise(2)) * (0.6 * sand.spacing);
        }
        let mut setup = setup(vec![sand]);
        setup.solver.methods.of_mut::<XpbiSettings>().correction = correction;
        let World { setup, state } = World::new(setup);
        let mut xpbi = Xpbi::new(XpbiSetup::of(&setup));
        xpbi.set_instructions(instructions);
        let mut case = Self {
            xpbi,
            state,
            scratch: ReorderScratch::default(),
        };
        case.find();
        case.xpbi.start_warm(&mut case.state.particles, DT);
        case
    }

    fn find(&mut self) {
        let State {
            particles, methods, ..
        } = &mut self.state;
        self.xpbi.find(
            particles,
            methods.of_mut::<XpbiColumns>(),
            &mut self.scratch,
            DT,
        );
    }
}

/// Times some work on a case for an instruction set.
fn time(bencher: divan::Bencher, instructions: Instructions, work: fn(&mut Case)) {
    time_with(PositionCorrection::Distance, bencher, instructions, work);
}

fn time_with(
    correction: PositionCorrection,
    bencher: divan::Bencher,
    instructions: Instructions,
    work: fn(&mut Case),
) {
    let grains = divan::counter::ItemsCount::new(SIDE * SIDE * SIDE);
    let pool = Pool::new(1).expect("a thread");
    let mut case = pool.run(|| Case::new(instructions, correction));
    bencher
        .counter(grains)
        .bench_local(|| pool.run(|| work(&mut case)));
}

#[divan::bench(args = Instructions::available(), sample_count = 20, sample_size = 1)]
fn find(bencher: divan::Bencher, instructions: Instructions) {
    time(bencher, instructions, Case::find);
}

#[divan::bench(args = Instructions::available(), sample_count = 20, sample_size = 1)]
fn warm_start(bencher: divan::Bencher, instructions: Instructions) {
    time(bencher, instructions, |case| {
        case.xpbi.start_warm(&mut case.state.particles, DT);
    });
}

#[divan::bench(args = Instructions::available(), sample_count = 20, sample_size = 1)]
fn sweep(bencher: divan::Bencher, instructions: Instructions) {
    time(bencher, instructions, |case| {
        case.xpbi.project(&mut case.state.particles, DT);
    });
}

#[divan::bench(args = Instructions::available(), sample_count = 20, sample_size = 1)]
fn correct_by_distance(bencher: divan::Bencher, instructions: Instructions) {
    time_with(PositionCorrection::Distance, bencher, instructions, correct);
}

#[divan::bench(args = Instructions::available(), sample_count = 20, sample_size = 1)]
fn correct_by_density(bencher: divan::Bencher, instructions: Instructions) {
    time_with(PositionCorrection::Density, bencher, instructions, correct);
}

fn correct(case: &mut Case) {
    let particles = &mut case.state.particles;
    case.xpbi.correct_positions(particles, PUSH_OUT_SPEED, DT);
}

#[divan::bench(args = Instructions::available(), sample_count = 20, sample_size = 1)]
fn smooth(bencher: divan::Bencher, instructions: Instructions) {
    time(bencher, instructions, |case| {
        case.xpbi.smooth(&mut case.state.particles, 10.0, DT);
    });
}

#[divan::bench(args = Instructions::available(), sample_count = 20, sample_size = 1)]
fn flow(bencher: divan::Bencher, instructions: Instructions) {
    time(bencher, instructions, |case| {
        let State {
            particles, methods, ..
        } = &mut case.state;
        case.xpbi
            .flow(particles, methods.of_mut::<XpbiColumns>(), DT);
    });
}
