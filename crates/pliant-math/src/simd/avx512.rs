//! Packs in one register of AVX-512.
//!
//! SAFETY of every block in this file: the types are named in `Instructions::run` alone, behind the
//! check that the processor has the instructions, and reach no other code than what is compiled for
//! them there. What else a block needs is said where it stands.
#![allow(unsafe_code, clippy::undocumented_unsafe_blocks)]

use std::arch::x86_64::*;
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::pack::place;
use super::{LANES, Mask, Near, Number, Pack, Places, Row};

/// Sixteen numbers in a register.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(__m512);

/// A bit a lane.
#[derive(Clone, Copy, Debug)]
pub struct Avx512Mask(__mmask16);

impl Mask for Avx512Mask {
    #[inline(always)]
    fn bits(self) -> u32 {
        u32::from(self.0)
    }

    #[inline(always)]
    fn from_bits(bits: u32) -> Self {
        Self(bits as __mmask16)
    }
}

impl BitAnd for Avx512Mask {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Avx512Mask {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Not for Avx512Mask {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $intrinsic:ident) => {
        impl $trait for Avx512 {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    };
}

operator!(Add, add, _mm512_add_ps);
operator!(Sub, sub, _mm512_sub_ps);
operator!(Mul, mul, _mm512_mul_ps);
operator!(Div, div, _mm512_div_ps);

impl Neg for Avx512 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(unsafe { _mm512_xor_ps(self.0, _mm512_set1_ps(-0.0)) })
    }
}

impl AddAssign for Avx512 {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Avx512 {
    #[inline(always)]
    fn to_row(self) -> Row {
        let mut row = Row::ZERO;
        self.store(&mut row);
        row
    }
}

impl Number for Avx512 {
    type Mask = Avx512Mask;
    const COUNT: usize = LANES;
    // SAFETY: a register is sixteen numbers.
    const ZERO: Self = Self(unsafe { std::mem::transmute::<[f32; LANES], __m512>([0.0; LANES]) });

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(unsafe { _mm512_set1_ps(value) })
    }

    #[inline(always)]
    fn lane(self, lane: usize) -> f32 {
        self.to_row().0[lane]
    }

    #[inline(always)]
    fn with_lane(self, lane: usize, value: f32) -> Self {
        let mut row = self.to_row();
        row.0[lane] = value;
        Self::load(&row)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(unsafe { _mm512_sqrt_ps(self.0) })
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(unsafe { _mm512_abs_ps(self.0) })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(unsafe { _mm512_min_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(unsafe { _mm512_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn less(self, other: Self) -> Avx512Mask {
        Avx512Mask(unsafe { _mm512_cmp_ps_mask::<_CMP_LT_OQ>(self.0, other.0) })
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> Avx512Mask {
        Avx512Mask(unsafe { _mm512_cmp_ps_mask::<_CMP_LE_OQ>(self.0, other.0) })
    }

    #[inline(always)]
    fn or_where_not(self, mask: Avx512Mask, other: Self) -> Self {
        Self(unsafe { _mm512_mask_blend_ps(mask.0, other.0, self.0) })
    }
}

/// The records at places `q`, `q + 4`, `q + 8` and `q + 12` side by side.
#[inline(always)]
unsafe fn four_records(records: *const [f32; 4], places: &Places, q: usize) -> __m512 {
    // SAFETY: the caller says that every place may be read.
    unsafe {
        let record = |lane: usize| _mm_loadu_ps(records.add(place(places, lane)).cast());
        let first = _mm512_castps128_ps512(record(q));
        let second = _mm512_insertf32x4::<1>(first, record(q + 4));
        let third = _mm512_insertf32x4::<2>(second, record(q + 8));
        _mm512_insertf32x4::<3>(third, record(q + 12))
    }
}

/// Four by four transposition in each quarter of the registers.
#[inline(always)]
fn transpose([a, b, c, d]: [__m512; 4]) -> [__m512; 4] {
    unsafe {
        let (low, high) = (_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
        let (low2, high2) = (_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d));
        let pair = |x: __m512, y: __m512| {
            let (x, y) = (_mm512_castps_pd(x), _mm512_castps_pd(y));
            [
                _mm512_castpd_ps(_mm512_unpacklo_pd(x, y)),
                _mm512_castpd_ps(_mm512_unpackhi_pd(x, y)),
            ]
        };
        let ([x, y], [z, w]) = (pair(low, low2), pair(high, high2));
        [x, y, z, w]
    }
}

impl Pack for Avx512 {
    #[inline(always)]
    fn load(row: &Row) -> Self {
        // SAFETY: a row is sixteen numbers, aligned.
        Self(unsafe { _mm512_load_ps(row.0.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        // SAFETY: as above.
        unsafe { _mm512_store_ps(row.0.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    unsafe fn gather(records: *const [f32; 4], places: &Places) -> [Self; 4] {
        // SAFETY: the caller says that every place may be read.
        let quarters = unsafe {
            [
                four_records(records, places, 0),
                four_records(records, places, 1),
                four_records(records, places, 2),
                four_records(records, places, 3),
            ]
        };
        transpose(quarters).map(Self)
    }

    #[inline(always)]
    unsafe fn scatter(records: *mut [f32; 4], places: &Places, [x, y, z, w]: [Self; 4]) {
        let quarters = transpose([x.0, y.0, z.0, w.0]);
        for (first, quarter) in quarters.into_iter().enumerate() {
            // SAFETY: the caller says that every place may be written.
            unsafe {
                let record = |lane: usize| records.add(place(places, lane)).cast::<f32>();
                _mm_storeu_ps(record(first), _mm512_castps512_ps128(quarter));
                _mm_storeu_ps(record(first + 4), _mm512_extractf32x4_ps::<1>(quarter));
                _mm_storeu_ps(record(first + 8), _mm512_extractf32x4_ps::<2>(quarter));
                _mm_storeu_ps(record(first + 12), _mm512_extractf32x4_ps::<3>(quarter));
            }
        }
    }

    #[inline(always)]
    fn to_places(self) -> Places {
        Places(self.to_row().0.map(f32::to_bits))
    }

    #[inline(always)]
    fn is_beyond(places: &Places, others: &Places) -> Avx512Mask {
        // SAFETY: places are sixteen aligned integers.
        Avx512Mask(unsafe {
            let (a, b) = (places.0.as_ptr().cast(), others.0.as_ptr().cast());
            _mm512_cmpgt_epu32_mask(_mm512_load_si512(a), _mm512_load_si512(b))
        })
    }

    #[inline(always)]
    fn are_below(places: &Places, count: usize) -> bool {
        let Ok(count) = u32::try_from(count) else {
            return true;
        };
        // SAFETY: as above.
        let below = unsafe {
            let places = _mm512_load_si512(places.0.as_ptr().cast());
            _mm512_cmplt_epu32_mask(places, _mm512_set1_epi32(count as i32))
        };
        below == __mmask16::MAX
    }

    #[inline(always)]
    fn prefetch<T>(elements: &[T], at: usize) {
        super::pack::prefetch(elements, at);
    }

    #[inline(always)]
    fn keep_near(near: Near<'_>, kept: &mut [u32], mut count: usize) -> usize {
        let [x, y, z] = near.points;
        assert!(
            x.len() == y.len() && x.len() == z.len(),
            "columns of unequal length"
        );
        assert!(
            count + x.len() + LANES <= kept.len(),
            "no room for what is near"
        );
        // SAFETY: only lanes that are there are read; at most as many numbers are written as points
        // were seen, and fifteen more, for which the assertion found room.
        unsafe {
            let center = near.center.map(|c| _mm512_set1_ps(c));
            let limit = _mm512_set1_ps(near.limit);
            let mut numbers = _mm512_add_epi32(
                _mm512_set1_epi32(near.first as i32),
                _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
            );
            for start in (0..x.len()).step_by(LANES) {
                let left = x.len() - start;
                let there = (0xffff_u32 >> (LANES - left.min(LANES))) as __mmask16;
                let dx = _mm512_sub_ps(load_some(x, start, there), center[0]);
                let dy = _mm512_sub_ps(load_some(y, start, there), center[1]);
                let dz = _mm512_sub_ps(load_some(z, start, there), center[2]);
                let squared = _mm512_add_ps(_mm512_mul_ps(dx, dx), _mm512_mul_ps(dy, dy));
                let squared = _mm512_add_ps(squared, _mm512_mul_ps(dz, dz));
                let is_near = _mm512_mask_cmp_ps_mask::<_CMP_LT_OQ>(there, squared, limit);
                let packed = _mm512_maskz_compress_epi32(is_near, numbers);
                _mm512_storeu_si512(kept.as_mut_ptr().add(count).cast(), packed);
                count += is_near.count_ones() as usize;
                numbers = _mm512_add_epi32(numbers, _mm512_set1_epi32(LANES as i32));
            }
        }
        count
    }
}

/// The numbers of a column from a place on, where the mask says that they are there.
#[inline(always)]
unsafe fn load_some(column: &[f32], start: usize, there: __mmask16) -> __m512 {
    // SAFETY: the caller says which are there; the others are not read.
    unsafe { _mm512_maskz_loadu_ps(there, column.as_ptr().add(start)) }
}
