//! One pass in which no constraint sees what others do: first all ask, then every particle sums up what
//! its neighbours and itself ask of it. The result does not depend on any order, and needs no factor
//! where it is stable.
// Rows write to disjoint places of shared columns; see `parallel::Shared`.
#![allow(unsafe_code)]

use pliant_math::Real;
use pliant_math::simd::{Job, Pack, Places};

use super::algebra::{squared, times};
use super::rows::{ConstraintRow, EdgeRow, ExtraRow, RowInfo, Rows, SHORTEST};
use super::visit::{Kept, SweepInput, Visited, room, visit};
use crate::interactions::lanes::{load_vector, scaled};
use crate::interactions::passes::{Rows3, moved};
use crate::parallel::{self, Scratches, Shared, View, gather, gather_eight};

/// Rows that one task works on.
const ROWS_A_TASK: usize = 16;

/// What the constraint of each particle asks for.
#[derive(Debug, Default)]
pub struct Demands {
    /// B by rows, the strength of the hourglass control behind its first.
    push: [Vec<[Real; 4]>; 3],
    /// F - I by rows.
    strain: [Vec<[Real; 4]>; 3],
    /// Velocities before the sweep.
    before: Vec<[Real; 4]>,
}

/// Visits every constraint once.
///
/// * `velocity` — velocities [m/s] and inverse masses [1/kg] of all particles
pub fn sweep_jacobi(
    input: SweepInput<'_>,
    rows: &mut Rows,
    scratches: &Scratches<Vec<Kept>>,
    demands: &mut Demands,
    velocity: &mut [[Real; 4]],
) {
    let Demands {
        push,
        strain,
        before,
    } = demands;
    before.clear();
    before.extend_from_slice(velocity);
    for column in push.iter_mut().chain(strain.iter_mut()) {
        // Every particle that anybody reads of writes before.
        column.resize(velocity.len(), [0.0; 4]);
    }
    let Rows {
        rows,
        info,
        edges,
        extra,
        ..
    } = rows;
    {
        let push = push.each_mut().map(|column| Shared::new(column));
        let strain = strain.each_mut().map(|column| Shared::new(column));
        let shared_rows = Shared::new(rows);
        parallel::for_chunks_of(info, ROWS_A_TASK, |first, info| {
            let task = first as u32;
            // SAFETY: each particle has one constraint, and each of those is in one row and one task.
            let (push, strain, mut rows) = unsafe {
                (
                    push.each_ref().map(|column| column.view(task)),
                    strain.each_ref().map(|column| column.view(task)),
                    shared_rows.view(task),
                )
            };
            parallel::with_scratch(scratches, |kept| {
                input.instructions.run(Ask {
                    input,
                    rows: rows.range(first..first + info.len()),
                    info,
                    edges,
                    extra,
                    before,
                    kept,
                    push,
                    strain,
                });
            });
        });
    }
    let velocity = Shared::new(velocity);
    let (push, strain) = (&*push, &*strain);
    parallel::for_chunks_of(info, ROWS_A_TASK, |first, info| {
        // SAFETY: as above.
        let velocity = unsafe { velocity.view(first as u32) };
        input.instructions.run(SumUp {
            input,
            rows: &rows[first..first + info.len()],
            info,
            edges,
            before,
            push,
            strain,
            velocity,
        });
    });
}

struct Ask<'a> {
    input: SweepInput<'a>,
    rows: &'a mut [ConstraintRow],
    info: &'a mut [RowInfo],
    edges: &'a [EdgeRow],
    extra: &'a [ExtraRow],
    before: &'a [[Real; 4]],
    kept: &'a mut Vec<Kept>,
    push: [View<'a, [Real; 4]>; 3],
    strain: [View<'a, [Real; 4]>; 3],
}

impl Job for Ask<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(mut self) {
        for (k, info) in self.info.iter_mut().enumerate() {
            P::prefetch(self.rows, k + 1, size_of::<ConstraintRow>());
            let row = &mut self.rows[k];
            let edges = &self.edges[info.edges.clone()];
            let kept = room(self.kept, edges.len());
            let (input, before) = (self.input, self.before);
            let own: [P; 4] = gather(before, &row.particle);
            let fetch = |places: &Places| gather(before, places);
            let extra = info.extra.map(|number| &self.extra[number as usize]);
            let visited = if input.is_first {
                visit::<P, true>(input, (row, info), edges, extra, kept, own, fetch)
            } else {
                visit::<P, false>(input, (row, info), edges, extra, kept, own, fetch)
            };
            let Visited { strain, push, pull } = visited;
            for k in 0..3 {
                let [x, y, z] = push[k];
                self.push[k].scatter(&row.particle, [x, y, z, pull]);
                if input.is_first {
                    let [x, y, z] = strain[k];
                    self.strain[k].scatter(&row.particle, [x, y, z, P::ZERO]);
                }
            }
        }
    }
}

struct SumUp<'a> {
    input: SweepInput<'a>,
    rows: &'a [ConstraintRow],
    info: &'a [RowInfo],
    edges: &'a [EdgeRow],
    before: &'a [[Real; 4]],
    push: &'a [Vec<[Real; 4]>; 3],
    strain: &'a [Vec<[Real; 4]>; 3],
    velocity: View<'a, [Real; 4]>,
}

impl Job for SumUp<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(mut self) {
        for (row, info) in self.rows.iter().zip(self.info) {
            let edges = &self.edges[info.edges.clone()];
            let own: [P; 4] = gather(self.before, &row.particle);
            let change = if self.input.is_first {
                self.demanded::<P, true>(row, edges, own)
            } else {
                self.demanded::<P, false>(row, edges, own)
            };
            self.velocity
                .scatter(&row.particle, moved(own, change, own[3]));
        }
    }
}

impl SumUp<'_> {
    /// The impulse [N s] on sixteen particles: sum_j (B_i + B_j) G_ij (Cao et al. 2023, eq. 11), and
    /// what the control of zero-energy modes asks for at both ends.
    #[inline(always)]
    fn demanded<P: Pack, const FIRST: bool>(
        &self,
        row: &ConstraintRow,
        edges: &[EdgeRow],
        own: [P; 4],
    ) -> [P; 3] {
        let one = P::splat(1.0);
        let dt = P::splat(self.input.dt);
        let inverse_squared = P::load(&row.inverse_squared_support);
        let shortest = P::splat((SHORTEST * SHORTEST) as Real) / inverse_squared;
        let (own_push, own_pull) = demand::<P>(self.push, &row.particle);
        let (own_strain, own_start): (Rows3<P>, [P; 8]) = match FIRST {
            true => (
                demand(self.strain, &row.particle).0,
                gather_eight(self.input.start, &row.particle),
            ),
            false => ([[P::ZERO; 3]; 3], [P::ZERO; 8]),
        };
        let mut sum = [P::ZERO; 3];
        for (k, edge) in edges.iter().enumerate() {
            EdgeRow::prefetch::<P>(edges, k);
            let offset: [P; 3] = load_vector(&edge.offset);
            let squared = squared(offset);
            let inside = one - squared * inverse_squared;
            let weight = inside * inside;
            let gradient = scaled(offset, weight);
            let (push, pull) = demand::<P>(self.push, &edge.neighbor);
            let mut both = own_push;
            for i in 0..3 {
                for j in 0..3 {
                    both[i][j] += push[i][j];
                }
            }
            let impulse = times(both, gradient);
            for k in 0..3 {
                sum[k] += impulse[k];
            }
            if FIRST {
                let x: [P; 8] = gather_eight(self.input.start, &edge.neighbor);
                let v: [P; 4] = gather(self.before, &edge.neighbor);
                let strain = demand::<P>(self.strain, &edge.neighbor).0;
                let seen = times(own_strain, offset);
                let seen_there = times(strain, offset);
                let share = (weight * inside) / squared.max(shortest);
                for k in 0..3 {
                    let start = (x[k] - own_start[k] - offset[k]) + (x[4 + k] - own_start[4 + k]);
                    let moved = start + dt * (v[k] - own[k]);
                    let pulled = own_pull * (moved - seen[k]) + pull * (moved - seen_there[k]);
                    sum[k] += share * pulled;
                }
            }
        }
        sum
    }
}

/// A matrix by rows of each of sixteen particles, and what stands behind its first row.
#[inline(always)]
fn demand<P: Pack>(columns: &[Vec<[Real; 4]>; 3], places: &Places) -> (Rows3<P>, P) {
    let [a, b, c] = columns;
    let a: [P; 4] = gather(a, places);
    let b: [P; 4] = gather(b, places);
    let c: [P; 4] = gather(c, places);
    (
        [[a[0], a[1], a[2]], [b[0], b[1], b[2]], [c[0], c[1], c[2]]],
        a[3],
    )
}
