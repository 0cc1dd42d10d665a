//! Elastic moduli, and Hencky elasticity: quadratic in the logarithmic strain.

use pliant_math::simd::Number;
use pliant_math::{Real, SymMat3};

/// The two moduli that small strains of an isotropic solid show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LameModuli {
    /// Shear modulus mu (Pa), > 0.
    pub shear_modulus: Real,
    /// First Lame parameter lambda (Pa).
    pub lame_lambda: Real,
}

impl LameModuli {
    /// From Young's modulus (Pa), > 0, and Poisson's ratio, in (-1, 0.5).
    pub fn from_youngs(youngs_modulus: f64, poissons_ratio: f64) -> Self {
        let (e, nu) = (youngs_modulus, poissons_ratio);
        Self {
            shear_modulus: (e / (2.0 * (1.0 + nu))) as Real,
            lame_lambda: (e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))) as Real,
        }
    }

    /// Bulk modulus `K = lambda + 2 mu / 3` (Pa).
    pub fn bulk_modulus(&self) -> Real {
        self.lame_lambda + self.shear_modulus * (2.0 / 3.0)
    }

    /// Modulus of compression waves `M = lambda + 2 mu` (Pa), the greatest stiffness.
    pub fn compression_wave_modulus(&self) -> Real {
        self.lame_lambda + 2.0 * self.shear_modulus
    }
}

/// The moduli of `Psi = mu eps:eps + lambda/2 tr(eps)^2`, `eps = 1/2 log(b)` (Yu et al. 2024, sec. 3), of one
/// material or of one in each lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HenckyElasticity<N = Real> {
    /// Shear modulus mu (Pa), > 0.
    pub shear_modulus: N,
    /// First Lame parameter lambda (Pa).
    pub lame_lambda: N,
}

impl HenckyElasticity {
    /// From Young's modulus (Pa), > 0, and Poisson's ratio, in (-1, 0.5).
    pub fn from_youngs(youngs_modulus: f64, poissons_ratio: f64) -> Self {
        LameModuli::from_youngs(youngs_modulus, poissons_ratio).into()
    }

    /// Bulk modulus `K = lambda + 2 mu / 3` (Pa).
    pub fn bulk_modulus(&self) -> Real {
        self.lame_lambda + self.shear_modulus * (2.0 / 3.0)
    }

    /// The same in every lane.
    #[inline(always)]
    pub fn splat<N: Number>(&self) -> HenckyElasticity<N> {
        HenckyElasticity {
            shear_modulus: N::splat(self.shear_modulus),
            lame_lambda: N::splat(self.lame_lambda),
        }
    }
}

impl<N: Number> HenckyElasticity<N> {
    /// Energy density (J/m3) of the strain `eps`.
    #[inline(always)]
    pub fn energy_density(&self, strain: SymMat3<N>) -> N {
        let trace = strain.trace();
        self.shear_modulus * strain.dot(strain) + N::splat(0.5) * self.lame_lambda * trace * trace
    }

    /// The constraint `C = sqrt(2 Psi)` in sqrt(Pa) whose compliance is the inverse rest volume.
    // Yu et al. 2024, sec. 3.
    #[inline(always)]
    pub fn constraint(&self, strain: SymMat3<N>) -> N {
        // Rounding may take the energy of an auxetic material just below zero.
        let twice = N::splat(2.0) * self.energy_density(strain);
        twice.max(N::ZERO).sqrt()
    }

    /// Kirchhoff stress `tau = 2 mu eps + lambda tr(eps) I` (Pa).
    #[inline(always)]
    pub fn kirchhoff_stress(&self, strain: SymMat3<N>) -> SymMat3<N> {
        let mean = self.lame_lambda * strain.trace();
        strain * (N::splat(2.0) * self.shear_modulus) + SymMat3::isotropic(mean)
    }
}

impl From<LameModuli> for HenckyElasticity {
    fn from(moduli: LameModuli) -> Self {
        Self {
            shear_modulus: moduli.shear_modulus,
            lame_lambda: moduli.lame_lambda,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pulled_bar_shows_youngs_modulus_and_poissons_ratio() {
        let (youngs_modulus, poissons_ratio) = (1e6, 0.3);
        let elasticity = HenckyElasticity::from_youngs(youngs_modulus, poissons_ratio);
        let along = 1e-3;
        let across = -along * poissons_ratio as Real;
        let stress = elasticity.kirchhoff_stress(SymMat3::diagonal(along, across, across));
        assert!((stress.xx - 1e3).abs() < 1e-3, "{stress:?}");
        assert!(
            stress.yy.abs() < 1e-3 && stress.zz.abs() < 1e-3,
            "{stress:?}"
        );
    }

    #[test]
    fn bulk_modulus_is_pressure_over_volume_strain() {
        let elasticity = HenckyElasticity::from_youngs(3e5, 0.2);
        // K = E / (3 (1 - 2 nu))
        assert!((elasticity.bulk_modulus() / (3e5 / 1.8) - 1.0).abs() < 1e-6);
        let stress = elasticity.kirchhoff_stress(SymMat3::isotropic(-1e-3));
        let pressure = -stress.trace() / 3.0;
        assert!((pressure / (3e-3 * elasticity.bulk_modulus()) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn constraint_is_a_number_where_rounding_hides_the_bulk_modulus() {
        let elasticity = HenckyElasticity::from_youngs(1e6, -0.999_999_99);
        for n in 1..1000 {
            let c = elasticity.constraint(SymMat3::isotropic(n as Real * 1e-3));
            assert!(c.is_finite() && c >= 0.0, "{c}");
        }
    }
}
