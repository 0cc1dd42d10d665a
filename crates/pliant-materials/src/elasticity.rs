//! Hencky elasticity: quadratic in the logarithmic strain.

use pliant_math::{Real, SymMat3};

/// The moduli of `Psi = mu eps:eps + lambda/2 tr(eps)^2`, `eps = 1/2 log(b)` (Yu et al. 2024, sec. 3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HenckyElasticity {
    /// Shear modulus mu [Pa], > 0.
    pub shear_modulus: Real,
    /// First Lame parameter lambda [Pa].
    pub lame_lambda: Real,
}

impl HenckyElasticity {
    /// From Young's modulus [Pa], > 0, and Poisson's ratio, in (-1, 0.5).
    pub fn from_youngs(youngs_modulus: f64, poissons_ratio: f64) -> Self {
        let (e, nu) = (youngs_modulus, poissons_ratio);
        Self {
            shear_modulus: (e / (2.0 * (1.0 + nu))) as Real,
            lame_lambda: (e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))) as Real,
        }
    }

    /// Bulk modulus `K = lambda + 2 mu / 3` [Pa].
    pub fn bulk_modulus(&self) -> Real {
        self.lame_lambda + self.shear_modulus * (2.0 / 3.0)
    }

    /// Energy density [J/m3] of the strain `eps`.
    #[inline(always)]
    pub fn energy_density(&self, strain: SymMat3) -> Real {
        let trace = strain.trace();
        self.shear_modulus * strain.dot(strain) + 0.5 * self.lame_lambda * trace * trace
    }

    /// Kirchhoff stress `tau = 2 mu eps + lambda tr(eps) I` [Pa].
    #[inline(always)]
    pub fn kirchhoff_stress(&self, strain: SymMat3) -> SymMat3 {
        strain * (2.0 * self.shear_modulus) + SymMat3::isotropic(self.lame_lambda * strain.trace())
    }
}
