//! State of the method, for each particle.

use pliant_math::{Real, SymMat3};
use serde::{Deserialize, Serialize};

use crate::method::Columns;
use crate::particles::{ReorderScratch, reorder_column};

/// Columns of the method, one entry a particle, in the order of the shared columns.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct XpbiColumns {
    /// E = b - I, the elastic left Cauchy–Green deformation less the identity. Written by `flow`.
    /// Kept as a deviation because 1 + small loses the small in single precision.
    pub strain: Vec<SymMat3>,
    /// The law's one scalar of history. Written by `flow`.
    pub plastic: Vec<Real>,
}

impl Columns for XpbiColumns {
    fn column_lengths(&self) -> Vec<usize> {
        vec![self.strain.len(), self.plastic.len()]
    }

    fn push(&mut self, initial_state: Real) {
        self.strain.push(SymMat3::ZERO);
        self.plastic.push(initial_state);
    }

    fn reorder(&mut self, order: &[u32], scratch: &mut ReorderScratch) {
        reorder_column(&mut self.strain, order, &mut scratch.tensor);
        reorder_column(&mut self.plastic, order, &mut scratch.real);
    }
}
