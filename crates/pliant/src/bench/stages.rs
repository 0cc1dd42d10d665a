//! A substep by stage, in multiples of the gather bound.

use std::hint::black_box;
use std::time::Instant;

use pliant_core::methods::xpbi::{Gather, Xpbi};
use pliant_core::step::{CpuStepper, STAGES, StepReport, Stepper};
use pliant_core::world::World;

use super::{BenchError, Processor, median};
use crate::machine::resident_memory;

/// Substeps before anything is timed: contacts find their place, buffers their size.
const WARM_UP: usize = 3;
/// Passes over the lists for each measurement of the bound.
const PASSES: usize = 3;

/// What a part of the substep costs: medians over the rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct StageCost {
    /// Name of the stage; `sweep` for a single constraint sweep, `search` for neighbours, corrections
    /// and records, a part of `find`; or `substep` for all of it.
    pub name: String,
    /// Wall time a particle [s].
    pub per_particle: f64,
    /// Wall time an interaction [s].
    pub per_interaction: f64,
    /// The same in gather bounds.
    pub bounds: f64,
}

/// The cost of a substep of a world.
#[derive(Clone, Debug, PartialEq)]
pub struct Stages {
    /// Particles.
    pub particles: usize,
    /// Threads of the simulation; the bound is always of one.
    pub threads: usize,
    /// Mean number of neighbours a particle.
    pub neighbors: f64,
    /// The gather bound: time an interaction [s].
    pub bound: f64,
    /// A sweep, the search, the stages in order, the substep.
    pub costs: Vec<StageCost>,
    /// Memory of the process that was in use with the world at its last substep [bytes]; `None`
    /// where the system does not tell.
    pub resident: Option<u64>,
    /// The state at the end as bytes, to compare runs with.
    pub end: Vec<u8>,
}

impl Stages {
    /// Times so many substeps of a world, each beside the bound on its own lists. The step is the
    /// world's given one.
    ///
    /// # Errors
    /// If there are no threads, or the simulation cannot go on.
    pub fn measure(
        mut world: World,
        processor: Processor,
        rounds: usize,
    ) -> Result<Self, BenchError> {
        let mut stepper = processor.stepper()?;
        let dt = world.setup.solver.time_step.unwrap_or(1e-3);
        for _ in 0..WARM_UP {
            stepper.substep(&mut world, dt)?;
        }
        let mut rows: Vec<Vec<f64>> = Vec::new();
        let mut bounds = Vec::new();
        let mut neighbors = Vec::new();
        for _ in 0..rounds {
            let report = stepper.substep(&mut world, dt)?;
            rows.push(times(&report, world.setup.solver.iterations));
            neighbors.push(report.neighbors);
            bounds.push(gather_bound(&stepper, &world));
        }
        let resident = resident_memory();
        let particles = world.state.particles.len();
        let (bound, neighbors) = (median(bounds), median(neighbors));
        let names = ["sweep", "search"].into_iter();
        let names = names.chain(STAGES.iter().map(|s| s.name()));
        let cost = |(place, name): (usize, &str)| {
            let time = median(rows.iter().map(|row| row[place]).collect());
            let per_particle = time / particles.max(1) as f64;
            let per_interaction = per_particle / neighbors.max(1.0);
            StageCost {
                name: name.to_owned(),
                per_particle,
                per_interaction,
                bounds: per_interaction / bound,
            }
        };
        Ok(Self {
            particles,
            threads: stepper.threads(),
            neighbors,
            bound,
            costs: names.chain(["substep"]).enumerate().map(cost).collect(),
            resident,
            end: world.state.to_bytes(),
        })
    }

    /// The cost of a part, if it is one.
    pub fn cost(&self, name: &str) -> Option<&StageCost> {
        self.costs.iter().find(|cost| cost.name == name)
    }
}

/// Times of one sweep, of the search, of each stage, of the substep [s].
fn times(report: &StepReport, sweeps: u32) -> Vec<f64> {
    let sweep = report.sweep_time / f64::from(sweeps.max(1));
    let stages = STAGES.iter().map(|&stage| report.times.of(stage));
    [sweep, report.search_time]
        .into_iter()
        .chain(stages)
        .chain([report.times.total()])
        .collect()
}

/// The gather bound on the lists of the last substep: time an interaction [s], the best of a few
/// passes.
fn gather_bound(stepper: &CpuStepper, world: &World) -> f64 {
    let Some(xpbi) = stepper.method::<Xpbi>() else {
        return f64::NAN;
    };
    let mut gather = Gather::new(xpbi, &world.state.particles);
    let mut best = f64::INFINITY;
    for _ in 0..PASSES {
        let start = Instant::now();
        black_box(&mut gather).pass();
        best = best.min(start.elapsed().as_secs_f64());
        black_box(gather.sums());
    }
    best / gather.interactions().max(1) as f64
}
