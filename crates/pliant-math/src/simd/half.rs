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
    /// The greatest number that it holds.
    pub const GREATEST: Real = 65_504.0;

    /// Zeros.
    pub const ZERO: Self = Self([0; LANES]);

    /// The number in a lane.
    #[inline]
    pub fn get(&self, lane: usize) -> Real {
        Real::from(to_single(self.0[lane]))
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

/// The number of a half, without branches, so that loops over lanes become vectors.
#[inline]
fn to_single(half: u16) -> f32 {
    // The exponents of the two kinds differ by 112; the multiplication also makes subnormal halves
    // normal numbers, exactly.
    const POWER: f32 = f32::from_bits((112 + 127) << 23);
    const INFINITE: u32 = f32::INFINITY.to_bits();
    let (sign, size) = (u32::from(half & 0x8000) << 16, u32::from(half & 0x7fff));
    let finite = (f32::from_bits(size << 13) * POWER).to_bits();
    let infinite = if size < 0x7c00 { 0 } else { INFINITE };
    f32::from_bits(sign | finite | infinite)
}

impl Default for HalfRow {
    fn default() -> Self {
        Self::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_is_the_number_that_it_stands_for() {
        for half in 0..=u16::MAX {
            let expected = f16::from_bits(half).to_f32_const();
            let found = to_single(half);
            let is_same = found.to_bits() == expected.to_bits();
            assert!(is_same || found.is_nan() && expected.is_nan(), "{half:#x}");
        }
    }
}
