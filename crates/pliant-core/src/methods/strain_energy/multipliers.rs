//! The impulses of one projection of the constraints in the lanes of a pack: B with v_j -= w_j B G_ij (Cao et al. 2023, eqs. 5 and 11).

use pliant_materials::laws::Solid;
use pliant_math::simd::{Mask, Pack};
use pliant_math::{Matrix3, Real, SymMat3, Vector3};

use super::projection::SolidSweepInput;
use super::response::{MatrixRow, StressResponse, law_dilations, stored, stress_response};
use super::rows::{ConstraintRow, MaterialStateRow};
use crate::constraints::missing_stress::{Fiber, MissingStress, Stressed};

/// Least energy density [J/m3] that is not neglected.
const LEAST_ENERGY: Real = 1e-30;

/// A law, the material state of a row, if its law has one, and F - I.
pub type Deformed<'a> = (&'a Solid, Option<&'a MaterialStateRow>, &'a MatrixRow);

/// Gives the stress that is missing.
///
/// * `deformed` — the law and its row's material state, and F - I
#[inline(always)]
pub fn project_stress<P: Pack>(
    input: SolidSweepInput<'_>,
    row: &mut ConstraintRow,
    (law, material_state, strain_rows): Deformed<'_>,
    response: &StressResponse,
) -> Matrix3<P> {
    let dt = P::splat(input.dt);
    let volume = P::load(&row.rest.volume);
    let mobility = SymMat3::load(&row.mobility);
    let given = Matrix3::load(&row.given.stress);
    let strain: Matrix3<P> = Matrix3::load(strain_rows);
    let deformation = strain + Matrix3::identity();
    let dilation = match law_dilations::<P>(law, strain_rows, (material_state, response.crushed)) {
        Some(dilations) => Matrix3::load(&dilations),
        None => deformation.cofactor(),
    };
    let stressed = Stressed {
        strain,
        energy: P::load(&response.energy),
        stress: Matrix3::load(&response.stress),
        dilation,
        given,
        normal: Vector3::load(&row.rest.normal),
        mobility,
        scale: dt * dt * volume,
    };
    let mut missing = MissingStress::new(stressed, law.moduli());
    if let Some(state) = material_state {
        for (k, at_rest) in state.fibers[..law.fibers.count].iter().enumerate() {
            let at_rest = Vector3::load(at_rest);
            missing.add(&Fiber::of(law.fibers.stiffness[k], at_rest, deformation));
        }
    }
    let mut change = missing.change();
    if missing.is_large().any() {
        let moved = stored(missing.strain_after(change));
        let after = stress_response::<P>(law, &moved, material_state);
        let after = (P::load(&after.energy), Matrix3::load(&after.stress));
        change = missing.along(change, after);
    }
    (given + change).store(&mut row.given.stress);
    change.times_symmetric(SymMat3::load(&row.rest.inverse)) * (dt * volume)
}

/// Projects the energy itself with the compliance 1, as it was published.
// The multiplier equation times dt^2.
#[inline(always)]
pub fn project_energy<P: Pack>(
    input: SolidSweepInput<'_>,
    row: &mut ConstraintRow,
    response: &StressResponse,
) -> Matrix3<P> {
    let dt = P::splat(input.dt);
    let energy = P::load(&response.energy);
    let stress = Matrix3::<P>::load(&response.stress);
    let by_gradient = stress.times_symmetric(SymMat3::load(&row.rest.inverse));
    let moves = stress.times_symmetric(SymMat3::load(&row.mobility));
    let mobility = moves.double_dot(stress);
    // Where there is nothing to speak of, not even a direction.
    let is_tense = P::splat(LEAST_ENERGY).less(energy);
    let multiplier = P::load(&row.given.multiplier);
    let increment = (dt * dt * energy + multiplier) / (dt * dt * mobility + P::splat(1.0));
    let increment = increment.or_where_not(is_tense, P::ZERO);
    (multiplier - increment).store(&mut row.given.multiplier);
    by_gradient * (increment / dt)
}
