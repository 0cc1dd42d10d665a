//! Search distance of pairs that may come too close within the substep.

use pliant_math::{Real, Vec3};

use crate::neighbors::BlockGrid;
use crate::parallel;

/// Part of the minimum distance by which a pair may be pushed together unforeseen: by what is pushed
/// on from beyond the block within one substep.
const MARGIN: f64 = 0.2;

/// How the particles of each block move.
#[derive(Debug, Default)]
pub struct BlockMotions {
    /// Distance [m] below which pairs of a particle of each block are watched.
    pub pair_distance: Vec<Real>,
    motions: Vec<BlockMotion>,
}

#[derive(Clone, Copy, Debug, Default)]
struct BlockMotion {
    /// Mean velocity [m/s].
    mean: Vec3,
    /// Greatest difference of a particle's velocity from it [m/s].
    spread: Real,
}

impl BlockMotions {
    /// From velocities [m/s] at the start of a substep of `dt` [s] and the distance to keep [m].
    pub fn update(&mut self, grid: BlockGrid<'_>, velocity: &[Vec3], minimum: f64, dt: f64) {
        let count = grid.block_count();
        self.motions.resize(count, BlockMotion::default());
        self.pair_distance.resize(count, 0.0);
        if minimum == 0.0 {
            self.pair_distance.fill(0.0);
            return;
        }
        parallel::for_chunks(&mut self.motions, |first, motions| {
            for (k, motion) in motions.iter_mut().enumerate() {
                *motion = BlockMotion::of(&velocity[grid.block(first + k)]);
            }
        });
        let motions = self.motions.as_slice();
        parallel::for_chunks(&mut self.pair_distance, |first, distances| {
            for (k, distance) in distances.iter_mut().enumerate() {
                let own = motions[first + k];
                let approach = |other: usize| own.greatest_approach(motions[other]);
                let fastest = grid.neighbors(first + k).map(approach).fold(0.0, Real::max);
                // Speeds may double within the substep; beyond twice the distance nothing comes
                // near in a step that moves a particle by less than half a spacing.
                let reach = MARGIN * minimum + 2.0 * dt * f64::from(fastest);
                *distance = (minimum + reach.min(minimum)) as Real;
            }
        });
    }
}

impl BlockMotion {
    fn of(velocity: &[Vec3]) -> Self {
        let sum: Vec3 = velocity.iter().copied().sum();
        let mean = sum / velocity.len() as Real;
        let squared = |v: &Vec3| (*v - mean).length_squared();
        Self {
            mean,
            spread: velocity.iter().map(squared).fold(0.0, Real::max).sqrt(),
        }
    }

    /// The greatest speed at which a particle of one block and one of the other approach.
    fn greatest_approach(self, other: Self) -> Real {
        (self.mean - other.mean).length() + self.spread + other.spread
    }
}
