//! XSPH: velocities drawn towards the mean of their neighbours (Schechter and Bridson 2012).
//!
//!   v_i += c/m_i sum_j w_ij (v_j - v_i),   w_ij = w_ji,   c = min(rate dt, 0.2)
//!
//! Yu et al. 2024, eq. 20. Deviations: the coefficient is a rate times the step, so that the outcome
//! does not depend on the step; the weights are symmetric in the pair, so that momentum is kept.
// Groups write to disjoint places of shared columns; see `parallel::Shared`.
#![allow(unsafe_code)]

use pliant_math::simd::{Instructions, Pack, Row, RowJob};
use pliant_math::{Real, Vec3};

use super::lists::{Interactions, RowState};
use super::records::{RecordColumns, RecordRow, dispatch_records, fetched};
use super::rows::{ParticleRows, lanes_in, lanes_of};
use crate::parallel::{self, Shared, View, gather};

/// Greatest coefficient of one step; beyond about 1 the smoothing would overshoot.
const GREATEST_COEFFICIENT: f64 = 0.2;

/// c at a rate [1/s] in a step [s].
pub fn coefficient(rate: f64, dt: f64) -> Real {
    (rate * dt).min(GREATEST_COEFFICIENT) as Real
}

/// Smooths velocities; `rate` [1/s] >= 0. `before` are the velocities and inverse masses.
pub fn smooth(
    instructions: Instructions,
    rows: &ParticleRows,
    interactions: &Interactions<impl RowState>,
    (rate, dt): (f64, f64),
    before: &[[Real; 4]],
    velocity: &mut [Vec3],
) {
    let coefficient = coefficient(rate, dt);
    dispatch_records!(&interactions.all_records, |columns| smooth_groups(
        instructions,
        (rows, interactions, columns),
        coefficient,
        before,
        velocity
    ));
}

fn smooth_groups<R: RecordRow, S: RowState>(
    instructions: Instructions,
    (rows, interactions, columns): (&ParticleRows, &Interactions<S>, &RecordColumns<R>),
    coefficient: Real,
    before: &[[Real; 4]],
    velocity: &mut [Vec3],
) {
    let velocity = Shared::new(velocity);
    parallel::for_tasks(&rows.groups, |group| {
        // SAFETY: each group writes its own particles only, and no particle is in two groups.
        let velocity = unsafe { velocity.view(group.rows.start as u32) };
        instructions.run_rows(
            group.lanes.len(),
            SmoothGroup {
                rows,
                interactions,
                columns,
                group: group.rows.clone(),
                coefficient,
                before,
                velocity,
            },
        );
    });
}

struct SmoothGroup<'a, R: RecordRow, S> {
    rows: &'a ParticleRows,
    interactions: &'a Interactions<S>,
    columns: &'a RecordColumns<R>,
    group: std::ops::Range<usize>,
    coefficient: Real,
    before: &'a [[Real; 4]],
    velocity: View<'a, Vec3>,
}

impl<R: RecordRow, S: RowState> RowJob for SmoothGroup<'_, R, S> {
    #[inline(always)]
    fn rows(&self) -> usize {
        self.group.len()
    }

    #[inline(always)]
    fn row<P: Pack>(&mut self, k: usize) {
        let row = self.group.start + k;
        let filled = self.rows.filled[row] & lanes_in::<P>();
        if filled == 0 {
            return;
        }
        let particles = &self.rows.particle[row];
        let [x, y, z, w]: [P; 4] = gather(self.before, particles);
        let mut pull = [P::ZERO; 3];
        let records = self.interactions.of_row(&self.columns.records, row);
        let separate_weights = self
            .interactions
            .of_row(&self.columns.separate_weights, row);
        for (record, separate_weights) in fetched::<P, R>(records).zip(separate_weights) {
            let v: [P; 4] = gather(self.before, record.neighbors());
            let weight: P = record.weight(separate_weights);
            pull[0] += (v[0] - x) * weight;
            pull[1] += (v[1] - y) * weight;
            pull[2] += (v[2] - z) * weight;
        }
        let factor = P::splat(self.coefficient * self.interactions.mass_unit) * w;
        let mut smoothed = [Row::ZERO; 3];
        for (axis, own) in [x, y, z].into_iter().enumerate() {
            (own + pull[axis] * factor).store(&mut smoothed[axis]);
        }
        for lane in lanes_of(filled) {
            let v = Vec3::from_array([0, 1, 2].map(|axis: usize| smoothed[axis].0[lane]));
            self.velocity.set(particles.get(lane), v);
        }
    }
}
