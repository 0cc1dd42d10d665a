//! Plastic flow at the end of a substep.

use pliant_materials::laws::Solid;
use pliant_math::simd::{Instructions, Job, Pack};
use pliant_math::{Real, SymMat3};

use super::projection::end_strain;
use super::rows::{ConstraintRows, MaterialStateRow};
use crate::parallel;

/// Rows that one task works on.
const ROWS_A_TASK: usize = 8;

/// Lets everything flow by the velocities of the end.
///
/// * `velocity` — velocities [m/s] and inverse masses [1/kg] of all particles
pub fn flow(
    instructions: Instructions,
    laws: &[Solid],
    rows: &mut ConstraintRows,
    velocity: &[[Real; 4]],
    dt: Real,
) {
    let mut material_state = std::mem::take(&mut rows.material_state);
    let all = &*rows;
    parallel::for_chunks_of(&mut material_state, ROWS_A_TASK, |_, material_state| {
        instructions.run(Flow {
            laws,
            rows: all,
            material_state,
            velocity,
            dt,
        });
    });
    rows.material_state = material_state;
}

struct Flow<'a> {
    laws: &'a [Solid],
    rows: &'a ConstraintRows,
    material_state: &'a mut [MaterialStateRow],
    velocity: &'a [[Real; 4]],
    dt: Real,
}

impl Job for Flow<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        for material_state in self.material_state {
            let number = material_state.row as usize;
            let (row, info) = (&self.rows.rows[number], &self.rows.info[number]);
            let solid = &self.laws[info.law as usize];
            let Some(plasticity) = &solid.plasticity else {
                continue;
            };
            let share = plasticity.share(self.dt.into());
            let edges = &self.rows.edges[info.edges.clone()];
            let rate = row.rest.rate::<P>(edges, self.velocity);
            let strain = end_strain(self.dt, row, info, rate);
            let history = SymMat3::load(&material_state.history);
            let flowed = plasticity.flow(solid.moduli(), strain, history, share);
            flowed.store(&mut material_state.history);
        }
    }
}
