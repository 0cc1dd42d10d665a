//! Neo-Hookean elasticity as a polynomial: the energy of two constraints.

use pliant_math::simd::{Mask, Number};
use pliant_math::{Matrix3, Real, SymMat3};

use super::solid::{Solid, SolidLaw};
use super::{LawKind, lame_moduli};
use crate::LameModuli;
use crate::strain_energy::{Deformation, ElasticEnergy, Tangent};

/// Rubber and flesh: `Psi = mu/2 (tr(C) - 3) + lambda/2 (J - gamma)^2` less its value at rest, with
/// `gamma = 1 + mu/lambda`. It has no logarithm and no singularity: a polynomial of F.
///
/// lambda is not that of small strains but `lambda_small + mu`, so that small strains show the Young's modulus and
/// Poisson's ratio that a scene names; published with `lambda_small`, which makes it too soft.
// Macklin and Müller 2021, eq. 3; Müller et al. 2022, eq. 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolynomialNeoHookean {
    /// The moduli of small strains.
    pub moduli: LameModuli,
}

impl PolynomialNeoHookean {
    pub(super) const KIND: LawKind<Solid> = LawKind {
        name: "polynomial-neo-hookean",
        doc: "Rubber and flesh: neo-Hookean energy as a polynomial, which stands inverted and collapsed material. The law of `shape-groups`.",
        fields: Solid::FIELDS,
        build: |values| {
            let moduli = lame_moduli(values)?;
            Solid::from_values(SolidLaw::PolynomialNeoHookean(Self { moduli }), values)
        },
    };

    /// lambda of the volume term [Pa], > 0.
    pub fn volume_modulus(&self) -> Real {
        self.moduli.lame_lambda + self.moduli.shear_modulus
    }
}

impl ElasticEnergy for PolynomialNeoHookean {
    const LEAST_STRETCH: Option<Real> = None;

    fn moduli(&self) -> LameModuli {
        self.moduli
    }

    // Less the energy at rest, Psi = mu (tr(E) - (J - 1)) + lambda/2 (J - 1)^2, so that
    // P = mu (F - cof F) + lambda (J - 1) cof F.
    #[inline(always)]
    fn energy_and_stress<N: Number>(&self, deformation: &Deformation<N>) -> (N, Matrix3<N>) {
        let mu = N::splat(self.moduli.shear_modulus);
        let lambda = N::splat(self.volume_modulus());
        let d = deformation;
        let pressure = lambda * d.volume_change;
        let energy = mu * d.distortion + N::splat(0.5) * pressure * d.volume_change;

        let cofactor = d.gradient.cofactor();
        // F - cof F = cof F (2E - (J - 1) I) / J
        let twice = d.strain * N::splat(2.0) - SymMat3::isotropic(d.volume_change);
        let mut shape = cofactor.times_symmetric(twice * (N::splat(1.0) / d.volume));
        if (!d.is_small).any() {
            shape = shape.or_where_not(d.is_small, d.gradient - cofactor);
        }
        (energy.max(N::ZERO), shape * mu + cofactor * pressure)
    }

    #[inline(always)]
    fn tangent<N: Number>(&self, deformation: &Deformation<N>) -> Tangent<N> {
        let bulk = N::splat(self.moduli.lame_lambda);
        Tangent::of_volume(self.moduli, bulk, deformation)
    }
}
