//! One pass of pressures, and of viscous stresses, over all particles of a group.
//!
//!   dp = (target - div v)/(dt V0 tr K),   p' = max(0, p + dp)
//!   v_j += dt V0/m_j dp g_ij,   v_i -= dt V0/m_i dp (sum g + walls)
//!
//! Projected Gauss–Seidel for div v >= target, p >= 0, one of them an equality. Viscous stress is
//! found as `xpbi` finds stress: T += dT, dT = (2 mu dev D - T)/(1 + 2 mu dt V0 k).
// Groups write to disjoint places of shared columns; see `parallel::Shared`.
#![allow(unsafe_code)]

use std::ops::Range;

use pliant_math::simd::{Instructions, Pack, Row, RowJob};
use pliant_math::{Real, SymMat3};

use super::state::{FluidInteractions, FluidRow};
use super::viscosity::Shear;
use crate::constraints::maximum_density::MaximumDensity;
use crate::interactions::ParticleRows;
use crate::interactions::lanes::{load_vector, scaled};
use crate::interactions::passes::{gradient, moved};
use crate::interactions::records::{RecordRow, dispatch_records, fetched};
use crate::interactions::rows::lanes_in;
use crate::parallel::{self, Shared, View};

/// What a pass reads: constant during a substep.
#[derive(Clone, Copy)]
pub struct FluidSweepInput<'a> {
    /// Who stands where.
    pub rows: &'a ParticleRows,
    /// Neighbours and gradients.
    pub interactions: &'a FluidInteractions,
    /// The substep [s].
    pub dt: Real,
}

/// What a pass changes.
pub struct FluidSweepOutput<'a> {
    /// Velocities [m/s] and inverse masses, spare places included.
    pub velocity: &'a mut [[Real; 4]],
    /// Pressure of each row [Pa].
    pub pressure: &'a mut [Row],
    /// Viscous stress of each row [Pa]; empty without viscosity.
    pub shear: &'a mut [[Row; 6]],
}

/// What a visit to a row does.
pub trait Pass: Copy + Sync {
    /// Whether only what is known is applied, without a look at velocities.
    const IS_START: bool;
    /// Whether there is viscosity.
    const IS_VISCOUS: bool;
}

/// Applies the pressures that are there.
#[derive(Clone, Copy)]
pub struct Start;

/// Solves for pressures.
#[derive(Clone, Copy)]
pub struct Inviscid;

/// Solves for pressures and viscous stresses.
#[derive(Clone, Copy)]
pub struct Viscous;

impl Pass for Start {
    const IS_START: bool = true;
    const IS_VISCOUS: bool = false;
}

impl Pass for Inviscid {
    const IS_START: bool = false;
    const IS_VISCOUS: bool = false;
}

impl Pass for Viscous {
    const IS_START: bool = false;
    const IS_VISCOUS: bool = true;
}

/// Visits every particle once, colour by colour.
pub fn sweep<J: Pass>(
    instructions: Instructions,
    pass: J,
    input: FluidSweepInput<'_>,
    output: FluidSweepOutput<'_>,
) {
    dispatch_records!(&input.interactions.all_records, |columns| sweep_colors(
        instructions,
        pass,
        input,
        &columns.records,
        output
    ));
}

fn sweep_colors<J: Pass, R: RecordRow>(
    instructions: Instructions,
    pass: J,
    input: FluidSweepInput<'_>,
    all_records: &[R],
    output: FluidSweepOutput<'_>,
) {
    for color in &input.rows.colors {
        let velocity = Shared::new(output.velocity);
        let pressure = Shared::new(output.pressure);
        let shear = Shared::new(output.shear);
        parallel::for_tasks(&input.rows.groups[color.clone()], |group| {
            let task = group.rows.start as u32;
            // SAFETY: a visit touches its particles and their neighbours within 2r; blocks of one
            // colour are at least 4r apart, so no index is within 2r of two of them, and lanes
            // without a block have places that no other group of the colour uses. What is kept for a
            // row is touched by its group.
            let (velocity, mut pressure, mut shear) =
                unsafe { (velocity.view(task), pressure.view(task), shear.view(task)) };
            let of_shear = if J::IS_VISCOUS {
                group.rows.clone()
            } else {
                0..0
            };
            instructions.run_rows(
                group.lanes.len(),
                SweepGroup {
                    pass,
                    input,
                    all_records,
                    rows: group.rows.clone(),
                    velocity,
                    pressure: pressure.range(group.rows.clone()),
                    shear: shear.range(of_shear),
                },
            );
        });
    }
}

struct SweepGroup<'a, J, R> {
    pass: J,
    input: FluidSweepInput<'a>,
    all_records: &'a [R],
    rows: Range<usize>,
    velocity: View<'a, [Real; 4]>,
    pressure: &'a mut [Row],
    shear: &'a mut [[Row; 6]],
}

impl<J: Pass, R: RecordRow> RowJob for SweepGroup<'_, J, R> {
    #[inline(always)]
    fn rows(&self) -> usize {
        self.rows.len()
    }

    #[inline(always)]
    fn row<P: Pack>(&mut self, k: usize) {
        let _ = self.pass;
        let row = self.rows.start + k;
        if self.input.rows.filled[row] & lanes_in::<P>() == 0 {
            return;
        }
        if J::IS_VISCOUS {
            self.visit_viscous::<P>(k);
        } else {
            self.visit::<P>(k);
        }
    }
}

impl<J: Pass, R: RecordRow> SweepGroup<'_, J, R> {
    /// The pressure of a row without viscosity.
    #[inline(always)]
    fn visit<P: Pack>(&mut self, k: usize) {
        let input = self.input;
        let row = self.rows.start + k;
        let data = &input.interactions.data[row];
        P::prefetch(&input.interactions.data, row + 1, size_of::<FluidRow>());
        let records = input.interactions.of_row(self.all_records, row);
        let unit = P::splat(input.interactions.unit);
        let particles = &input.rows.particle[row];
        let own: [P; 4] = self.velocity.gather(particles);
        let applied = P::load(&self.pressure[k]);
        let increment = if J::IS_START {
            applied
        } else {
            let divergence = self.divergence::<P>(records, own) * unit;
            let pressure = projected(data, own, divergence, applied);
            pressure.store(&mut self.pressure[k]);
            pressure - applied
        };
        let strength = increment * (P::splat(input.dt) * P::load(&data.rest_volume));
        push(records, strength * unit, &mut self.velocity);
        let [x, y, z] = load_vector::<P>(&data.gradient_sum);
        let [wx, wy, wz] = load_vector::<P>(&data.state.wall_gradient);
        let recoil = [x + wx, y + wy, z + wz];
        let pushed = moved(own, recoil, -strength * own[3]);
        self.velocity.scatter(particles, pushed);
    }

    /// div v of a row in multiples of a gradient: sum_j (v_j - v_i) . g_ij.
    #[inline(always)]
    fn divergence<P: Pack>(&self, records: &[R], own: [P; 4]) -> P {
        let mut sum = P::ZERO;
        for record in fetched::<P, R>(records) {
            let v: [P; 4] = self.velocity.gather(record.neighbors());
            let g: [P; 3] = record.gradient();
            sum += (v[0] - own[0]) * g[0] + (v[1] - own[1]) * g[1] + (v[2] - own[2]) * g[2];
        }
        sum
    }

    /// Pressure and viscous stress of a row.
    #[inline(always)]
    fn visit_viscous<P: Pack>(&mut self, k: usize) {
        let input = self.input;
        let row = self.rows.start + k;
        let data = &input.interactions.data[row];
        P::prefetch(&input.interactions.data, row + 1, size_of::<FluidRow>());
        let records = input.interactions.of_row(self.all_records, row);
        let unit = input.interactions.unit;
        let particles = &input.rows.particle[row];
        let own: [P; 4] = self.velocity.gather(particles);
        let g = gradient(records, unit, [own[0], own[1], own[2]], &self.velocity);
        let applied = P::load(&self.pressure[k]);
        let pressure = projected(data, own, g[0][0] + g[1][1] + g[2][2], applied);
        pressure.store(&mut self.pressure[k]);
        let step_volume = P::splat(input.dt) * P::load(&data.rest_volume);
        let shear = Shear {
            viscosity: P::load(&data.state.viscosity),
            correction: SymMat3::load(&data.state.correction),
            stiffness: step_volume * P::load(&data.state.shear_bound),
        };
        let before: SymMat3<P> = SymMat3::load(&self.shear[k]);
        let change = shear.change(g, before);
        (before + change).store(&mut self.shear[k]);
        let strength = (pressure - applied) * step_volume;
        let impulse = shear.impulse(change, step_volume, strength);
        let of_unit = impulse.scaled_by(P::splat(unit));
        for record in fetched::<P, R>(records) {
            let v: [P; 4] = self.velocity.gather(record.neighbors());
            let recoil = of_unit.times(record.gradient());
            self.velocity
                .scatter(record.neighbors(), moved(v, recoil, -v[3]));
        }
        let [wx, wy, wz] = load_vector::<P>(&data.state.wall_gradient);
        let [x, y, z] = impulse.times(load_vector(&data.gradient_sum));
        let recoil = [x - strength * wx, y - strength * wy, z - strength * wz];
        self.velocity.scatter(particles, moved(own, recoil, own[3]));
    }
}

/// The pressure of a row that brings its divergence to what it should at least be.
#[inline(always)]
fn projected<P: Pack>(data: &FluidRow, own: [P; 4], divergence: P, applied: P) -> P {
    let [wx, wy, wz] = load_vector::<P>(&data.state.wall_gradient);
    let at_walls = P::load(&data.state.wall_flow) - (wx * own[0] + wy * own[1] + wz * own[2]);
    let lacking = P::load(&data.state.target) - (divergence + at_walls);
    MaximumDensity::projected(applied, lacking, P::load(&data.state.response))
}

/// Applies impulses at the neighbours: v_j += s/m_j g_ij, s per multiple of a gradient.
#[inline(always)]
fn push<P: Pack, R: RecordRow>(records: &[R], strength: P, velocity: &mut View<'_, [Real; 4]>) {
    for record in fetched::<P, R>(records) {
        let v: [P; 4] = velocity.gather(record.neighbors());
        let direction = scaled(record.gradient(), strength);
        velocity.scatter(record.neighbors(), moved(v, direction, v[3]));
    }
}
