//! Stable neo-Hookean elasticity, which stands inverted material.

use pliant_math::simd::{Mask, Number};
use pliant_math::{Matrix3, Real, SymMat3, ln_1p_and_rest};

use super::solid::{Solid, SolidLaw};
use super::{LawKind, lame_moduli};
use crate::LameModuli;
use crate::strain_energy::{Deformation, ElasticEnergy, Tangent};

/// Flesh: `Psi = mu/2 (tr(C) - 3) + lambda/2 (J - alpha)^2 - mu/2 ln(tr(C) + 1)` less its value at
/// rest, with `alpha = 1 + 3 mu/(4 lambda)`.
///
/// mu and lambda are not those of small strains: these are `3/4 mu` and `lambda - 5/8 mu`, and the
/// law takes `mu = 4/3 mu_small`, `lambda = lambda_small + 5/6 mu_small` so that small strains show
/// the Young's modulus and Poisson's ratio that a scene names.
// Smith et al. 2018, eq. 14 and the Lame parameters that go with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StableNeoHookean {
    /// The moduli of small strains.
    pub moduli: LameModuli,
}

impl StableNeoHookean {
    pub(super) const KIND: LawKind<Solid> = LawKind {
        name: "stable-neo-hookean",
        doc: "Flesh, nearly incompressible: neo-Hookean energy without a logarithm of the volume, which stands inverted material.",
        fields: Solid::FIELDS,
        build: |values| {
            let moduli = lame_moduli(values)?;
            Solid::from_values(SolidLaw::StableNeoHookean(Self { moduli }), values)
        },
    };
}

impl ElasticEnergy for StableNeoHookean {
    const LEAST_STRETCH: Option<Real> = None;

    fn moduli(&self) -> LameModuli {
        self.moduli
    }

    // With lambda (alpha - 1) = 3/4 mu = mu_small, less the energy at rest:
    // Psi = mu/2 (t/2 - ln(1 + t/2)) + mu_small (t - (J - 1)) + lambda/2 (J - 1)^2,  t = tr(E)
    // P = mu_small (F - cof F) + mu t/(8 + 4 t) F + lambda (J - 1) cof F
    #[inline(always)]
    fn energy_and_stress<N: Number>(&self, deformation: &Deformation<N>) -> (N, Matrix3<N>) {
        let small = self.moduli;
        let mu_small = N::splat(small.shear_modulus);
        let mu = N::splat(small.shear_modulus * (4.0 / 3.0));
        let lambda = N::splat(small.lame_lambda + small.shear_modulus * (5.0 / 6.0));
        let (half, d) = (N::splat(0.5), deformation);
        let trace = d.strain.trace();
        let (_, rest) = ln_1p_and_rest(half * trace);
        let pressure = lambda * d.volume_change;
        let energy = half * mu * rest + mu_small * d.distortion + half * pressure * d.volume_change;

        let cofactor = d.gradient.cofactor();
        // F - cof F = cof F (2E - (J - 1) I) / J
        let twice = d.strain * N::splat(2.0) - SymMat3::isotropic(d.volume_change);
        let mut shape = cofactor.times_symmetric(twice * (N::splat(1.0) / d.volume));
        if (!d.is_small).any() {
            shape = shape.or_where_not(d.is_small, d.gradient - cofactor);
        }
        let factor = mu * trace / (N::splat(8.0) + N::splat(4.0) * trace);
        let stress = shape * mu_small + d.gradient * factor + cofactor * pressure;
        (energy.max(N::ZERO), stress)
    }

    #[inline(always)]
    fn tangent<N: Number>(&self, deformation: &Deformation<N>) -> Tangent<N> {
        let bulk = N::splat(self.moduli.lame_lambda);
        Tangent::of_volume(self.moduli, bulk, deformation)
    }
}
