//! Sixteen numbers in half precision: eleven bits, from 6e-8 to 65504.
//!
//! Every instruction set rounds to the nearest, to even between two, subnormal numbers included.

use half::f16;

use super::LANES;
use crate::Real;

/// A row of sixteen numbers in memory, half as long as a row of single precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub struct HalfRow(pub [u16; LANES]);

impl HalfRow {
    /// Zeros.
    pub const ZERO: Self = Self([0; LANES]);

    /// The number in a lane.
    #[inline]
    pub fn get(&self, lane: usize) -> Real {
        Real::from(f16::from_bits(self.0[lane]).to_f32_const())
    }

    /// Changes the number in a lane to the nearest one that there is.
    #[inline]
    pub fn set(&mut self, lane: usize, number: Real) {
        #[cfg(not(feature = "double"))]
        let half = f16::from_f32_const(number);
        #[cfg(feature = "double")]
        let half = f16::from_f64_const(number);
        self.0[lane] = half.to_bits();
    }
}

impl Default for HalfRow {
    fn default() -> Self {
        Self::ZERO
    }
}
