//! State of the method, for each particle.

use pliant_math::Real;
use serde::{Deserialize, Serialize};

use crate::method::Columns;
use crate::particles::{ReorderScratch, reorder_column};

/// Columns of the method, one entry a particle, in the order of the shared columns; zeros for
/// particles of other methods.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FluidColumns {
    /// Pressure [Pa], >= 0. Written by `flow`; it starts the next substep.
    pub pressure: Vec<Real>,
    /// Density over rest density less one, at the start of the last substep. Written by `find`.
    pub compression: Vec<Real>,
}

impl Columns for FluidColumns {
    fn column_lengths(&self) -> Vec<usize> {
        vec![self.pressure.len(), self.compression.len()]
    }

    fn push(&mut self, _: Real) {
        self.pressure.push(0.0);
        self.compression.push(0.0);
    }

    fn reorder(&mut self, order: &[u32], scratch: &mut ReorderScratch) {
        reorder_column(&mut self.pressure, order, &mut scratch.real);
        reorder_column(&mut self.compression, order, &mut scratch.real);
    }
}
