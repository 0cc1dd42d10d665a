//! The work that muscles do when their activation changes: the energy of their fibres at a shape after it less that
//! before.

use pliant_materials::strain_energy::MuscleFiber;
use pliant_math::simd::{Instructions, Job, Mask, Pack, Row};
use pliant_math::{Matrix3, Real};

use super::force::RowState;
use super::respond::{MatrixRow, turned};
use super::rows::{FiberRow, MuscleRow, MuscleRows};
use crate::interactions::lanes::load_vector;

/// Work [J] of the change of activation at the start of a substep.
pub fn activation_work(instructions: Instructions, rows: &MuscleRows, states: &[RowState]) -> f64 {
    let mut work = 0.0;
    for (row, state) in rows.rows.iter().zip(states) {
        let Some(fibers) = row.fibers.map(|number| &rows.fibers[number as usize]) else {
            continue;
        };
        if !fibers.has_changed() {
            continue;
        }
        let of_lanes = instructions.run(Work {
            row,
            fibers,
            strain: &state.strain,
        });
        let lanes = of_lanes.0.into_iter();
        work += lanes.map(f64::from).sum::<f64>();
    }
    work
}

struct Work<'a> {
    row: &'a MuscleRow,
    fibers: &'a FiberRow,
    strain: &'a MatrixRow,
}

impl Job for Work<'_> {
    type Output = Row;

    #[inline(always)]
    fn run<P: Pack>(self) -> Row {
        let h = Matrix3::<P>::load(self.strain);
        let along = load_vector(&self.fibers.direction);
        let is_turned = turned(h, along);
        let [shortening, active_stress] = &self.fibers.before;
        let before = self.fiber(shortening, active_stress);
        let before = before.response(along, h, is_turned).energy;
        let after = self.fiber(&self.fibers.shortening, &self.fibers.active_stress);
        let after = after.response(along, h, is_turned).energy;
        let filled = P::Mask::from_bits(self.row.filled.into());
        let work = (after - before) * P::load(&self.row.rest.volume);
        let mut row = Row([0.0 as Real; pliant_math::simd::LANES]);
        work.or_where_not(filled, P::ZERO).store(&mut row);
        row
    }
}

impl Work<'_> {
    /// Fibres as they are activated. Not a closure: those are compiled without the instructions of the pack.
    #[inline(always)]
    fn fiber<P: Pack>(&self, shortening: &Row, active_stress: &Row) -> MuscleFiber<P> {
        MuscleFiber {
            stiffness: P::load(&self.fibers.stiffness),
            shortening: P::load(shortening),
            active_stress: P::load(active_stress),
        }
    }
}
