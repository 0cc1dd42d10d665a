//! Elementary functions in the solver's precision, the same bits on every platform.

use crate::Real;

/// Greatest argument of [`exp_m1`] whose result is finite, rounded down.
#[cfg(not(feature = "double"))]
pub(crate) const GREATEST_EXPONENT: Real = 88.0;
/// Greatest argument of [`exp_m1`] whose result is finite, rounded down.
#[cfg(feature = "double")]
pub(crate) const GREATEST_EXPONENT: Real = 709.0;

/// `ln(1 + x)`, accurate near zero.
pub(crate) fn ln_1p(x: Real) -> Real {
    #[cfg(not(feature = "double"))]
    return libm::log1pf(x);
    #[cfg(feature = "double")]
    return libm::log1p(x);
}

/// `exp(x) - 1`, accurate near zero.
pub(crate) fn exp_m1(x: Real) -> Real {
    #[cfg(not(feature = "double"))]
    return libm::expm1f(x);
    #[cfg(feature = "double")]
    return libm::expm1(x);
}
