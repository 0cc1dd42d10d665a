//! A sweep of `strain-energy`, in multiples of what reading its neighbours takes.

use std::sync::Arc;
use std::time::Instant;

use pliant_core::methods::strain_energy::StrainEnergySetup;
use pliant_core::step::{CpuStepper, STAGES, Stage, StepReport, Stepper};
use pliant_core::world::World;

use super::edges::{EdgeBounds, EdgeLists};
use super::{BenchError, Processor, median, solid_block};

/// Substeps before anything is timed.
const WARM_UP: usize = 3;

/// Sweeps a substep, of which the first also reads the shape at the start and controls zero-energy
/// modes.
const SWEEPS: u32 = 4;

/// Orders of the projections.
pub const ORDERINGS: [&str; 2] = ["gauss-seidel", "jacobi"];

/// The cost of a block of solid: medians over the rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Solids {
    /// Order of the projections.
    pub ordering: &'static str,
    /// Particles.
    pub particles: usize,
    /// Threads of the simulation; the bounds are always of one.
    pub threads: usize,
    /// Ways from particles to neighbours, both directions counted.
    pub edges: usize,
    /// What reading them costs.
    pub bounds: EdgeBounds,
    /// Time an edge of the first sweep of a substep [s].
    pub first_sweep: f64,
    /// Time an edge of each further one [s].
    pub further_sweep: f64,
    /// Wall time of the stages of a substep of four sweeps [s], by their names.
    pub stages: Vec<(&'static str, f64)>,
    /// Share of that substep that goes to contacts: `find`, and what `project` and `derive` spend
    /// beside sweeps. Sorting, which is little, counts with them.
    pub contact_share: f64,
    /// Wall time of making the block: particles and neighbours at rest [s].
    pub making: f64,
    /// Wall time of the first substep [s], in which corrections are computed and constraints coloured.
    pub first_substep: f64,
}

impl Solids {
    /// Times so many substeps of a block of about so many particles, each beside the bounds.
    ///
    /// # Errors
    /// If there is no memory or there are no threads, or the simulation cannot go on.
    pub fn measure(
        particles: u64,
        ordering: &'static str,
        processor: Processor,
        rounds: usize,
    ) -> Result<Self, BenchError> {
        let start = Instant::now();
        let mut world = solid_block(particles, ordering)?;
        let making = start.elapsed().as_secs_f64();
        let mut stepper = processor.stepper()?;
        set_sweeps(&mut world, SWEEPS);
        let start = Instant::now();
        substep(&mut stepper, &mut world)?;
        let first_substep = start.elapsed().as_secs_f64();
        for _ in 1..WARM_UP {
            substep(&mut stepper, &mut world)?;
        }
        let bodies = StrainEnergySetup::of(&world.setup).bodies;
        let mut lists = EdgeLists::new(&bodies, &world.state.particles);
        let (mut once, mut all, mut bounds) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..rounds {
            all.push(substep(&mut stepper, &mut world)?);
            bounds.push(lists.measure());
        }
        set_sweeps(&mut world, 1);
        for _ in 0..WARM_UP {
            substep(&mut stepper, &mut world)?;
        }
        for _ in 0..rounds {
            once.push(substep(&mut stepper, &mut world)?);
        }
        let first_sweep = median_of(&once, |report| report.sweep_time);
        let sweeps = median_of(&all, |report| report.sweep_time);
        let edges = lists.count();
        let an_edge = |time: f64| time / edges.max(1) as f64;
        Ok(Self {
            ordering,
            particles: world.state.particles.len(),
            threads: stepper.threads(),
            edges,
            bounds: EdgeBounds {
                gather: median_of(&bounds, |b| b.gather),
                vectors: median_of(&bounds, |b| b.vectors),
                matrices: median_of(&bounds, |b| b.matrices),
            },
            first_sweep: an_edge(first_sweep),
            further_sweep: an_edge((sweeps - first_sweep) / f64::from(SWEEPS - 1)),
            stages: STAGES
                .map(|stage| (stage.name(), median_of(&all, |r| r.times.of(stage))))
                .to_vec(),
            contact_share: median_of(&all, contact_share),
            making,
            first_substep,
        })
    }

    /// Constraints evaluated in a second of sweeps [1/s].
    pub fn evaluations(&self) -> f64 {
        let sweeps = f64::from(SWEEPS);
        let time = self.first_sweep + (sweeps - 1.0) * self.further_sweep;
        sweeps * self.particles as f64 / (time * self.edges.max(1) as f64)
    }
}

/// Share of a substep that goes to contacts.
fn contact_share(report: &StepReport) -> f64 {
    let times = &report.times;
    let around_sweeps = times.of(Stage::Project) + times.of(Stage::Derive) - report.sweep_time;
    (times.of(Stage::Find) + around_sweeps) / times.total()
}

/// Gives a world so many sweeps a substep.
pub(super) fn set_sweeps(world: &mut World, sweeps: u32) {
    Arc::make_mut(&mut world.setup).solver.iterations = sweeps;
}

/// A substep of the given length.
pub(super) fn substep(
    stepper: &mut CpuStepper,
    world: &mut World,
) -> Result<StepReport, BenchError> {
    let dt = world.setup.solver.time_step.unwrap_or(1e-3);
    Ok(stepper.substep(world, dt)?)
}

/// The median of something.
pub(super) fn median_of<T>(all: &[T], of: impl Fn(&T) -> f64) -> f64 {
    median(all.iter().map(of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_of_solid_is_timed_with_both_orders_of_projections() {
        for ordering in ORDERINGS {
            let solids =
                Solids::measure(600, ordering, Processor::with_threads(1), 2).expect(ordering);
            // Of the 26 lattice neighbours those at the surface lack some.
            let neighbors = solids.edges as f64 / solids.particles as f64;
            assert!((15.0..26.0).contains(&neighbors), "{neighbors}");
            let bounds = solids.bounds;
            assert!(bounds.gather > 0.0 && bounds.both() > bounds.vectors);
            assert!((0.0..1.0).contains(&solids.contact_share), "{ordering}");
            assert!(solids.evaluations() > 1e3, "{ordering}");
        }
    }
}
