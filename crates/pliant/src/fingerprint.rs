//! A hash of what the first substeps of a scene lead to, to tell whether its results are still the same.

use pliant_core::parallel::PoolError;
use pliant_core::step::{StepError, Stepper, substep_length};
use pliant_core::world::World;
use pliant_io::StateHash;

use crate::bench::Processor;
use crate::prepare::Prepared;

/// Particles times substeps of a fingerprint, which takes about half a second on a core...
const WORK: usize = 300_000;
/// ...as far as substeps are no fewer, so that what a substep leaves is used by the next...
const FEWEST_SUBSTEPS: usize = 4;
/// ...and no more.
const MOST_SUBSTEPS: usize = 400;

/// What the first substeps of a scene lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// Substeps taken.
    pub substeps: usize,
    /// Hashes of the state after them.
    pub hash: StateHash,
}

/// Why a scene has no fingerprint.
#[derive(Debug, thiserror::Error)]
pub enum FingerprintError {
    /// No threads.
    #[error(transparent)]
    Threads(#[from] PoolError),
    /// The simulation cannot go on.
    #[error(transparent)]
    Step(#[from] StepError),
}

impl Fingerprint {
    /// Takes the first substeps of a scene: so many, or as many as take about half a second.
    ///
    /// # Errors
    /// If the operating system gives no threads, or the simulation cannot go on.
    pub fn of(
        prepared: Prepared,
        processor: Processor,
        substeps: Option<usize>,
    ) -> Result<Self, FingerprintError> {
        let mut world = World::new(prepared.built.setup);
        let mut stepper = processor.stepper()?;
        let substeps = substeps.unwrap_or_else(|| affordable(world.state.particles.len()));
        for _ in 0..substeps {
            let dt = substep_length(&world.setup, &world.state);
            stepper.substep(&mut world, dt)?;
        }
        Ok(Self {
            substeps,
            hash: StateHash::of(&world.state),
        })
    }
}

/// How many substeps a fingerprint of so many particles takes.
fn affordable(particles: usize) -> usize {
    (WORK / particles.max(1)).clamp(FEWEST_SUBSTEPS, MOST_SUBSTEPS)
}
