//! A state as bytes and back: what checkpoints hold and what determinism is judged by.

use super::State;

/// Why bytes are no state.
#[derive(Debug, thiserror::Error)]
#[error("the bytes hold no state of this version of Pliant: {0}")]
pub struct SnapshotError(String);

impl State {
    /// The whole state as bytes: equal states give equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_allocvec(self).unwrap_or_default()
    }

    /// The state in bytes that [`State::to_bytes`] wrote.
    ///
    /// # Errors
    /// If the bytes are damaged, or columns differ in length.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SnapshotError> {
        let state: Self = postcard::from_bytes(bytes).map_err(|e| SnapshotError(e.to_string()))?;
        let count = state.particles.len();
        let p = &state.particles;
        let lengths = [
            p.velocity.len(),
            p.mass.len(),
            p.inverse_mass.len(),
            p.radius.len(),
            p.body.len(),
            p.id.len(),
            state.xpbi.strain.len(),
            state.xpbi.plastic.len(),
        ];
        if lengths.iter().any(|&n| n != count) {
            return Err(SnapshotError("columns of different lengths".into()));
        }
        Ok(state)
    }
}
