//! What frames and statistics both read off a world.

use super::pieces::Pieces;
use super::readings::readings;
use crate::method::Readings;
use crate::parallel;
use crate::world::World;

/// Read once, where several ask for it.
#[derive(Debug)]
pub struct FrameAnalysis {
    /// Places of all particles in order of their ids.
    pub(super) order: Vec<u32>,
    /// What methods tell of their particles.
    pub(super) readings: Readings,
    /// The pieces of matter; points are particles in order of their ids.
    pub(super) pieces: Pieces,
}

impl FrameAnalysis {
    /// Reads a world.
    pub fn of(world: &World) -> Self {
        let order = order(world);
        let (readings, pieces) = parallel::both(|| readings(world), || Pieces::of(world, &order));
        Self {
            order,
            readings,
            pieces,
        }
    }
}

/// Places of all particles in order of their ids.
pub(super) fn order(world: &World) -> Vec<u32> {
    let particles = &world.state.particles;
    let mut order: Vec<u32> = (0..particles.len() as u32).collect();
    order.sort_unstable_by_key(|&i| particles.id[i as usize]);
    order
}
