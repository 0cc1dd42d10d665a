//! A state as bytes and back: what checkpoints hold and what determinism is judged by.

use super::{Setup, State};
use crate::methods::strain_energy::StrainEnergyColumns;

/// Why bytes are no state.
#[derive(Debug, thiserror::Error)]
#[error("the bytes hold no state of this version of Pliant and this scene: {0}")]
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
            state.fluid.pressure.len(),
            state.fluid.compression.len(),
        ];
        if lengths.iter().any(|&n| n != count) {
            return Err(SnapshotError("columns of different lengths".into()));
        }
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
        let (torn, triangles) = (self.cloth.is_torn.len(), setup.cloth().triangle_count());
        if torn != triangles {
            return Err(SnapshotError(format!(
                "it has {torn} triangles of cloth, not {triangles}"
            )));
        }
        let fresh = StrainEnergyColumns::at_rest(&setup.strain_energy());
        let sizes = |c: &StrainEnergyColumns| (c.has_collapsed.len(), c.plastic.len());
        let (kept, solids) = (sizes(&self.strain_energy), sizes(&fresh));
        if kept != solids {
            return Err(SnapshotError(format!(
                "it has {} solids with {} plastic particles, not {} with {}",
                kept.0, kept.1, solids.0, solids.1
            )));
        }
        let solids = setup.strain_energy();
        if !self.strain_energy.severed.fits(&solids) {
            return Err(SnapshotError(format!(
                "its cuts are not those of {} ways between neighbours",
                solids.way_count()
            )));
        }
        let (kept, rigid) = (&self.rigid, setup.rigid().bodies.len());
        let columns = [kept.rotation.len(), kept.spin.len(), kept.still.len()];
        if columns.iter().any(|&count| count != rigid) {
            let count = columns[0];
            return Err(SnapshotError(format!(
                "it has {count} rigid bodies, not {rigid}"
            )));
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
