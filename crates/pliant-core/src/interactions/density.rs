//! One pass of density correction over all particles.
//!
//!   f_i = sum_j V0_j W_ij,   df_i/dt = -sum_j V_j grad W_ij . (v_j - v_i),   V_j grad W_ij = M_i g_ij
//!
//! V and V0 differ by the elastic strain alone. Records hold g, the corrected gradients; M, whose
//! inverse corrected them, turns them back into those of the density itself. Where neighbours span all
//! directions they are parallel to the distances: angular momentum is kept as well.
// Groups write to disjoint places of shared columns; see `parallel::Shared`.
#![allow(unsafe_code)]

use std::ops::Range;

use pliant_math::simd::{Instructions, Pack, Row, RowJob};
use pliant_math::{Real, SymMat3};

use super::lanes::load_vector;
use super::lists::{Interactions, RowState};
use super::passes::{Rows3, gradient, moved, scatter, times};
use super::records::{RecordRow, dispatch_records};
use super::rows::{ParticleRows, lanes_in};
use crate::constraints::maximum_density::MaximumDensity;
use crate::parallel::{self, Shared, View};

/// The density of a row of particles, and how it changes.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct DensityCorrectionRow {
    /// sum V0 W, the particle itself included.
    pub fraction: Row,
    /// M = sum_j V_j grad W_ij (x) d_ij.
    pub moment: [Row; 6],
    /// sum_j |M g_ij|^2/m_j + |M sum g|^2/m_i [1/(kg m2)].
    mobility: Row,
}

impl DensityCorrectionRow {
    /// Takes over what was summed over the neighbours of a row; `mobility` is that of the corrected
    /// gradients, K.
    #[inline(always)]
    pub fn take<P: Pack>(&mut self, fraction: P, moment: SymMat3<P>, mobility: SymMat3<P>) {
        fraction.store(&mut self.fraction);
        moment.store(&mut self.moment);
        // tr(M K M) = M^2 : K.
        let squared = moment.mul_commuting(moment);
        mobility.dot(squared).store(&mut self.mobility);
    }
}

/// Visits every particle once, colour by colour. The pressures [Pa] of the rows are what has been
/// applied in this substep.
pub fn sweep_densities<S: RowState>(
    instructions: Instructions,
    rule: MaximumDensity,
    rows: &ParticleRows,
    interactions: &Interactions<S>,
    pressure: &mut [Row],
    velocity: &mut [[Real; 4]],
) {
    dispatch_records!(&interactions.all_records, |columns| sweep_colors(
        instructions,
        rule,
        (rows, interactions, &columns.records),
        pressure,
        velocity
    ));
}

fn sweep_colors<S: RowState, R: RecordRow>(
    instructions: Instructions,
    rule: MaximumDensity,
    (rows, interactions, all_records): (&ParticleRows, &Interactions<S>, &[R]),
    pressure: &mut [Row],
    velocity: &mut [[Real; 4]],
) {
    for color in &rows.colors {
        let velocity = Shared::new(velocity);
        let pressure = Shared::new(pressure);
        parallel::for_tasks(&rows.groups[color.clone()], |group| {
            let task = group.rows.start as u32;
            // SAFETY: a visit touches its particles and their neighbours within 2r; blocks of one
            // colour are at least 4r apart, and lanes without a block have places that no other group
            // of the colour uses.
            // Pressures are touched at the group's own rows.
            let (velocity, mut pressure) = unsafe { (velocity.view(task), pressure.view(task)) };
            instructions.run_rows(
                group.lanes.len(),
                SweepDensities {
                    rule,
                    rows,
                    interactions,
                    all_records,
                    group: group.rows.clone(),
                    pressure: pressure.range(group.rows.clone()),
                    velocity,
                },
            );
        });
    }
}

struct SweepDensities<'a, S, R> {
    rule: MaximumDensity,
    rows: &'a ParticleRows,
    interactions: &'a Interactions<S>,
    all_records: &'a [R],
    group: Range<usize>,
    pressure: &'a mut [Row],
    velocity: View<'a, [Real; 4]>,
}

impl<S: RowState, R: RecordRow> RowJob for SweepDensities<'_, S, R> {
    #[inline(always)]
    fn rows(&self) -> usize {
        self.group.len()
    }

    /// Gives the particles of a row the pressure that they lack.
    #[inline(always)]
    fn row<P: Pack>(&mut self, k: usize) {
        let row = self.group.start + k;
        if self.rows.filled[row] & lanes_in::<P>() == 0 {
            return;
        }
        let density = &self.interactions.density[row];
        P::prefetch(
            &self.interactions.density,
            row + 1,
            size_of::<DensityCorrectionRow>(),
        );
        let data = &self.interactions.data[row];
        let records = self.interactions.of_row(self.all_records, row);
        let unit = self.interactions.unit;
        let particles = &self.rows.particle[row];
        let moment: SymMat3<P> = SymMat3::load(&density.moment);
        let own: [P; 4] = self.velocity.gather(particles);
        let g = gradient(records, unit, [own[0], own[1], own[2]], &self.velocity);
        let lacking = self.rule.least_divergence(P::load(&density.fraction)) - trace(g, moment);
        let rest_volume = P::load(&data.rest_volume);
        let response = self.rule.response(rest_volume, P::load(&density.mobility));
        let before = P::load(&self.pressure[k]);
        let pressure = MaximumDensity::projected(before, lacking, response);
        let change = pressure - before;
        if !MaximumDensity::is_active(change) {
            return;
        }
        pressure.store(&mut self.pressure[k]);
        let strength = change * (P::splat(self.rule.dt) * rest_volume);
        let impulse = moment * -strength;
        scatter(records, impulse * P::splat(unit), &mut self.velocity);
        let recoil = times(impulse, load_vector(&data.gradient_sum));
        self.velocity.scatter(particles, moved(own, recoil, own[3]));
    }
}

/// tr(G M): the divergence with uncorrected gradients.
#[inline(always)]
fn trace<P: Pack>([x, y, z]: Rows3<P>, m: SymMat3<P>) -> P {
    (x[0] * m.xx + y[1] * m.yy + z[2] * m.zz)
        + ((x[1] + y[0]) * m.xy + (x[2] + z[0]) * m.xz + (y[2] + z[1]) * m.yz)
}
