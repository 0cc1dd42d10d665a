//! What a law answers to any deformation, crushed and inverted ones included.

use pliant_math::Matrix3;
use pliant_math::simd::{Mask, Number};

use super::{Deformation, ElasticEnergy};
use crate::laws::Corotated;

/// Energy and stress of a law.
#[derive(Clone, Copy, Debug)]
pub struct Response<N: Number> {
    /// Energy density [J/m3], >= 0.
    pub energy: N,
    /// First Piola-Kirchhoff stress [Pa].
    pub stress: Matrix3<N>,
    /// True where material is crushed beyond the law's least stretch or inverted; for laws without a
    /// least stretch, where it is inverted.
    pub is_crushed: N::Mask,
}

/// Energy and stress, with the corotated law of the same moduli in the place of a law that does not
/// stand what is crushed beyond its least stretch, or inverted.
///
/// The switch is hard: it bounds stiffness, and no continuation of the energy of the logarithm in
/// principal stretches is bounded below. So neither energy nor stress is continuous there.
// Cao et al. 2023, sec. 4.2.
#[inline(always)]
pub fn response<L: ElasticEnergy, N: Number>(
    law: &L,
    displacement_gradient: Matrix3<N>,
) -> Response<N> {
    response_to(
        law,
        &Deformation::from_displacement_gradient(displacement_gradient),
    )
}

/// [`response`] to a deformation.
#[inline(always)]
pub(super) fn response_to<L: ElasticEnergy, N: Number>(
    law: &L,
    deformation: &Deformation<N>,
) -> Response<N> {
    let mut found = bare_response(law, deformation);
    if L::LEAST_STRETCH.is_some() && found.is_crushed.any() {
        let corotated = Corotated {
            moduli: law.moduli(),
        };
        let (energy, stress) = corotated.energy_and_stress(deformation);
        found.energy = energy.or_where_not(found.is_crushed, found.energy);
        found.stress = stress.or_where_not(found.is_crushed, found.stress);
    }
    found
}

/// Energy and stress of a law, without anything in its place where material is crushed.
#[inline(always)]
pub fn bare_response<L: ElasticEnergy, N: Number>(
    law: &L,
    deformation: &Deformation<N>,
) -> Response<N> {
    let (energy, stress) = law.energy_and_stress(deformation);
    let is_crushed = match L::LEAST_STRETCH {
        Some(least) => !deformation.is_stretched_beyond(least),
        None => deformation.volume.at_most(N::ZERO),
    };
    Response {
        energy,
        stress,
        is_crushed,
    }
}
