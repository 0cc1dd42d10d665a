//! Scratch.
use pliant_core::step::{CpuStepper, STAGES, Stepper};
use pliant_math::*;
use pliant_validation::*;
fn main() {
    let pts = box_lattice([37, 37, 37], 0.055, 0.3);
    let mut case = Case::new(sand(1000.0, 4e5, 0.3, 34.0), pts, 0.055).floor(0.0, 0.0, 0.5);
    case.setup.solver.iterations = 4;
    let mut w = case.world();
    let threads = std::env::args().nth(1).map_or(1, |v| v.parse().unwrap());
    let mut s = CpuStepper::new(&w.setup, threads).unwrap();
    for _ in 0..3 {
        s.substep(&mut w, 1e-3).unwrap();
    }
    let mut best: Option<pliant_core::step::StepReport> = None;
    for _ in 0..10 {
        let r = s.substep(&mut w, 1e-3).unwrap();
        if best
            .as_ref()
            .is_none_or(|b| r.times.total() < b.times.total())
        {
            best = Some(r);
        }
    }
    let r = best.unwrap();
    let n = w.state.particles.len() as f64;
    for st in STAGES {
        println!(
            "{:10} {:8.1} ns/particle {:6.2} ns/interaction",
            st.name(),
            r.times.of(st) * 1e9 / n,
            r.times.of(st) * 1e9 / n / r.neighbors
        );
    }
    println!(
        "total {:.1} ns/particle, neighbors {:.1} {}",
        r.times.total() * 1e9 / n,
        r.neighbors,
        DVec3::ZERO
    );
}
