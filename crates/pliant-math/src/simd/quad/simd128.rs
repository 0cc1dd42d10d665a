//! Registers of WebAssembly.
//!
//! SAFETY of every block in this file: a reference to an array of 16 or 8 bytes may be read, or written, as so many
//! bytes, and the instructions that do so need no alignment.
#![allow(unsafe_code, clippy::undocumented_unsafe_blocks)]

use std::arch::wasm32::*;

use super::Quad;

/// Four numbers.
#[derive(Clone, Copy, Debug)]
pub struct Simd128(v128);

impl Quad for Simd128 {
    const NAME: &str = "simd128";

    const ZERO: Self = Self(f32x4(0.0, 0.0, 0.0, 0.0));

    #[inline(always)]
    fn splat(number: f32) -> Self {
        Self(f32x4_splat(number))
    }

    #[inline(always)]
    fn splat_word(word: u32) -> Self {
        Self(u32x4_splat(word))
    }

    #[inline(always)]
    fn load(numbers: &[f32; 4]) -> Self {
        Self(unsafe { v128_load(numbers.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, numbers: &mut [f32; 4]) {
        unsafe { v128_store(numbers.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn load_words(words: &[u32; 4]) -> Self {
        Self(unsafe { v128_load(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store_words(self, words: &mut [u32; 4]) {
        unsafe { v128_store(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn load_halves(halves: &[u16; 4]) -> Self {
        Self(unsafe { u32x4_load_extend_u16x4(halves.as_ptr()) })
    }

    #[inline(always)]
    fn store_halves(self, halves: &mut [u16; 4]) {
        let lower =
            i8x16_shuffle::<0, 1, 4, 5, 8, 9, 12, 13, 0, 1, 4, 5, 8, 9, 12, 13>(self.0, self.0);
        unsafe { v128_store64_lane::<0>(lower, halves.as_mut_ptr().cast()) }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(f32x4_add(self.0, other.0))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(f32x4_sub(self.0, other.0))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(f32x4_mul(self.0, other.0))
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(f32x4_div(self.0, other.0))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(f32x4_sqrt(self.0))
    }

    // `pmin(a, b)` is `b < a ? b : a`.
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(f32x4_pmin(other.0, self.0))
    }

    // `pmax(a, b)` is `a < b ? b : a`.
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(f32x4_pmax(other.0, self.0))
    }

    #[inline(always)]
    fn less(self, other: Self) -> Self {
        Self(f32x4_lt(self.0, other.0))
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> Self {
        Self(f32x4_le(self.0, other.0))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(v128_and(self.0, other.0))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(v128_or(self.0, other.0))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(v128_xor(self.0, other.0))
    }

    #[inline(always)]
    fn or_where_not(self, mask: Self, other: Self) -> Self {
        Self(v128_bitselect(self.0, other.0, mask.0))
    }

    #[inline(always)]
    fn add_words(self, other: Self) -> Self {
        Self(u32x4_add(self.0, other.0))
    }

    #[inline(always)]
    fn shift_left<const DIGITS: i32>(self) -> Self {
        Self(u32x4_shl(self.0, DIGITS as u32))
    }

    #[inline(always)]
    fn shift_right<const DIGITS: i32>(self) -> Self {
        Self(u32x4_shr(self.0, DIGITS as u32))
    }

    #[inline(always)]
    fn equal_words(self, other: Self) -> Self {
        Self(u32x4_eq(self.0, other.0))
    }

    #[inline(always)]
    fn greater_words(self, other: Self) -> Self {
        Self(i32x4_gt(self.0, other.0))
    }

    #[inline(always)]
    fn words_to_numbers(self) -> Self {
        Self(f32x4_convert_i32x4(self.0))
    }

    #[inline(always)]
    fn numbers_to_words(self) -> Self {
        Self(i32x4_trunc_sat_f32x4(self.0))
    }

    #[inline(always)]
    fn highest_bits(self) -> u32 {
        u32::from(u32x4_bitmask(self.0))
    }

    #[inline(always)]
    fn transpose([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        let low = i32x4_shuffle::<0, 4, 1, 5>(a.0, b.0);
        let high = i32x4_shuffle::<2, 6, 3, 7>(a.0, b.0);
        let low2 = i32x4_shuffle::<0, 4, 1, 5>(c.0, d.0);
        let high2 = i32x4_shuffle::<2, 6, 3, 7>(c.0, d.0);
        [
            Self(i64x2_shuffle::<0, 2>(low, low2)),
            Self(i64x2_shuffle::<1, 3>(low, low2)),
            Self(i64x2_shuffle::<0, 2>(high, high2)),
            Self(i64x2_shuffle::<1, 3>(high, high2)),
        ]
    }
}
