//! Hashes of a state, to tell whether two runs have the same bits.

use pliant_core::world::State;

use crate::content_hash;

/// Hashes of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateHash {
    /// Of ids, positions and velocities in order of the ids: what others see.
    pub motion: u64,
    /// Of the whole state, with all that methods keep and in the order of the particles in memory.
    pub state: u64,
}

impl StateHash {
    /// Of a state.
    pub fn of(state: &State) -> Self {
        Self {
            motion: motion_hash(state),
            state: content_hash(&state.to_bytes()),
        }
    }
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
