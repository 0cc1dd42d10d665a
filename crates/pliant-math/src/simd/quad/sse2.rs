//! Registers of SSE2, which every processor of x86-64 has.
//!
//! SAFETY of every block in this file: the instructions are there, since they belong to the target. A reference to
//! an array of 16 or 8 bytes may be read, or written, as so many bytes, and the instructions that do so need no
//! alignment.
#![allow(unsafe_code, clippy::undocumented_unsafe_blocks)]

use std::arch::x86_64::*;

use super::Quad;

/// Four numbers.
#[derive(Clone, Copy, Debug)]
pub struct Sse2(__m128);

/// Something done to the words of registers.
#[inline(always)]
fn words(register: Sse2) -> __m128i {
    unsafe { _mm_castps_si128(register.0) }
}

#[inline(always)]
fn from_words(words: __m128i) -> Sse2 {
    unsafe { Sse2(_mm_castsi128_ps(words)) }
}

impl Quad for Sse2 {
    const NAME: &str = "SSE2";

    const ZERO: Self = Self(unsafe { std::mem::transmute::<[f32; 4], __m128>([0.0; 4]) });

    #[inline(always)]
    fn splat(number: f32) -> Self {
        unsafe { Self(_mm_set1_ps(number)) }
    }

    #[inline(always)]
    fn splat_word(word: u32) -> Self {
        unsafe { from_words(_mm_set1_epi32(word as i32)) }
    }

    #[inline(always)]
    fn load(numbers: &[f32; 4]) -> Self {
        unsafe { Self(_mm_loadu_ps(numbers.as_ptr())) }
    }

    #[inline(always)]
    fn store(self, numbers: &mut [f32; 4]) {
        unsafe { _mm_storeu_ps(numbers.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn load_words(words: &[u32; 4]) -> Self {
        unsafe { from_words(_mm_loadu_si128(words.as_ptr().cast())) }
    }

    #[inline(always)]
    fn store_words(self, to: &mut [u32; 4]) {
        unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), words(self)) }
    }

    #[inline(always)]
    fn load_halves(halves: &[u16; 4]) -> Self {
        unsafe {
            let halves = _mm_loadl_epi64(halves.as_ptr().cast());
            from_words(_mm_unpacklo_epi16(halves, _mm_setzero_si128()))
        }
    }

    #[inline(always)]
    fn store_halves(self, halves: &mut [u16; 4]) {
        unsafe {
            // Packing takes words with a sign: the lower half's highest bit is made theirs.
            let lower = _mm_srai_epi32::<16>(_mm_slli_epi32::<16>(words(self)));
            _mm_storel_epi64(halves.as_mut_ptr().cast(), _mm_packs_epi32(lower, lower))
        }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        unsafe { Self(_mm_add_ps(self.0, other.0)) }
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        unsafe { Self(_mm_sub_ps(self.0, other.0)) }
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        unsafe { Self(_mm_mul_ps(self.0, other.0)) }
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        unsafe { Self(_mm_div_ps(self.0, other.0)) }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        unsafe { Self(_mm_sqrt_ps(self.0)) }
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        unsafe { Self(_mm_min_ps(self.0, other.0)) }
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        unsafe { Self(_mm_max_ps(self.0, other.0)) }
    }

    #[inline(always)]
    fn less(self, other: Self) -> Self {
        unsafe { Self(_mm_cmplt_ps(self.0, other.0)) }
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> Self {
        unsafe { Self(_mm_cmple_ps(self.0, other.0)) }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        unsafe { Self(_mm_and_ps(self.0, other.0)) }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        unsafe { Self(_mm_or_ps(self.0, other.0)) }
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        unsafe { Self(_mm_xor_ps(self.0, other.0)) }
    }

    #[inline(always)]
    fn or_where_not(self, mask: Self, other: Self) -> Self {
        unsafe {
            let (chosen, rest) = (_mm_and_ps(mask.0, self.0), _mm_andnot_ps(mask.0, other.0));
            Self(_mm_or_ps(chosen, rest))
        }
    }

    #[inline(always)]
    fn add_words(self, other: Self) -> Self {
        unsafe { from_words(_mm_add_epi32(words(self), words(other))) }
    }

    #[inline(always)]
    fn shift_left<const DIGITS: i32>(self) -> Self {
        unsafe { from_words(_mm_slli_epi32::<DIGITS>(words(self))) }
    }

    #[inline(always)]
    fn shift_right<const DIGITS: i32>(self) -> Self {
        unsafe { from_words(_mm_srli_epi32::<DIGITS>(words(self))) }
    }

    #[inline(always)]
    fn equal_words(self, other: Self) -> Self {
        unsafe { from_words(_mm_cmpeq_epi32(words(self), words(other))) }
    }

    #[inline(always)]
    fn greater_words(self, other: Self) -> Self {
        unsafe { from_words(_mm_cmpgt_epi32(words(self), words(other))) }
    }

    #[inline(always)]
    fn words_to_numbers(self) -> Self {
        unsafe { Self(_mm_cvtepi32_ps(words(self))) }
    }

    #[inline(always)]
    fn numbers_to_words(self) -> Self {
        unsafe { from_words(_mm_cvttps_epi32(self.0)) }
    }

    #[inline(always)]
    fn highest_bits(self) -> u32 {
        unsafe { _mm_movemask_ps(self.0) as u32 }
    }

    #[inline(always)]
    fn transpose([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        unsafe {
            let (low, high) = (_mm_unpacklo_ps(a.0, b.0), _mm_unpackhi_ps(a.0, b.0));
            let (low2, high2) = (_mm_unpacklo_ps(c.0, d.0), _mm_unpackhi_ps(c.0, d.0));
            [
                Self(_mm_movelh_ps(low, low2)),
                Self(_mm_movehl_ps(low2, low)),
                Self(_mm_movelh_ps(high, high2)),
                Self(_mm_movehl_ps(high2, high)),
            ]
        }
    }
}
