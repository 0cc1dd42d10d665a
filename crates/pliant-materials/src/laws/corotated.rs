//! Corotated elasticity: quadratic in the stretch.

use pliant_math::simd::{Mask, Number};
use pliant_math::{Matrix3, Real, SymMat3};

use super::solid::{Solid, SolidLaw};
use super::{LawKind, lame_moduli};
use crate::LameModuli;
use crate::strain_energy::{Deformation, Dilation, ElasticEnergy, biot_strain, rotation};

/// Hooke's law in the turned frame: `Psi = mu |F - R|^2 + lambda/2 tr(R^T F - I)^2`, R the proper
/// rotation nearest to F, so that it stands inverted material.
// Sifakis and Barbič 2012, sec. 3.4; Irving et al. 2004 for inverted material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corotated {
    /// The moduli of small strains, which are those of the energy.
    pub moduli: LameModuli,
}

impl Corotated {
    pub(super) const KIND: LawKind<Solid> = LawKind {
        name: "corotated",
        doc: "Corotated elasticity: Hooke's law in a frame that turns along. Stands inverted material.",
        fields: Solid::FIELDS,
        build: |values| {
            let moduli = lame_moduli(values)?;
            Solid::from_values(SolidLaw::Corotated(Self { moduli }), values)
        },
    };

    /// Energy and Biot stress `2 mu B + lambda tr(B) I` of the Biot strain.
    #[inline(always)]
    fn hooke<N: Number>(&self, biot: SymMat3<N>) -> (N, SymMat3<N>) {
        let mu = N::splat(self.moduli.shear_modulus);
        let trace = biot.trace();
        let pressure = N::splat(self.moduli.lame_lambda) * trace;
        let energy = mu * biot.dot(biot) + N::splat(0.5) * pressure * trace;
        (
            energy.max(N::ZERO),
            biot * (mu + mu) + SymMat3::isotropic(pressure),
        )
    }
}

impl ElasticEnergy for Corotated {
    const LEAST_STRETCH: Option<Real> = None;
    const DILATION: Dilation = Dilation::BiotTrace;

    fn moduli(&self) -> LameModuli {
        self.moduli
    }

    #[inline(always)]
    fn energy_and_stress<N: Number>(&self, deformation: &Deformation<N>) -> (N, Matrix3<N>) {
        let d = deformation;
        // P = R T = F U^-1 T
        let biot = biot_strain(d.strain);
        let (energy, turned) = self.hooke(biot);
        let inverse_stretch = (biot + SymMat3::isotropic(N::splat(1.0))).inverse();
        let stress = d
            .gradient
            .times_symmetric(inverse_stretch.mul_commuting(turned));
        if !(!d.is_small).any() {
            return (energy, stress);
        }
        let rotation = rotation(d);
        let stretch = (rotation.transpose() * d.gradient).symmetric_part();
        let (large, turned) = self.hooke(stretch - SymMat3::isotropic(N::splat(1.0)));
        let large_stress = rotation.times_symmetric(turned);
        (
            energy.or_where_not(d.is_small, large),
            stress.or_where_not(d.is_small, large_stress),
        )
    }
}
