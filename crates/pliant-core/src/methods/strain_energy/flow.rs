//! Plastic flow at the end of a substep.

use pliant_materials::laws::Solid;
use pliant_math::simd::{Instructions, Job, Pack};
use pliant_math::{Matrix3, Real, SymMat3};

use super::algebra::{add_outer, squared, times_symmetric};
use super::projection::end_strain;
use super::rows::{ConstraintRow, ConstraintRows, EdgeRow, MaterialStateRow};
use crate::interactions::lanes::{load_vector, scaled};
use crate::interactions::passes::Rows3;
use crate::parallel::{self, gather};

/// Rows that one task works on.
const ROWS_A_TASK: usize = 16;

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
            let rate: Rows3<P> = rate(row, edges, self.velocity);
            let strain = Matrix3 {
                rows: end_strain(self.dt, row, info, rate),
            };
            let history = SymMat3::load(&material_state.history);
            let flowed = plasticity.flow(solid.moduli(), strain, history, share);
            flowed.store(&mut material_state.history);
        }
    }
}

/// The rate of deformation [1/s] of sixteen particles, by rows.
#[inline(always)]
pub fn rate<P: Pack>(row: &ConstraintRow, edges: &[EdgeRow], velocity: &[[Real; 4]]) -> Rows3<P> {
    let inverse_squared = P::load(&row.inverse_squared_support);
    let own: [P; 4] = gather(velocity, &row.particle);
    let mut rate = [[P::ZERO; 3]; 3];
    for edge in edges {
        let offset: [P; 3] = load_vector(&edge.offset);
        let inside = P::splat(1.0) - squared(offset) * inverse_squared;
        let v: [P; 4] = gather(velocity, &edge.neighbor);
        let difference = [v[0] - own[0], v[1] - own[1], v[2] - own[2]];
        add_outer(&mut rate, difference, scaled(offset, inside * inside));
    }
    times_symmetric(rate, SymMat3::load(&row.inverse))
}
