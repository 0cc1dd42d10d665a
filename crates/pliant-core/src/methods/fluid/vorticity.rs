//! Vorticity confinement.
//!
//!   w = curl v,   n = grad |w|/|grad |w||,   v += dt rate l n x w
//!
//! Steinhoff and Underhill 1994; Macklin and Müller 2013, eq. 16, without a length l there. With l the
//! spacing the strength is a rate: the outcome does not depend on the step, and the force vanishes as
//! particles get finer. It is an outer force: it keeps no momentum, and it feeds what it finds.
// Groups write to disjoint places of a shared column; see `parallel::Shared`.
#![allow(unsafe_code)]

use std::ops::Range;

use pliant_math::simd::{Instructions, Pack, Row, RowJob};
use pliant_math::{Real, SymMat3};

use super::state::FluidInteractions;
use super::viscosity::product;
use crate::interactions::ParticleRows;
use crate::interactions::lanes::{scaled, store_vector};
use crate::interactions::passes::gradient;
use crate::interactions::records::{RecordRow, dispatch_records, fetched};
use crate::interactions::rows::{lanes_in, lanes_of};
use crate::parallel::{self, Shared, View, gather};

/// What both passes read.
#[derive(Clone, Copy)]
pub struct VorticityInput<'a> {
    /// Who stands where.
    pub rows: &'a ParticleRows,
    /// Neighbours and gradients.
    pub interactions: &'a FluidInteractions,
    /// Velocities [m/s], spare places included.
    pub velocity: &'a [[Real; 4]],
    /// dt rate l [m].
    pub strength: Real,
}

/// Adds the confinement to velocities. `vorticity` is scratch: w and |w| [1/s] of each member.
pub fn confine(
    instructions: Instructions,
    input: VorticityInput<'_>,
    vorticity: &mut Vec<[Real; 4]>,
    change: &mut Vec<[Real; 4]>,
) {
    let count = input.velocity.len();
    vorticity.clear();
    vorticity.resize(count, [0.0; 4]);
    change.clear();
    change.resize(count, [0.0; 4]);
    dispatch_records!(&input.interactions.all_records, |columns| {
        let records = columns.records.as_slice();
        run(instructions, input, records, &[], vorticity, Curl);
        run(instructions, input, records, vorticity, change, Confine);
    });
}

/// What is computed for a row.
trait Pass: Copy + Sync {
    /// Four numbers of each particle.
    fn of_row<P: Pack, R: RecordRow>(
        input: VorticityInput<'_>,
        records: &[R],
        vorticity: &[[Real; 4]],
        row: usize,
    ) -> [P; 4];
}

/// w and |w|.
#[derive(Clone, Copy)]
struct Curl;

/// The change of the velocity.
#[derive(Clone, Copy)]
struct Confine;

impl Pass for Curl {
    #[inline(always)]
    fn of_row<P: Pack, R: RecordRow>(
        input: VorticityInput<'_>,
        records: &[R],
        _vorticity: &[[Real; 4]],
        row: usize,
    ) -> [P; 4] {
        let [x, y, z, _]: [P; 4] = gather(input.velocity, &input.rows.particle[row]);
        let unit = input.interactions.unit;
        let plain = gradient(records, unit, [x, y, z], input.velocity);
        let state = &input.interactions.data[row].state;
        let g = product(plain, SymMat3::load(&state.correction));
        let is_fluid = P::load(&state.is_fluid);
        let w = [g[2][1] - g[1][2], g[0][2] - g[2][0], g[1][0] - g[0][1]];
        let [x, y, z] = scaled(w, is_fluid);
        [x, y, z, (x * x + y * y + z * z).sqrt()]
    }
}

impl Pass for Confine {
    #[inline(always)]
    fn of_row<P: Pack, R: RecordRow>(
        input: VorticityInput<'_>,
        records: &[R],
        vorticity: &[[Real; 4]],
        row: usize,
    ) -> [P; 4] {
        let [wx, wy, wz, own]: [P; 4] = gather(vorticity, &input.rows.particle[row]);
        let mut slope = [P::ZERO; 3];
        for record in fetched::<P, R>(records) {
            let [_, _, _, other]: [P; 4] = gather(vorticity, record.neighbors());
            let [x, y, z] = scaled(record.gradient(), other - own);
            slope = [slope[0] + x, slope[1] + y, slope[2] + z];
        }
        let [x, y, z] = scaled(slope, P::splat(input.interactions.unit));
        let length = (x * x + y * y + z * z).sqrt();
        // Where vorticity is even, as in a rotation, its slope is rounding and has no direction.
        let least = own * P::splat(LEAST_SLOPE * input.interactions.unit);
        let factor = P::splat(input.strength) / length;
        let factor = factor.or_where_not(least.less(length), P::ZERO);
        let turned = [y * wz - z * wy, z * wx - x * wz, x * wy - y * wx];
        let [x, y, z] = scaled(turned, factor);
        [x, y, z, P::ZERO]
    }
}

/// Least change of vorticity over a kernel radius, as a share of it, that counts.
const LEAST_SLOPE: Real = 1e-3;

fn run<J: Pass, R: RecordRow>(
    instructions: Instructions,
    input: VorticityInput<'_>,
    all_records: &[R],
    vorticity: &[[Real; 4]],
    output: &mut [[Real; 4]],
    pass: J,
) {
    let output = Shared::new(output);
    parallel::for_tasks(&input.rows.groups, |group| {
        // SAFETY: each group writes its own particles only, and no particle is in two groups.
        let output = unsafe { output.view(group.rows.start as u32) };
        instructions.run_rows(
            group.lanes.len(),
            RunGroup {
                _pass: pass,
                input,
                all_records,
                vorticity,
                rows: group.rows.clone(),
                output,
            },
        );
    });
}

struct RunGroup<'a, J, R> {
    _pass: J,
    input: VorticityInput<'a>,
    all_records: &'a [R],
    vorticity: &'a [[Real; 4]],
    rows: Range<usize>,
    output: View<'a, [Real; 4]>,
}

impl<J: Pass, R: RecordRow> RowJob for RunGroup<'_, J, R> {
    #[inline(always)]
    fn rows(&self) -> usize {
        self.rows.len()
    }

    #[inline(always)]
    fn row<P: Pack>(&mut self, k: usize) {
        let row = self.rows.start + k;
        let filled = self.input.rows.filled[row] & lanes_in::<P>();
        if filled == 0 {
            return;
        }
        let records = self.input.interactions.of_row(self.all_records, row);
        let [x, y, z, w]: [P; 4] = J::of_row(self.input, records, self.vorticity, row);
        let (mut vector, mut size) = ([Row::ZERO; 3], Row::ZERO);
        store_vector([x, y, z], &mut vector);
        w.store(&mut size);
        for lane in lanes_of(filled) {
            let [x, y, z] = [0, 1, 2].map(|axis: usize| vector[axis].0[lane]);
            let particle = self.input.rows.particle[row].get(lane);
            self.output.set(particle, [x, y, z, size.0[lane]]);
        }
    }
}
