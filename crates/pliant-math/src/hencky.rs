//! Logarithmic (Hencky) strain from `E = b - I` and back, without cancellation near the identity.
//!
//! Everything small stays small: `b` itself is never formed, since `1 + E` in single precision
//! loses the strains that carry a heap of sand.

use crate::elementary::{GREATEST_EXPONENT, exp_m1, ln_1p};
use crate::simd::{Mask, Number};
use crate::{Real, SymMat3, symmetric_eigen};

/// Greatest Frobenius norm of `E` for which the logarithm is a series: one in thirty visits of
/// running sand is beyond 0.2, one in a few hundred beyond this.
const LOGARITHM_LIMIT: Real = 0.4;

/// Greatest Frobenius norm of a Hencky strain for which the exponential is a series.
const EXPONENTIAL_LIMIT: Real = 0.2;

/// Least eigenvalue of `b` that the logarithm takes; smaller and negative ones, which rounding and
/// too large steps produce, count as this one.
const LEAST_SQUARED_STRETCH: Real = 1e-6;

/// Terms of `atanh(Z) / Z` in powers of `Z^2`: with |E| <= 0.4 the eigenvalues of `Z^2` are at most
/// 0.0625, which leaves 5e-9 here.
#[cfg(not(feature = "double"))]
const ATANH_TERMS: usize = 6;
/// Terms of `atanh(Z) / Z` in powers of `Z^2`: with |E| <= 0.4 the eigenvalues of `Z^2` are at most
/// 0.0625, which leaves 8e-18 here.
#[cfg(feature = "double")]
const ATANH_TERMS: usize = 13;

/// Terms of `exp(X) - 1 = X + X^2/2 + ...`: with |X| <= 0.2 what is left is below a rounding.
#[cfg(not(feature = "double"))]
const EXP_TERMS: usize = 6;
/// Terms of `exp(X) - 1 = X + X^2/2 + ...`: with |X| <= 0.2 what is left is below a rounding.
#[cfg(feature = "double")]
const EXP_TERMS: usize = 11;

/// The Hencky strain `1/2 log(I + E)` of `e` = `E = b - I`.
///
/// Finite for any finite tensor: eigenvalues of `I + E` below 1e-6 count as 1e-6.
// Yu et al. 2024, sec. 3; log((1 + z)/(1 - z)) = 2 atanh(z) with z = E/(2 + E).
#[inline(always)]
pub fn hencky_strain<N: Number>(e: SymMat3<N>) -> SymMat3<N> {
    let limit = N::splat(LOGARITHM_LIMIT * LOGARITHM_LIMIT);
    let is_small = e.dot(e).at_most(limit);
    let z = e.mul_commuting((e + SymMat3::isotropic(N::splat(2.0))).inverse());
    let series = atanh(z);
    if (!is_small).any() {
        return series.replaced(!is_small, e, |_, e| hencky_strain_of_large(e));
    }
    series
}

/// `E = exp(2 eps) - I`, the inverse of [`hencky_strain`].
///
/// Finite for any finite tensor: eigenvalues of `2 eps` are capped where the exponential would
/// overflow.
#[inline(always)]
pub fn strain_from_hencky<N: Number>(strain: SymMat3<N>) -> SymMat3<N> {
    let limit = N::splat(EXPONENTIAL_LIMIT * EXPONENTIAL_LIMIT);
    let is_small = strain.dot(strain).at_most(limit);
    // exp(2x) - 1 = y (y + 2) with y = exp(x) - 1: one squaring, no cancellation.
    let y = exp_minus_identity(strain);
    let series = y * N::splat(2.0) + y.mul_commuting(y);
    if (!is_small).any() {
        return series.replaced(!is_small, strain, |_, strain| {
            strain_from_large_hencky(strain)
        });
    }
    series
}

/// `atanh(Z) = Z (I + Z^2/3 + Z^4/5 + ...)`.
#[inline(always)]
fn atanh<N: Number>(z: SymMat3<N>) -> SymMat3<N> {
    let coefficient = |n: usize| 1.0 / (2 * n + 1) as Real;
    let isotropic = |n: usize| SymMat3::isotropic(N::splat(coefficient(n)));
    let square = z.mul_commuting(z);
    let last = ATANH_TERMS - 1;
    let mut sum = square * N::splat(coefficient(last)) + isotropic(last - 1);
    for n in (0..last - 1).rev() {
        sum = square.mul_commuting(sum) + isotropic(n);
    }
    z.mul_commuting(sum)
}

#[cold]
#[inline(never)]
fn hencky_strain_of_large(e: SymMat3) -> SymMat3 {
    symmetric_eigen(e).map(|value| 0.5 * ln_1p(value.max(LEAST_SQUARED_STRETCH - 1.0)))
}

/// `exp(X) - I = X (I + X/2 (I + X/3 (I + ...)))`.
#[inline(always)]
fn exp_minus_identity<N: Number>(x: SymMat3<N>) -> SymMat3<N> {
    let identity = SymMat3::isotropic(N::splat(1.0));
    let mut sum = identity + x * N::splat(1.0 / EXP_TERMS as Real);
    for n in (2..EXP_TERMS).rev() {
        sum = identity + x.mul_commuting(sum) * N::splat(1.0 / n as Real);
    }
    x.mul_commuting(sum)
}

#[cold]
#[inline(never)]
fn strain_from_large_hencky(strain: SymMat3) -> SymMat3 {
    symmetric_eigen(strain).map(|value| exp_m1((2.0 * value).min(GREATEST_EXPONENT)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{extreme_tensors, greatest, rotated, rotation, tensor};
    use proptest::prelude::*;

    /// Largest error that a few roundings of the data explain.
    fn tolerance(size: Real) -> Real {
        16.0 * Real::EPSILON * size
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn strain_is_half_the_logarithm(
            values in prop::array::uniform3(-0.6..3.0_f64), q in rotation(), power in -12..1,
        ) {
            let values = values.map(|e| e * 10.0_f64.powi(power));
            let exact = rotated(values.map(|e| 0.5 * e.ln_1p()), q);
            let found = hencky_strain(rotated(values, q));
            prop_assert!(
                greatest(found - exact) <= tolerance(greatest(rotated(values, q))),
                "{values:?} {found:?} {exact:?}"
            );
        }

        #[test]
        fn series_and_decomposition_agree_at_the_switch(
            direction in tensor(0..1), factor in 0.9..1.1_f64,
        ) {
            prop_assume!(direction.norm() > 0.1);
            let direction = direction * (factor as Real / direction.norm());
            let e = direction * LOGARITHM_LIMIT;
            let difference = hencky_strain(e) - hencky_strain_of_large(e);
            prop_assert!(greatest(difference) <= tolerance(LOGARITHM_LIMIT));
            let strain = direction * EXPONENTIAL_LIMIT;
            let difference = strain_from_hencky(strain) - strain_from_large_hencky(strain);
            prop_assert!(greatest(difference) <= 2.0 * tolerance(EXPONENTIAL_LIMIT));
        }

        #[test]
        fn inverse_brings_the_strain_back(
            values in prop::array::uniform3(-0.7..0.7_f64), q in rotation(), power in -12..1,
        ) {
            let strain = rotated(values.map(|e| e * 10.0_f64.powi(power)), q);
            let back = hencky_strain(strain_from_hencky(strain));
            // The softest axis is exp(-1.4) of its length squared: its roundings grow by 4, those
            // of the stretched axes (exp(1.4)) by 4 more.
            prop_assert!(greatest(back - strain) <= 16.0 * tolerance(greatest(strain)));
        }

        #[test]
        fn exponential_is_that_of_the_eigenvalues(
            values in prop::array::uniform3(-0.9..0.9_f64), q in rotation(), power in -12..1,
        ) {
            let values = values.map(|e| e * 10.0_f64.powi(power));
            let exact = rotated(values.map(|e| (2.0 * e).exp_m1()), q);
            let found = strain_from_hencky(rotated(values, q));
            // d exp(2x) / dx is at most 2 exp(1.8), about 12.
            let size = 12.0 * greatest(rotated(values, q));
            prop_assert!(greatest(found - exact) <= tolerance(size), "{found:?} {exact:?}");
        }

        #[test]
        fn any_finite_tensor_has_a_finite_strain(e in tensor(-30..30)) {
            prop_assert!(hencky_strain(e).is_finite());
            prop_assert!(strain_from_hencky(e).is_finite());
        }
    }

    #[test]
    fn extreme_tensors_have_finite_strains() {
        for e in extreme_tensors() {
            assert!(hencky_strain(e).is_finite(), "{e:?}");
            assert!(strain_from_hencky(e).is_finite(), "{e:?}");
        }
    }

    #[test]
    fn crushed_material_keeps_the_least_stretch() {
        let strain = hencky_strain(SymMat3::diagonal(-1.0, -5.0, -1e20));
        let least = 0.5 * (1e-6_f64).ln() as Real;
        for value in [strain.xx, strain.yy, strain.zz] {
            assert!((value - least).abs() < 0.02, "{value}");
        }
    }

    #[test]
    fn huge_stretch_gives_its_logarithm() {
        // 1/2 ln(1e12) and 1/2 ln(1e20)
        for (e, exact) in [(1e12, 13.815_511), (1e20, 23.025_85)] {
            let strain = hencky_strain(SymMat3::diagonal(e, 0.0, 0.0));
            assert!((strain.xx - exact).abs() < 1e-5 * exact, "{strain:?}");
        }
    }

    #[test]
    fn series_leave_less_than_a_rounding_at_their_limit() {
        let half_a_rounding = 0.5 * Real::EPSILON;
        // The eigenvalues of Z are greatest where b is compressed: e / (2 + e) at e = -limit.
        let z = LOGARITHM_LIMIT / (2.0 - LOGARITHM_LIMIT);
        let terms = ATANH_TERMS;
        let first_left = z.powi(2 * terms as i32) / (2 * terms + 1) as Real;
        assert!(first_left < half_a_rounding, "{first_left:e}");

        let factorial: Real = (1..=EXP_TERMS + 1).map(|n| n as Real).product();
        let first_left = EXPONENTIAL_LIMIT.powi(EXP_TERMS as i32) / factorial;
        assert!(first_left < half_a_rounding, "{first_left:e}");
    }
}
