//! A state as bytes and back: what checkpoints hold and what determinism is judged by.

use super::state::method_states;
use super::{Setup, State, drive};
use crate::method::SavedState;

/// Why bytes are no state.
#[derive(Debug, thiserror::Error)]
#[error("the bytes hold no state of this version of Pliant and this scene: {0}")]
pub struct SnapshotError(String);

impl SnapshotError {
    /// With the reason.
    pub fn new(why: impl ToString) -> Self {
        Self(why.to_string())
    }
}

impl State {
    /// The whole state as bytes: equal states give equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_allocvec(&(self, self.methods.saved())).unwrap_or_default()
    }

    /// The state of a world with a setup in bytes that [`State::to_bytes`] wrote.
    ///
    /// # Errors
    /// If the bytes are damaged, columns differ in length, or it can be no state of such a world.
    pub fn from_bytes(bytes: &[u8], setup: &Setup) -> Result<Self, SnapshotError> {
        let read: Result<(Self, Vec<SavedState>), _> = postcard::from_bytes(bytes);
        let (mut state, saved) = read.map_err(|error| SnapshotError(error.to_string()))?;
        state.methods = method_states(setup);
        state.methods.restore(&saved).map_err(SnapshotError)?;
        let count = state.particles.len();
        let p = &state.particles;
        let lengths = [
            p.velocity.len(),
            p.mass.len(),
            p.inverse_mass.len(),
            p.radius.len(),
            p.body.len(),
            p.id.len(),
        ];
        let of_methods = state
            .methods
            .iter()
            .flat_map(|state| state.column_lengths());
        if lengths.into_iter().chain(of_methods).any(|n| n != count) {
            return Err(SnapshotError("columns of different lengths".into()));
        }
        state.check_fits(setup)?;
        Ok(state)
    }

    /// Whether this can be a state of a world with such a setup.
    ///
    /// # Errors
    /// If particles belong to bodies that there are not, or emitters are missing.
    pub fn check_fits(&self, setup: &Setup) -> Result<(), SnapshotError> {
        let bodies = setup.bodies.len();
        if self.particles.body.iter().any(|&b| b as usize >= bodies) {
            return Err(SnapshotError(format!("it has more than {bodies} bodies")));
        }
        let methods = setup.methods();
        let mut checks = methods.iter().map(|m| m.check_state(setup, &self.methods));
        checks.try_for_each(|check| check.map_err(SnapshotError))?;
        if !drive::fit(&self.drives, setup) {
            return Err(SnapshotError("other colliders are driven in it".into()));
        }
        let (owed, emitters) = (self.owed.len(), setup.emitters.len());
        if owed != emitters {
            return Err(SnapshotError(format!(
                "it has {owed} emitters, not {emitters}"
            )));
        }
        Ok(())
    }
}
