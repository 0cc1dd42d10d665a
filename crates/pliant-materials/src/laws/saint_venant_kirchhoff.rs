//! St. Venant-Kirchhoff elasticity: quadratic in the Green strain.

use pliant_math::simd::Number;
use pliant_math::{Matrix3, Real, SymMat3};

use super::solid::{Solid, SolidLaw};
use super::{LawKind, lame_moduli};
use crate::LameModuli;
use crate::strain_energy::{Deformation, Dilation, ElasticEnergy, Tangent};

/// The simplest law of large rotations: `Psi = mu E:E + lambda/2 tr(E)^2`.
///
/// It softens under compression: the force that opposes it is greatest at a stretch of `1/sqrt(3)`.
// Cao et al. 2023, sec. 4.3; Sifakis and Barbič 2012, sec. 3.3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SaintVenantKirchhoff {
    /// The moduli of small strains, which are those of the energy.
    pub moduli: LameModuli,
}

impl SaintVenantKirchhoff {
    pub(super) const KIND: LawKind<Solid> = LawKind {
        name: "stvk",
        doc: "St. Venant-Kirchhoff elasticity: quadratic in the Green strain, stiff in tension and soft under strong compression.",
        fields: Solid::FIELDS_WITH_SPLIT,
        build: |values| {
            let moduli = lame_moduli(values)?;
            Solid::from_values(SolidLaw::SaintVenantKirchhoff(Self { moduli }), values)
        },
    };
}

impl ElasticEnergy for SaintVenantKirchhoff {
    const LEAST_STRETCH: Option<Real> = Some(0.58);
    const DILATION: Dilation = Dilation::GreenTrace;

    fn moduli(&self) -> LameModuli {
        self.moduli
    }

    #[inline(always)]
    fn energy_and_stress<N: Number>(&self, deformation: &Deformation<N>) -> (N, Matrix3<N>) {
        let mu = N::splat(self.moduli.shear_modulus);
        let strain = deformation.strain;
        let trace = strain.trace();
        let pressure = N::splat(self.moduli.lame_lambda) * trace;
        let energy = mu * strain.dot(strain) + N::splat(0.5) * pressure * trace;
        let second = strain * (mu + mu) + SymMat3::isotropic(pressure);
        (
            energy.max(N::ZERO),
            deformation.gradient.times_symmetric(second),
        )
    }

    // dP = F dS, beside S, which is left out.
    #[inline(always)]
    fn tangent<N: Number>(&self, deformation: &Deformation<N>) -> Tangent<N> {
        Tangent {
            frame: deformation.gradient,
            dilation: deformation.gradient,
            shear: N::splat(self.moduli.shear_modulus),
            bulk: N::splat(self.moduli.lame_lambda),
        }
    }
}
