//! Registers of NEON, which every processor of 64-bit Arm has.
//!
//! SAFETY of every block in this file: the instructions are there, since they belong to the target. A reference to
//! an array of 16 or 8 bytes may be read, or written, as so many bytes, and the instructions that do so need no
//! alignment.
#![allow(unsafe_code, clippy::undocumented_unsafe_blocks)]

use std::arch::aarch64::*;

use super::Quad;

/// Four numbers.
#[derive(Clone, Copy, Debug)]
pub struct Neon(float32x4_t);

#[inline(always)]
fn words(register: Neon) -> uint32x4_t {
    unsafe { vreinterpretq_u32_f32(register.0) }
}

#[inline(always)]
fn signed_words(register: Neon) -> int32x4_t {
    unsafe { vreinterpretq_s32_f32(register.0) }
}

#[inline(always)]
fn from_words(words: uint32x4_t) -> Neon {
    unsafe { Neon(vreinterpretq_f32_u32(words)) }
}

impl Quad for Neon {
    const NAME: &str = "NEON";

    const ZERO: Self = Self(unsafe { std::mem::transmute::<[f32; 4], float32x4_t>([0.0; 4]) });

    #[inline(always)]
    fn splat(number: f32) -> Self {
        unsafe { Self(vdupq_n_f32(number)) }
    }

    #[inline(always)]
    fn splat_word(word: u32) -> Self {
        unsafe { from_words(vdupq_n_u32(word)) }
    }

    #[inline(always)]
    fn load(numbers: &[f32; 4]) -> Self {
        unsafe { Self(vld1q_f32(numbers.as_ptr())) }
    }

    #[inline(always)]
    fn store(self, numbers: &mut [f32; 4]) {
        unsafe { vst1q_f32(numbers.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn load_words(words: &[u32; 4]) -> Self {
        unsafe { from_words(vld1q_u32(words.as_ptr())) }
    }

    #[inline(always)]
    fn store_words(self, to: &mut [u32; 4]) {
        unsafe { vst1q_u32(to.as_mut_ptr(), words(self)) }
    }

    #[inline(always)]
    fn load_halves(halves: &[u16; 4]) -> Self {
        unsafe { from_words(vmovl_u16(vld1_u16(halves.as_ptr()))) }
    }

    #[inline(always)]
    fn store_halves(self, halves: &mut [u16; 4]) {
        unsafe { vst1_u16(halves.as_mut_ptr(), vmovn_u32(words(self))) }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        unsafe { Self(vaddq_f32(self.0, other.0)) }
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        unsafe { Self(vsubq_f32(self.0, other.0)) }
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        unsafe { Self(vmulq_f32(self.0, other.0)) }
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        unsafe { Self(vdivq_f32(self.0, other.0)) }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        unsafe { Self(vsqrtq_f32(self.0)) }
    }

    // The instructions for it give what is not a number where one of the two is not.
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.or_where_not(self.less(other), other)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.or_where_not(other.less(self), other)
    }

    #[inline(always)]
    fn less(self, other: Self) -> Self {
        unsafe { from_words(vcltq_f32(self.0, other.0)) }
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> Self {
        unsafe { from_words(vcleq_f32(self.0, other.0)) }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        unsafe { from_words(vandq_u32(words(self), words(other))) }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        unsafe { from_words(vorrq_u32(words(self), words(other))) }
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        unsafe { from_words(veorq_u32(words(self), words(other))) }
    }

    #[inline(always)]
    fn or_where_not(self, mask: Self, other: Self) -> Self {
        unsafe { Self(vbslq_f32(words(mask), self.0, other.0)) }
    }

    #[inline(always)]
    fn add_words(self, other: Self) -> Self {
        unsafe { from_words(vaddq_u32(words(self), words(other))) }
    }

    #[inline(always)]
    fn shift_left<const DIGITS: i32>(self) -> Self {
        unsafe { from_words(vshlq_n_u32::<DIGITS>(words(self))) }
    }

    #[inline(always)]
    fn shift_right<const DIGITS: i32>(self) -> Self {
        unsafe { from_words(vshrq_n_u32::<DIGITS>(words(self))) }
    }

    #[inline(always)]
    fn equal_words(self, other: Self) -> Self {
        unsafe { from_words(vceqq_u32(words(self), words(other))) }
    }

    #[inline(always)]
    fn greater_words(self, other: Self) -> Self {
        unsafe { from_words(vcgtq_s32(signed_words(self), signed_words(other))) }
    }

    #[inline(always)]
    fn words_to_numbers(self) -> Self {
        unsafe { Self(vcvtq_f32_s32(signed_words(self))) }
    }

    #[inline(always)]
    fn numbers_to_words(self) -> Self {
        unsafe { Self(vreinterpretq_f32_s32(vcvtq_s32_f32(self.0))) }
    }

    #[inline(always)]
    fn highest_bits(self) -> u32 {
        unsafe {
            let bits = vshlq_u32(vshrq_n_u32::<31>(words(self)), lane_numbers());
            vaddvq_u32(bits)
        }
    }

    #[inline(always)]
    fn transpose([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        unsafe {
            let pair = |x: Neon, y: Neon| {
                let (even, odd) = (vtrn1q_f32(x.0, y.0), vtrn2q_f32(x.0, y.0));
                (vreinterpretq_f64_f32(even), vreinterpretq_f64_f32(odd))
            };
            let ((even, odd), (even2, odd2)) = (pair(a, b), pair(c, d));
            [
                Self(vreinterpretq_f32_f64(vtrn1q_f64(even, even2))),
                Self(vreinterpretq_f32_f64(vtrn1q_f64(odd, odd2))),
                Self(vreinterpretq_f32_f64(vtrn2q_f64(even, even2))),
                Self(vreinterpretq_f32_f64(vtrn2q_f64(odd, odd2))),
            ]
        }
    }
}

#[inline(always)]
fn lane_numbers() -> int32x4_t {
    unsafe { vld1q_s32([0, 1, 2, 3].as_ptr()) }
}
