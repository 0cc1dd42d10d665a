//! How far a solution is from implicit Euler. The dual residual is reported once a frame and costs half a
//! sweep; the primal one is computed particle by particle, slowly, for comparison.

use std::ops::Range;

use pliant_materials::{ReturnMapping, dispatch_hencky_law};
use pliant_math::simd::{Instructions, Job, Pack, Row};
use pliant_math::{DVec3, Real, SymMat3, Vec3, to_double};

use super::continuum::ContinuumNeighbors;
use super::deformation::trial_hencky_strain;
use super::settings::PlasticityScheme;
use super::setup::XpbiSetup;
use super::sweep::{Admitted, Projection, StressUpdate, Visit, XpbiSweepInput, project_row};
use crate::interactions::passes::gradient;
use crate::interactions::records::{RecordRow, dispatch_records};
use crate::interactions::rows::lanes_of;
use crate::parallel::{self, gather};

/// Neighbours and columns of a continuum.
pub struct ResidualInput<'a> {
    /// Neighbours and gradients.
    pub neighbors: &'a ContinuumNeighbors,
    /// Laws and settings.
    pub setup: &'a XpbiSetup,
    /// Material of each particle.
    pub law: &'a [u32],
    /// Rest volumes [m3].
    pub rest_volume: &'a [Real],
    /// Velocities [m/s].
    pub velocity: &'a [Vec3],
    /// 1/mass [1/kg].
    pub inverse_mass: &'a [Real],
    /// E = b - I at the start of the substep.
    pub strain: &'a [SymMat3],
    /// Plastic state at the start of the substep.
    pub plastic: &'a [Real],
    /// The substep [s].
    pub dt: Real,
}

impl ResidualInput<'_> {
    /// Stress [Pa] of a particle at the velocities, plasticity included as the sweeps include it.
    fn stress(&self, i: usize) -> SymMat3 {
        let gradient = self.neighbors.velocity_gradient(i, |j| self.velocity[j]);
        let trial = trial_hencky_strain(self.strain[i], gradient, self.dt);
        let law = &self.setup.laws[self.law[i] as usize];
        dispatch_hencky_law!(law, |law| {
            let strain = match self.setup.settings.plasticity {
                PlasticityScheme::Implicit => law.project(trial, self.plastic[i], self.dt).0,
                PlasticityScheme::SemiImplicit => trial,
            };
            law.kirchhoff_stress(strain, self.plastic[i])
        })
    }
}

/// (sum V0 |tau(v) - T|^2, sum V0 |tau(v)|^2): the dual residual of the tensor multiplier.
///
/// * `velocity` — velocities [m/s] and inverse masses
/// * `applied` — T of each row [Pa]
pub fn dual(
    instructions: Instructions,
    input: XpbiSweepInput<'_>,
    velocity: &[[Real; 4]],
    applied: &[[Row; 6]],
) -> (f64, f64) {
    let groups = &input.rows.groups;
    let mut sums = vec![(0.0, 0.0); groups.len()];
    dispatch_records!(&input.interactions.all_records, |columns| {
        parallel::for_items(&mut sums, |number, sum| {
            let group = &groups[number];
            *sum = instructions.run_lanes(
                group.lanes.len(),
                DualGroup {
                    input,
                    all_records: &columns.records,
                    rows: group.rows.clone(),
                    velocity,
                    applied,
                },
            );
        });
    });
    let add = |a: (f64, f64), b: (f64, f64)| (a.0 + b.0, a.1 + b.1);
    sums.into_iter().fold((0.0, 0.0), add)
}

struct DualGroup<'a, R> {
    input: XpbiSweepInput<'a>,
    all_records: &'a [R],
    rows: Range<usize>,
    velocity: &'a [[Real; 4]],
    applied: &'a [[Row; 6]],
}

impl<R: RecordRow> Job for DualGroup<'_, R> {
    type Output = (f64, f64);

    #[inline(always)]
    fn run<P: Pack>(self) -> (f64, f64) {
        let input = self.input;
        let (mut missing, mut whole) = (0.0, 0.0);
        for row in self.rows.clone() {
            let data = &input.interactions.data[row];
            let [x, y, z, _]: [P; 4] = gather(self.velocity, &input.rows.particle[row]);
            let records = input.interactions.of_row(self.all_records, row);
            let unit = input.interactions.unit;
            let velocity_gradient = gradient(records, unit, [x, y, z], self.velocity);
            let visit = Visit {
                data,
                mobility: None,
                velocity_gradient,
                dt: input.dt,
                relaxation: 1.0,
            };
            let applied = SymMat3::<P>::load(&self.applied[row]);
            let stress = project_row(&EndStress, input, row, visit, applied).increment;
            let difference = stress - applied;
            let volume = P::load(&data.rest_volume);
            let parts = (difference.dot(difference) * volume).lanes();
            let wholes = (stress.dot(stress) * volume).lanes();
            for lane in lanes_of(input.rows.filled[row]) {
                missing += f64::from(parts[lane]);
                whole += f64::from(wholes[lane]);
            }
        }
        (missing, whole)
    }
}

/// Answers the stress at the end of the substep if velocities stay as they are.
#[derive(Clone, Copy)]
struct EndStress;

impl Projection for EndStress {
    const READS_VELOCITY: bool = true;

    #[inline(always)]
    fn project<P: Pack>(
        &self,
        _visit: Visit<'_, P>,
        admitted: Admitted<P>,
        multiplier: SymMat3<P>,
    ) -> StressUpdate<P> {
        StressUpdate {
            increment: admitted.kirchhoff_stress(),
            multiplier,
        }
    }
}

/// The norm of the momentum equation's left side [kg m/s] at the velocities:
/// `m (v - v_free) + dt V0 sum tau(v) g`, v_free being the velocities without any stress.
pub fn primal(input: &ResidualInput<'_>, free_velocity: &[Vec3]) -> f64 {
    let mut missing: Vec<DVec3> = (0..input.velocity.len())
        .map(|i| match input.inverse_mass[i] {
            0.0 => DVec3::ZERO,
            w => to_double(input.velocity[i] - free_velocity[i]) / f64::from(w),
        })
        .collect();
    for i in 0..input.velocity.len() {
        add_impulse(input, i, &mut missing);
    }
    let free = |i: usize| input.inverse_mass[i] != 0.0;
    let squares = |i: usize| {
        if free(i) {
            missing[i].length_squared()
        } else {
            0.0
        }
    };
    parallel::ordered_fold(
        missing.len(),
        0.0,
        |range| range.map(squares).sum::<f64>(),
        |a, b| a + b,
    )
    .sqrt()
}

/// Adds `dt V0 tau g` [kg m/s] of particle `i` at its neighbours, and its recoil at itself.
fn add_impulse(input: &ResidualInput<'_>, i: usize, missing: &mut [DVec3]) {
    let impulse = input.stress(i) * (input.dt * input.rest_volume[i]);
    for neighbor in input.neighbors.neighbors(i) {
        let push = to_double(impulse.mul_vec3(neighbor.gradient));
        missing[neighbor.neighbor] += push;
        missing[i] -= push;
    }
}
