//! A hash of what the first substeps of a scene lead to, to tell whether its results are still the same.

use pliant_core::parallel::PoolError;
use pliant_core::step::{StepError, Stepper, frame_substeps};
use pliant_core::world::{State, World};
use pliant_io::content_hash;

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
    /// Hash of ids, positions and velocities in order of the ids: what others see.
    pub motion: u64,
    /// Hash of the whole state, with all that methods keep and in the order of the particles in memory.
    pub state: u64,
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
            let frame = 1.0 / world.setup.frame_rate;
            let dt = frame / frame_substeps(&world.setup, &world.state);
            stepper.substep(&mut world, dt)?;
        }
        Ok(Self {
            substeps,
            motion: motion_hash(&world.state),
            state: content_hash(&world.state.to_bytes()),
        })
    }
}

/// How many substeps a fingerprint of so many particles takes.
fn affordable(particles: usize) -> usize {
    (WORK / particles.max(1)).clamp(FEWEST_SUBSTEPS, MOST_SUBSTEPS)
}

fn motion_hash(state: &State) -> u64 {
    let particles = &state.particles;
    let mut order: Vec<usize> = (0..particles.len()).collect();
    order.sort_unstable_by_key(|&i| particles.id[i]);
    let mut bytes = Vec::new();
    for i in order {
        bytes.extend(particles.id[i].to_le_bytes());
        let position = particles.position[i].to_array();
        bytes.extend(position.iter().flat_map(|x| x.to_le_bytes()));
        let velocity = particles.velocity[i].to_array();
        bytes.extend(velocity.iter().flat_map(|v| v.to_le_bytes()));
    }
    content_hash(&bytes)
}
