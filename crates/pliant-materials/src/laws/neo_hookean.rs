//! Neo-Hookean elasticity with the logarithm of the volume.

use pliant_math::simd::{Mask, Number};
use pliant_math::{Matrix3, Real, SymMat3, ln_and_rest};

use super::solid::{Solid, SolidLaw};
use super::{LawKind, lame_moduli};
use crate::LameModuli;
use crate::strain_energy::{Deformation, ElasticEnergy, Tangent};

/// Volume below which the logarithm is that of this volume.
const LEAST_VOLUME: Real = 1e-6;

/// Volume below which the tangent is that of this volume.
const LEAST_TANGENT_VOLUME: Real = 0.05;

/// Rubber: `Psi = mu (tr(E) - ln J) + lambda/2 ln(J)^2`.
// Cao et al. 2023, eq. 6; Sifakis and Barbič 2012, sec. 3.5.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeoHookean {
    /// The moduli of small strains, which are those of the energy.
    pub moduli: LameModuli,
}

impl NeoHookean {
    pub(super) const KIND: LawKind<Solid> = LawKind {
        name: "neo-hookean",
        doc: "Rubber under large strain: neo-Hookean energy with the logarithm of the volume.",
        fields: Solid::FIELDS,
        build: |values| {
            let moduli = lame_moduli(values)?;
            Solid::from_values(SolidLaw::NeoHookean(Self { moduli }), values)
        },
    };
}

impl ElasticEnergy for NeoHookean {
    const LEAST_STRETCH: Option<Real> = Some(0.3);

    fn moduli(&self) -> LameModuli {
        self.moduli
    }

    #[inline(always)]
    fn energy_and_stress<N: Number>(&self, deformation: &Deformation<N>) -> (N, Matrix3<N>) {
        let mu = N::splat(self.moduli.shear_modulus);
        let lambda = N::splat(self.moduli.lame_lambda);
        let d = deformation;
        let volume = d.volume.max(N::splat(LEAST_VOLUME));
        let (logarithm, rest) = ln_and_rest(volume, d.volume_change);
        let pressure = lambda * logarithm;
        let energy = mu * (d.distortion + rest) + N::splat(0.5) * pressure * logarithm;

        // P = mu (F - F^-T) + lambda ln(J) F^-T = F^-T (2 mu E + lambda ln(J) I)
        let cofactor = d.gradient.cofactor();
        let middle = d.strain * (mu + mu) + SymMat3::isotropic(pressure);
        let inverse_volume = N::splat(1.0) / volume;
        let mut stress = cofactor.times_symmetric(middle * inverse_volume);
        if (!d.is_small).any() {
            let large = d.gradient * mu + cofactor * ((pressure - mu) * inverse_volume);
            stress = stress.or_where_not(d.is_small, large);
        }
        (energy.max(N::ZERO), stress)
    }

    // lambda (1 - ln J) F^-T (F^-T : dF), what is negative left out.
    #[inline(always)]
    fn tangent<N: Number>(&self, deformation: &Deformation<N>) -> Tangent<N> {
        let volume = deformation.volume.max(N::splat(LEAST_TANGENT_VOLUME));
        let (logarithm, _) = ln_and_rest(volume, volume - N::splat(1.0));
        let lambda = N::splat(self.moduli.lame_lambda);
        let bulk = lambda * (N::splat(1.0) - logarithm) / (volume * volume);
        Tangent::of_volume(self.moduli, bulk, deformation)
    }
}
