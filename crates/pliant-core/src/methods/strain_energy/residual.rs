//! The residual of the multipliers.

use pliant_materials::laws::Solid;
use pliant_math::simd::{Job, LANES, Pack};
use pliant_math::{Matrix3, Real, Vector3};

use super::StrainEnergy;
use super::projection::end_strain;
use super::response::{StressResponse, stored, stress_response};
use super::rows::{ConstraintRow, ConstraintRows};
use super::settings::EnergyConstraint;
use crate::constraints::missing_stress::{in_plane, supported};
use crate::parallel;
use crate::particles::Particles;

/// Rows that one task works on.
const ROWS_A_TASK: usize = 64;

impl StrainEnergy {
    /// (sum V |P - P_given|^2 / M, sum V |P|^2 / M) [J], over all constraints at the velocities, M being the
    /// greatest stiffness of their law: the dual residual of the multipliers that the sweeps of this substep of `dt`
    /// [s] left, and what it is relative to. With the energy as constraint of that and of the multiplier. Right
    /// between the last sweep and the next substep; it costs half a sweep.
    pub fn residual(&mut self, particles: &Particles, dt: f64) -> (f64, f64) {
        if self.rows.count == 0 || self.is_first {
            return (0.0, 0.0);
        }
        self.load_velocities(particles);
        let mut sums = vec![(0.0, 0.0); self.rows.rows.len().div_ceil(ROWS_A_TASK)];
        parallel::for_items(&mut sums, |task, sum| {
            *sum = self.instructions.run(SolidResidual {
                laws: &self.setup.laws,
                constraint: self.setup.settings.constraint,
                rows: &self.rows,
                first: task * ROWS_A_TASK,
                velocity: &self.records,
                dt: dt as Real,
            });
        });
        let add = |a: (f64, f64), b: (f64, f64)| (a.0 + b.0, a.1 + b.1);
        sums.into_iter().fold((0.0, 0.0), add)
    }
}

struct SolidResidual<'a> {
    laws: &'a [Solid],
    constraint: EnergyConstraint,
    rows: &'a ConstraintRows,
    first: usize,
    velocity: &'a [[Real; 4]],
    dt: Real,
}

impl Job for SolidResidual<'_> {
    type Output = (f64, f64);

    #[inline(always)]
    fn run<P: Pack>(self) -> (f64, f64) {
        let end = (self.first + ROWS_A_TASK).min(self.rows.rows.len());
        let (mut part, mut whole) = (0.0, 0.0);
        for number in self.first..end {
            let (row, info) = (&self.rows.rows[number], &self.rows.info[number]);
            let edges = &self.rows.edges[info.edges.clone()];
            let material_state = info
                .material_state
                .map(|material_state| &self.rows.material_state[material_state as usize]);
            let rate = row.rest.rate::<P>(edges, self.velocity);
            let strain = stored(end_strain(self.dt, row, info, rate));
            let law = &self.laws[info.law as usize];
            let mut response = stress_response::<P>(law, &strain, material_state);
            // Nothing pushes a sheet along its normal: stress along it is not missing.
            let normal = Vector3::<P>::load(&row.rest.normal);
            let stress = supported(P::load(&response.energy), Matrix3::load(&response.stress));
            in_plane(stress, normal).store(&mut response.stress);
            let lanes = (0..LANES).filter(|lane| info.filled >> lane & 1 == 1);
            for (missing, all) in lanes.map(|lane| self.of_lane(row, law, &response, lane)) {
                part += missing;
                whole += all;
            }
        }
        (part, whole)
    }
}

impl SolidResidual<'_> {
    /// What is missing and what it is relative to [J] of one constraint.
    fn of_lane(
        &self,
        row: &ConstraintRow,
        law: &Solid,
        response: &StressResponse,
        lane: usize,
    ) -> (f64, f64) {
        let volume = f64::from(row.rest.volume.0[lane]);
        match self.constraint {
            EnergyConstraint::Consistent => {
                let (stress, given) = (&response.stress, &row.given.stress);
                let (mut missing, mut all) = (0.0, 0.0);
                for (stress, given) in stress.iter().flatten().zip(given.iter().flatten()) {
                    let stress = f64::from(stress.0[lane]);
                    missing += (stress - f64::from(given.0[lane])).powi(2);
                    all += stress * stress;
                }
                let scale = volume / f64::from(law.greatest_stiffness());
                (scale * missing, scale * all)
            }
            EnergyConstraint::Energy => {
                let energy = f64::from(response.energy.0[lane]);
                let given = f64::from(row.given.multiplier.0[lane]) / f64::from(self.dt).powi(2);
                (volume * (energy + given).powi(2), volume * energy * energy)
            }
        }
    }
}
