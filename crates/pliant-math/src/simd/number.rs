//! What formulas are written in: one number, or a pack of them.

use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::LANES;
use crate::Real;

/// A truth value a lane.
pub trait Mask: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// Bit `k` is lane `k`.
    fn bits(self) -> u32;

    /// From bits.
    fn from_bits(bits: u32) -> Self;

    /// True if any lane is.
    #[inline(always)]
    fn any(self) -> bool {
        self.bits() != 0
    }
}

/// A number or a pack of numbers: formulas without branches are written once for both.
pub trait Number:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
{
    /// The result of a comparison.
    type Mask: Mask;

    /// Numbers in it.
    const COUNT: usize;

    /// Zero in every lane.
    const ZERO: Self;

    /// A number in every lane.
    fn splat(value: Real) -> Self;

    /// The numbers in its lanes, which are the first of a row if it is not a pack that says
    /// otherwise; what stands in the others is arbitrary.
    fn lanes(self) -> [Real; LANES];

    /// From the numbers in its lanes.
    fn from_lanes(lanes: [Real; LANES]) -> Self;

    /// The square root.
    fn sqrt(self) -> Self;

    /// The absolute value.
    fn abs(self) -> Self;

    /// `self < other ? self : other`.
    fn min(self, other: Self) -> Self;

    /// `self > other ? self : other`.
    fn max(self, other: Self) -> Self;

    /// `self < other`; false for what is not a number.
    fn less(self, other: Self) -> Self::Mask;

    /// `self <= other`; false for what is not a number.
    fn at_most(self, other: Self) -> Self::Mask;

    /// `self` where the mask is true, `other` elsewhere.
    fn or_where_not(self, mask: Self::Mask, other: Self) -> Self;

    /// `(m, e)` with `self = m 2^e`, 1 <= m < 2 and a whole e, of a positive normal number.
    fn split(self) -> (Self, Self);

    /// 2 to a whole power whose result is a normal number.
    fn power_of_two(self) -> Self;
}

/// The bits of a number.
#[cfg(not(feature = "double"))]
type Bits = u32;
/// The bits of a number.
#[cfg(feature = "double")]
type Bits = u64;

/// Digits of a number behind its leading one.
pub(super) const DIGITS: u32 = Real::MANTISSA_DIGITS - 1;

/// What is added to the power of two in the bits of a number.
pub(super) const BIAS: i32 = Real::MAX_EXP - 1;

impl Mask for bool {
    #[inline(always)]
    fn bits(self) -> u32 {
        u32::from(self)
    }

    #[inline(always)]
    fn from_bits(bits: u32) -> Self {
        bits & 1 == 1
    }
}

impl Number for Real {
    type Mask = bool;
    const COUNT: usize = 1;
    const ZERO: Self = 0.0;

    #[inline(always)]
    fn splat(value: Real) -> Self {
        value
    }

    #[inline(always)]
    fn lanes(self) -> [Real; LANES] {
        [self; LANES]
    }

    #[inline(always)]
    fn from_lanes([first, ..]: [Real; LANES]) -> Self {
        first
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Real::sqrt(self)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Real::abs(self)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    #[inline(always)]
    fn less(self, other: Self) -> bool {
        self < other
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> bool {
        self <= other
    }

    #[inline(always)]
    fn or_where_not(self, mask: bool, other: Self) -> Self {
        if mask { self } else { other }
    }

    #[inline(always)]
    fn split(self) -> (Self, Self) {
        let bits = self.to_bits();
        let exponent = (bits >> DIGITS) as i32 - BIAS;
        let digits = bits & ((1 << DIGITS) - 1);
        let one: Real = 1.0;
        (Self::from_bits(digits | one.to_bits()), exponent as Real)
    }

    #[inline(always)]
    fn power_of_two(self) -> Self {
        Self::from_bits(((self as i32 + BIAS) as Bits) << DIGITS)
    }
}
