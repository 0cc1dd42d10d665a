//! Times the stages of a substep of a block of 50 653 grains of sand, the best of ten.
//!
//! The number of threads stands on the command line; 1 if it does not.

use pliant_core::step::{CpuStepper, STAGES, StepReport, Stepper};
use pliant_validation::{Case, box_lattice, sand};

const DT: f64 = 1e-3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let threads = match std::env::args().nth(1) {
        Some(threads) => threads.parse()?,
        None => 1,
    };
    let points = box_lattice([37; 3], 0.055, 0.3);
    let case = Case::new(sand(1000.0, 4e5, 0.3, 34.0), points, 0.055).floor(0.0, 0.0, 0.5);
    let mut world = case.world();
    let mut stepper = CpuStepper::new(&world.setup, threads)?;
    for _ in 0..3 {
        stepper.substep(&mut world, DT)?;
    }
    let mut best = stepper.substep(&mut world, DT)?;
    for _ in 1..10 {
        let report = stepper.substep(&mut world, DT)?;
        if report.times.total() < best.times.total() {
            best = report;
        }
    }
    print(&best, world.state.particles.len() as f64);
    Ok(())
}

fn print(report: &StepReport, particles: f64) {
    println!("stage       ns/particle  ns/interaction");
    for stage in STAGES {
        let time = report.times.of(stage) * 1e9 / particles;
        println!(
            "{:<10} {time:>12.1} {:>15.2}",
            stage.name(),
            time / report.neighbors
        );
    }
    let total = report.times.total() * 1e9 / particles;
    println!(
        "{:<10} {total:>12.1}   {:.1} neighbours a particle",
        "all", report.neighbors
    );
}
