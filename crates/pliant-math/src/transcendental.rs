//! Exponential, logarithm and hyperbolic sine, for a number or a pack.
//!
//! Series are summed in pairs: a pack waits for each operation of a chain, and many chains run at once.

use crate::Real;
use crate::elementary::GREATEST_EXPONENT;
use crate::simd::Number;

/// ln 2 cut after so few digits that its products with exponents are exact, and the rest.
#[cfg(not(feature = "double"))]
const LN_2: (Real, Real) = (0.693_145_75, 1.428_606_8e-6);
/// ln 2 cut after so few digits that its products with exponents are exact, and the rest.
#[cfg(feature = "double")]
const LN_2: (Real, Real) = (0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10);

/// What is added to this is rounded to a whole number, because its last digit counts one.
const UNIT_DIGIT: Real = 1.5 / Real::EPSILON;

/// Coefficients of the exponential: for arguments up to ln(2)/2 the rest is below a rounding.
#[cfg(not(feature = "double"))]
const EXP: [Real; 8] = inverse_factorials();
/// Coefficients of the exponential: for arguments up to ln(2)/2 the rest is below a rounding.
#[cfg(feature = "double")]
const EXP: [Real; 16] = inverse_factorials();

/// Coefficients of `atanh(z)/z` in the square of z: for |z| up to 3 - sqrt(8) the rest is below a
/// rounding.
#[cfg(not(feature = "double"))]
const ATANH: [Real; 8] = inverse_odd_numbers();
/// Coefficients of `atanh(z)/z` in the square of z: for |z| up to 3 - sqrt(8) the rest is below a
/// rounding.
#[cfg(feature = "double")]
const ATANH: [Real; 16] = inverse_odd_numbers();

/// Terms of the series of the hyperbolic sine: for arguments up to 1 the rest is below a rounding.
#[cfg(not(feature = "double"))]
const SINH_TERMS: usize = 6;
/// Terms of the series of the hyperbolic sine: for arguments up to 1 the rest is below a rounding.
#[cfg(feature = "double")]
const SINH_TERMS: usize = 10;

/// The exponential of any number, to a few roundings; arguments beyond those whose exponential is
/// finite and normal (about 87 in single and 708 in double precision) count as these.
#[inline(always)]
pub fn exp<N: Number>(x: N) -> N {
    let greatest = N::splat(GREATEST_EXPONENT - 1.0);
    let x = x.min(greatest).max(-greatest);
    let power = x * N::splat(core::f64::consts::LOG2_E as Real) + N::splat(UNIT_DIGIT);
    let power = power - N::splat(UNIT_DIGIT);
    let rest = x - power * N::splat(LN_2.0) - power * N::splat(LN_2.1);
    polynomial(&EXP, rest) * power.power_of_two()
}

/// The natural logarithm of a positive number, to a few roundings of the greater of it and 1; numbers
/// below the least normal one, zero and negative ones included, count as that one.
#[inline(always)]
pub fn ln<N: Number>(x: N) -> N {
    let one = N::splat(1.0);
    let (mantissa, exponent) = x.max(N::splat(Real::MIN_POSITIVE)).split();
    let is_great = N::splat(core::f64::consts::SQRT_2 as Real).less(mantissa);
    let mantissa = (mantissa * N::splat(0.5)).or_where_not(is_great, mantissa);
    let exponent = (exponent + one).or_where_not(is_great, exponent);
    // ln m = 2 atanh((m - 1)/(m + 1))
    let z = (mantissa - one) / (mantissa + one);
    let of_mantissa = (z + z) * polynomial(&ATANH, z * z);
    exponent * N::splat(LN_2.0) + (exponent * N::splat(LN_2.1) + of_mantissa)
}

/// The sum of the powers of x times their coefficients, of which there are a power of two.
#[inline(always)]
fn polynomial<N: Number, const TERMS: usize>(coefficients: &[Real; TERMS], x: N) -> N {
    let mut sums = [N::ZERO; TERMS];
    for (sum, &coefficient) in sums.iter_mut().zip(coefficients) {
        *sum = N::splat(coefficient);
    }
    let (mut power, mut pairs) = (x, TERMS / 2);
    while pairs > 0 {
        for k in 0..pairs {
            sums[k] = sums[2 * k] + sums[2 * k + 1] * power;
        }
        power = power * power;
        pairs /= 2;
    }
    sums[0]
}

/// The hyperbolic sine of any number, to a few roundings of its own size; capped as [`exp`] is.
#[inline(always)]
pub fn sinh<N: Number>(x: N) -> N {
    let one = N::splat(1.0);
    let size = x.abs();
    let square = size.min(one) * size.min(one);
    let mut sum = one;
    for n in (1..SINH_TERMS).rev() {
        sum = one + square * sum * N::splat(1.0 / (2 * n * (2 * n + 1)) as Real);
    }
    let grown = exp(size);
    let large = (grown - one / grown) * N::splat(0.5);
    let of_size = (size * sum).or_where_not(size.at_most(one), large);
    (-of_size).or_where_not(x.less(N::ZERO), of_size)
}

/// 1, 1, 1/2, 1/6, ...
const fn inverse_factorials<const TERMS: usize>() -> [Real; TERMS] {
    let mut inverses = [1.0; TERMS];
    let (mut n, mut factorial) = (1, 1.0);
    while n < TERMS {
        factorial *= n as f64;
        inverses[n] = (1.0 / factorial) as Real;
        n += 1;
    }
    inverses
}

/// 1, 1/3, 1/5, ...
const fn inverse_odd_numbers<const TERMS: usize>() -> [Real; TERMS] {
    let mut inverses = [1.0; TERMS];
    let mut n = 0;
    while n < TERMS {
        inverses[n] = (1.0 / (2 * n + 1) as f64) as Real;
        n += 1;
    }
    inverses
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Instructions, Job, LANES, Pack, Row};
    use proptest::prelude::*;

    const ROUNDING: f64 = Real::EPSILON as f64;

    struct All(Row);

    impl Job for All {
        type Output = [Row; 3];

        fn run<P: Pack>(self) -> [Row; 3] {
            let x = P::load(&self.0);
            [exp(x), ln(x), sinh(x)].map(|y| {
                let mut row = Row::ZERO;
                y.store(&mut row);
                row
            })
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn exponential_is_that_of_the_library(
            x in -1.0..1.0_f64, size in prop::sample::select(vec![1e-6, 0.1, 1.0, 10.0, 86.0]),
        ) {
            let x = (x * size) as Real;
            let exact = libm::exp(f64::from(x));
            // A rounding of the argument's reduction, and those of the series and the powers.
            let bound = ROUNDING * (6.0 + 0.1 * f64::from(x.abs()));
            let found = f64::from(exp(x));
            prop_assert!((found / exact - 1.0).abs() <= bound, "exp({x}) = {found}, not {exact}");
        }

        #[test]
        fn logarithm_is_that_of_the_library(mantissa in 0.5..2.0_f64, power in -37..37_i32) {
            let x = (mantissa * 10.0_f64.powi(power)) as Real;
            let exact = libm::log(f64::from(x));
            let found = f64::from(ln(x));
            let bound = 2.0 * ROUNDING * exact.abs().max(1.0);
            prop_assert!((found - exact).abs() <= bound, "ln({x:e}) = {found}, not {exact}");
        }

        #[test]
        fn hyperbolic_sine_is_that_of_the_library(
            x in -1.0..1.0_f64, size in prop::sample::select(vec![1e-6, 0.1, 1.0, 3.0, 20.0]),
        ) {
            let x = (x * size) as Real;
            let (exact, found) = (libm::sinh(f64::from(x)), f64::from(sinh(x)));
            let bound = ROUNDING * (10.0 * exact.abs());
            prop_assert!((found - exact).abs() <= bound, "sinh({x}) = {found}, not {exact}");
        }

        #[test]
        fn every_lane_has_the_bits_of_a_single_number(
            x in prop::array::uniform16(-100.0..100.0_f64), power in -30..30_i32,
        ) {
            let mut row = Row::ZERO;
            for (lane, x) in x.iter().enumerate() {
                row.0[lane] = (x * 10.0_f64.powi(power)) as Real;
            }
            for instructions in Instructions::available() {
                let [e, l, s] = instructions.run(All(row));
                for lane in 0..LANES {
                    let x = row.0[lane];
                    prop_assert_eq!(e.0[lane].to_bits(), exp(x).to_bits());
                    prop_assert_eq!(l.0[lane].to_bits(), ln(x).to_bits());
                    prop_assert_eq!(s.0[lane].to_bits(), sinh(x).to_bits());
                }
            }
        }
    }

    #[test]
    fn ends_of_the_range_are_finite() {
        for x in [0.0, -0.0, 1.0, -1.0, 1e30, -1e30, Real::MAX, Real::MIN] {
            assert!(exp(x).is_finite() && exp(x) > 0.0, "{x}");
            assert!(ln(x).is_finite() && sinh(x).is_finite(), "{x}");
        }
        assert_eq!(
            (exp(0.0 as Real), ln(1.0 as Real), sinh(0.0 as Real)),
            (1.0, 0.0, 0.0)
        );
    }
}
