//! Exponential, logarithm and hyperbolic sine, for a number or a pack.
//!
//! Ranges are reduced by comparisons with powers of two and selects, a bit of the exponent a step, so
//! that one text serves every width and every lane gets the bits of a single number.

use crate::Real;
use crate::elementary::GREATEST_EXPONENT;
use crate::simd::Number;

/// Binary digits of the exponent of a finite number, beyond its sign.
#[cfg(not(feature = "double"))]
const EXPONENT_BITS: i32 = 7;
/// Binary digits of the exponent of a finite number, beyond its sign.
#[cfg(feature = "double")]
const EXPONENT_BITS: i32 = 10;

/// ln 2 cut after so few digits that its products with exponents are exact, and the rest.
#[cfg(not(feature = "double"))]
const LN_2: (Real, Real) = (0.693_145_75, 1.428_606_8e-6);
/// ln 2 cut after so few digits that its products with exponents are exact, and the rest.
#[cfg(feature = "double")]
const LN_2: (Real, Real) = (0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10);

/// Terms of the series of the exponential: for arguments below ln(2)/2 the rest is below a rounding.
#[cfg(not(feature = "double"))]
const EXP_TERMS: usize = 8;
/// Terms of the series of the exponential: for arguments below ln(2)/2 the rest is below a rounding.
#[cfg(feature = "double")]
const EXP_TERMS: usize = 14;

/// Terms of the series of `atanh(z)/z`: for |z| up to 3 - sqrt(8) the rest is below a rounding.
#[cfg(not(feature = "double"))]
const LN_TERMS: usize = 5;
/// Terms of the series of `atanh(z)/z`: for |z| up to 3 - sqrt(8) the rest is below a rounding.
#[cfg(feature = "double")]
const LN_TERMS: usize = 11;

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
    let one = N::splat(1.0);
    let mut rest = x.abs().min(N::splat(GREATEST_EXPONENT - 1.0));
    let mut power = one;
    for bit in (0..EXPONENT_BITS).rev() {
        let scale = power_of_two(bit);
        let takes = N::splat(scale * LN_2.0 + scale * LN_2.1).at_most(rest);
        let less = rest - N::splat(scale * LN_2.0) - N::splat(scale * LN_2.1);
        rest = less.or_where_not(takes, rest);
        power = (power * N::splat(doubled(bit))).or_where_not(takes, power);
    }
    let takes = N::splat(0.5 * LN_2.0).at_most(rest);
    let less = rest - N::splat(0.5 * LN_2.0) - N::splat(0.5 * LN_2.1);
    rest = less.or_where_not(takes, rest);
    let root = power * N::splat(core::f64::consts::SQRT_2 as Real);
    power = root.or_where_not(takes, power);

    let mut sum = one;
    for n in (1..EXP_TERMS).rev() {
        sum = one + rest * sum * N::splat(1.0 / n as Real);
    }
    let of_size = power * sum;
    (one / of_size).or_where_not(x.less(N::ZERO), of_size)
}

/// The natural logarithm of a positive number, to a few roundings of the greater of it and 1; numbers
/// below the least normal one, zero and negative ones included, count as that one.
#[inline(always)]
pub fn ln<N: Number>(x: N) -> N {
    let one = N::splat(1.0);
    let x = x.max(N::splat(Real::MIN_POSITIVE));
    let is_small = x.less(one);
    let mut mantissa = (one / x).or_where_not(is_small, x);
    let mut exponent = N::ZERO;
    for bit in (0..EXPONENT_BITS).rev() {
        let takes = N::splat(doubled(bit)).at_most(mantissa);
        let less = mantissa * N::splat(1.0 / doubled(bit));
        mantissa = less.or_where_not(takes, mantissa);
        let more = exponent + N::splat(power_of_two(bit));
        exponent = more.or_where_not(takes, exponent);
    }
    let takes = N::splat(core::f64::consts::SQRT_2 as Real).less(mantissa);
    mantissa = (mantissa * N::splat(0.5)).or_where_not(takes, mantissa);
    exponent = (exponent + one).or_where_not(takes, exponent);

    // ln m = 2 atanh((m - 1)/(m + 1))
    let z = (mantissa - one) / (mantissa + one);
    let square = z * z;
    let mut sum = N::splat(1.0 / (2 * LN_TERMS + 1) as Real);
    for n in (0..LN_TERMS).rev() {
        sum = square * sum + N::splat(1.0 / (2 * n + 1) as Real);
    }
    let of_mantissa = N::splat(2.0) * z * sum;
    let of_size = exponent * N::splat(LN_2.0) + (exponent * N::splat(LN_2.1) + of_mantissa);
    (-of_size).or_where_not(is_small, of_size)
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

/// 2 to a power below the number of exponent bits.
#[inline(always)]
fn power_of_two(bit: i32) -> Real {
    (1u32 << bit) as Real
}

/// 2 to the power of 2 to a power.
#[inline(always)]
fn doubled(bit: i32) -> Real {
    let mut value: Real = 2.0;
    for _ in 0..bit {
        value *= value;
    }
    value
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
