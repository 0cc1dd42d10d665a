//! What the method keeps for each row of particles beside its neighbours.

use pliant_math::simd::{Pack, Row};
use pliant_math::{Real, SymMat3};

use crate::interactions::{Found, Interactions, RowData, RowState};

/// Strain and plastic state of a row at the start of the substep.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Matter {
    /// E = b - I.
    pub strain: [Row; 6],
    /// Plastic state.
    pub plastic: Row,
}

/// What a row has.
pub type XpbiRow = RowData<Matter>;

/// The interactions of a continuum.
pub type XpbiInteractions = Interactions<Matter>;

/// Strain and plastic state of each particle, sorted in space.
#[derive(Clone, Copy)]
pub struct MatterColumns<'a> {
    /// E = b - I.
    pub strain: &'a [SymMat3],
    /// Plastic state.
    pub plastic: &'a [Real],
}

impl RowState for Matter {
    type Columns<'a> = MatterColumns<'a>;

    const CORRECTS: bool = true;

    #[inline(always)]
    fn read(&mut self, lane: usize, columns: MatterColumns<'_>, particle: usize) {
        let strain = columns.strain[particle].components();
        for (row, component) in self.strain.iter_mut().zip(strain) {
            row.set(lane, component);
        }
        self.plastic.set(lane, columns.plastic[particle]);
    }

    #[inline(always)]
    fn take<P: Pack>(&mut self, _found: Found<P>) {}
}
