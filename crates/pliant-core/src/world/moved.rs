//! What somebody from outside has moved between substeps.

use super::{Setup, State};

/// Particles that were put elsewhere or given other velocities between substeps, by their places, increasing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MovedParticles {
    /// Those at other positions.
    pub position: Vec<u32>,
    /// Those with other velocities.
    pub velocity: Vec<u32>,
}

impl MovedParticles {
    /// True if nothing was moved.
    pub fn is_empty(&self) -> bool {
        self.position.is_empty() && self.velocity.is_empty()
    }
}

impl State {
    /// Brings what depends on positions and velocities up to date: what methods concluded from them, and the balance
    /// of energy, which the next frame begins anew, since nobody has paid for the difference.
    pub(crate) fn take_note_of(&mut self, setup: &Setup, moved: &MovedParticles) {
        for method in setup.methods() {
            method.take_note_of(setup, self, moved);
        }
        self.account.energy = None;
    }
}
