//! Data of each row of particles beside its neighbours.

use pliant_math::simd::{Pack, Row};
use pliant_math::{Real, SymMat3};

use crate::interactions::{Interactions, NeighborSums, RowData, RowState};

/// Strain and plastic state of a row at the start of the substep.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct ElasticRow {
    /// E = b - I.
    pub strain: [Row; 6],
    /// Plastic state.
    pub plastic: Row,
}

/// What a row has.
pub type XpbiRow = RowData<ElasticRow>;

/// The interactions of a continuum.
pub type XpbiInteractions = Interactions<ElasticRow>;

/// Strain and plastic state of each particle, sorted in space.
#[derive(Clone, Copy)]
pub struct ElasticColumns<'a> {
    /// E = b - I.
    pub strain: &'a [SymMat3],
    /// Plastic state.
    pub plastic: &'a [Real],
}

impl RowState for ElasticRow {
    type Columns<'a> = ElasticColumns<'a>;

    const CORRECTS: bool = true;

    #[inline(always)]
    fn read(&mut self, lane: usize, columns: ElasticColumns<'_>, particle: usize) {
        let strain = columns.strain[particle].components();
        for (row, component) in self.strain.iter_mut().zip(strain) {
            row.set(lane, component);
        }
        self.plastic.set(lane, columns.plastic[particle]);
    }

    #[inline(always)]
    fn take<P: Pack>(&mut self, _found: NeighborSums<P>) {}
}
