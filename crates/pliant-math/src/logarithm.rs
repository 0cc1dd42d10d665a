//! `ln(1 + x)` and what it lacks to `x`, both accurate near zero, for a number or a pack.

use crate::Real;
use crate::simd::{Mask, Number};
use crate::transcendental::ln;

/// Greatest |z|, z = x/(2 + x), for which the series are used: x from -0.4 to 2/3.
const SERIES_LIMIT: Real = 0.25;

/// Terms of the series of `atanh(z)/z`: with `z^2` at most 1/16 what is left is below a rounding of
/// what comes after the first term, too.
#[cfg(not(feature = "double"))]
const TERMS: usize = 6;
/// Terms of the series of `atanh(z)/z`: with `z^2` at most 1/16 what is left is below a rounding of
/// what comes after the first term, too.
#[cfg(feature = "double")]
const TERMS: usize = 13;

/// `ln(1 + x)` and `x - ln(1 + x)` for x > -1, each to a few roundings of its own size.
///
/// The second is what is left of an energy such as `tr(E) - ln(J)` where strains are small: about
/// `x^2 / 2`, and a difference of two numbers of the size of x would lose it. Arguments whose
/// `1 + x` is below the least normal number count as that one.
#[inline(always)]
pub fn ln_1p_and_rest<N: Number>(x: N) -> (N, N) {
    ln_and_rest(N::splat(1.0) + x, x)
}

/// `ln(y)` and `x - ln(y)` for `y = 1 + x > 0`, as [`ln_1p_and_rest`]: each of the two is given to
/// its own precision, y where it is near zero and x where y is near 1.
// ln(1 + x) = 2 atanh(z), z = x/(2 + x); x - 2 z = x z.
#[inline(always)]
pub fn ln_and_rest<N: Number>(y: N, x: N) -> (N, N) {
    let two = N::splat(2.0);
    let z = x / (two + x);
    let is_small = z.abs().at_most(N::splat(SERIES_LIMIT));
    let square = z * z;
    let mut sum = N::splat(1.0 / (2 * TERMS + 1) as Real);
    for n in (1..TERMS).rev() {
        sum = square * sum + N::splat(1.0 / (2 * n + 1) as Real);
    }
    let beyond = two * z * square * sum;
    let (logarithm, rest) = (two * z + beyond, x * z - beyond);
    if (!is_small).any() {
        let far = ln(y);
        return (
            logarithm.or_where_not(is_small, far),
            rest.or_where_not(is_small, x - far),
        );
    }
    (logarithm, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ROUNDING: f64 = Real::EPSILON as f64;

    /// `x - ln(1 + x)` from its own series where a difference would lose digits.
    fn exact_rest(x: f64) -> f64 {
        if x.abs() > 0.1 {
            return x - libm::log1p(x);
        }
        (2..30).rev().map(|n| (-x).powi(n) / f64::from(n)).sum()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn both_are_accurate_near_zero(mantissa in 0.1..1.0_f64, power in -12..1_i32, sign: bool) {
            let size = 0.99 * mantissa * 10.0_f64.powi(power);
            let x = if sign { size } else { -size } as Real;
            let (logarithm, rest) = ln_1p_and_rest(x);
            let exact = libm::log1p(f64::from(x));
            prop_assert!((f64::from(logarithm) / exact - 1.0).abs() < 4.0 * ROUNDING, "{x}");
            let exact = exact_rest(f64::from(x));
            prop_assert!((f64::from(rest) / exact - 1.0).abs() < 12.0 * ROUNDING, "{x}: {rest} {exact}");
        }

        #[test]
        fn both_are_accurate_far_from_zero(x in 0.5..1.0_f64, power in 0..37_i32) {
            let x = (x * 10.0_f64.powi(power)) as Real;
            let (logarithm, rest) = ln_1p_and_rest(x);
            let exact = libm::log1p(f64::from(x));
            prop_assert!((f64::from(logarithm) / exact - 1.0).abs() < 4.0 * ROUNDING, "{x}");
            let exact = f64::from(x) - exact;
            prop_assert!((f64::from(rest) / exact - 1.0).abs() < 12.0 * ROUNDING, "{x}: {rest} {exact}");
        }
    }

    #[test]
    fn series_leave_less_than_a_rounding_at_their_limit() {
        let first_left = SERIES_LIMIT.powi(2 * TERMS as i32) / (2 * TERMS + 3) as Real;
        assert!(3.0 * first_left < 0.5 * Real::EPSILON, "{first_left:e}");
    }

    #[test]
    fn ends_of_the_range_are_finite() {
        for x in [0.0, -1.0, -5.0, 1e30] {
            let (logarithm, rest) = ln_1p_and_rest(x as Real);
            assert!(logarithm.is_finite() && rest.is_finite(), "{x}");
        }
        assert_eq!(ln_1p_and_rest(0.0 as Real), (0.0, 0.0));
    }
}
