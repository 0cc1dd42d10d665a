//! The end of the substep: deformation and plastic state committed once.
// Groups write to disjoint places of shared columns; see `parallel::Shared`.
#![allow(unsafe_code)]

use pliant_materials::{ReturnMapping, dispatch_hencky_law};
use pliant_math::simd::{Instructions, Mask, Number, Pack, Row, RowJob};
use pliant_math::{Real, SymMat3, hencky_strain, strain_from_hencky};

use super::deformation::{limited_step, trial_strain};
use super::state::XpbiRow;
use super::sweep::{XpbiSweepInput, next_law};
use crate::interactions::passes::gradient;
use crate::interactions::records::{RecordRow, dispatch_records};
use crate::interactions::rows::{lanes_in, lanes_of};
use crate::parallel::{self, Shared, View, gather};

/// Carries the strain and the plastic state of every particle over the substep with the end
/// velocities (Yu et al. 2024, eq. 22).
pub fn commit(
    instructions: Instructions,
    input: XpbiSweepInput<'_>,
    velocity: &[[Real; 4]],
    strain: &mut [SymMat3],
    plastic: &mut [Real],
) {
    let columns = (strain, plastic);
    dispatch_records!(&input.interactions.all_records, |all| commit_groups(
        instructions,
        input,
        &all.records,
        velocity,
        columns
    ));
}

fn commit_groups<R: RecordRow>(
    instructions: Instructions,
    input: XpbiSweepInput<'_>,
    all_records: &[R],
    velocity: &[[Real; 4]],
    (strain, plastic): (&mut [SymMat3], &mut [Real]),
) {
    let strain = Shared::new(strain);
    let plastic = Shared::new(plastic);
    parallel::for_tasks(&input.rows.groups, |group| {
        let task = group.rows.start as u32;
        // SAFETY: each group writes its own particles only, and no particle is in two groups.
        let (strain, plastic) = unsafe { (strain.view(task), plastic.view(task)) };
        instructions.run_rows(
            group.lanes.len(),
            FlowGroup {
                input,
                all_records,
                rows: group.rows.clone(),
                velocity,
                strain,
                plastic,
            },
        );
    });
}

struct FlowGroup<'a, R> {
    input: XpbiSweepInput<'a>,
    all_records: &'a [R],
    rows: std::ops::Range<usize>,
    velocity: &'a [[Real; 4]],
    strain: View<'a, SymMat3>,
    plastic: View<'a, Real>,
}

impl<R: RecordRow> RowJob for FlowGroup<'_, R> {
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
        let (strain, plastic) = self.flowed::<P>(row);
        let (mut strains, mut states) = ([Row::ZERO; 6], Row::ZERO);
        strain.store(&mut strains);
        plastic.store(&mut states);
        for lane in lanes_of(filled) {
            let particle = self.input.rows.particle[row].get(lane);
            let components = [0, 1, 2, 3, 4, 5].map(|c: usize| strains[c].0[lane]);
            self.strain
                .set(particle, SymMat3::from_components(components));
            self.plastic.set(particle, states.0[lane]);
        }
    }
}

impl<R: RecordRow> FlowGroup<'_, R> {
    /// Strains and plastic states of a row after the substep.
    #[inline(always)]
    fn flowed<P: Pack>(&self, row: usize) -> (SymMat3<P>, P) {
        let input = self.input;
        let data = &input.interactions.data[row];
        P::prefetch(&input.interactions.data, row + 1, size_of::<XpbiRow>());
        let [x, y, z, _]: [P; 4] = gather(self.velocity, &input.rows.particle[row]);
        let records = input.interactions.of_row(self.all_records, row);
        let unit = input.interactions.unit;
        let velocity_gradient = gradient(records, unit, [x, y, z], self.velocity);
        let step = limited_step(velocity_gradient, input.dt);
        let trial = trial_strain(SymMat3::load(&data.state.strain), step);
        flowed(input, row, trial, P::load(&data.state.plastic))
    }
}

/// Strains and plastic states of a row after the return mappings of its laws.
#[inline(always)]
fn flowed<P: Pack>(
    input: XpbiSweepInput<'_>,
    row: usize,
    trial: SymMat3<P>,
    plastic: P,
) -> (SymMat3<P>, P) {
    let (mut trial_hencky, mut mapped) = (SymMat3::ZERO, SymMat3::ZERO);
    let (mut state, mut is_mapped) = (plastic, false);
    let mut left = input.rows.filled[row] & lanes_in::<P>();
    while let Some((law, bits)) = next_law(input, row, &mut left) {
        let law = &input.laws[law as usize];
        if !law.is_plastic() {
            continue;
        }
        if !is_mapped {
            trial_hencky = hencky_strain(trial);
            (mapped, is_mapped) = (trial_hencky, true);
        }
        let of_law = dispatch_hencky_law!(law, |law| law.project(trial_hencky, plastic, input.dt));
        let lanes = P::Mask::from_bits(bits);
        mapped = of_law.0.or_where_not(lanes, mapped);
        state = of_law.1.or_where_not(lanes, state);
    }
    if !is_mapped {
        return (trial, plastic);
    }
    let has_flowed = differs(mapped, trial_hencky);
    if !has_flowed.any() {
        return (trial, state);
    }
    let flowed = strain_from_hencky(mapped);
    (flowed.or_where_not(has_flowed, trial), state)
}

/// True where a component differs.
#[inline(always)]
fn differs<N: Number>(a: SymMat3<N>, b: SymMat3<N>) -> N::Mask {
    let d = a - b;
    let greatest = d.xx.abs().max(d.yy.abs()).max(d.zz.abs());
    let greatest = greatest.max(d.xy.abs()).max(d.xz.abs()).max(d.yz.abs());
    N::ZERO.less(greatest)
}
