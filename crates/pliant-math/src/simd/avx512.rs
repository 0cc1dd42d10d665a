//! Packs in one register of AVX-512.
//!
//! SAFETY of every block in this file: the types are named in `Instructions::run` alone, behind the
//! check that the processor has the instructions, and reach no other code than what is compiled for
//! them there. What else a block needs is said where it stands.
#![allow(unsafe_code, clippy::undocumented_unsafe_blocks)]

use std::arch::x86_64::*;
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::instructions::run_avx512;
use super::number::{BIAS, DIGITS};
use super::places::{SHIFT, distance_of, end_of, real_to_distance};
use super::{HalfRow, Job, LANES, List, Mask, Near, Number, Pack, Places, Row};

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
    fn lanes(self) -> [f32; LANES] {
        self.to_row().0
    }

    #[inline(always)]
    fn from_lanes(lanes: [f32; LANES]) -> Self {
        Self::load(&Row(lanes))
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

    #[inline(always)]
    fn split(self) -> (Self, Self) {
        unsafe {
            let mantissa = _mm512_getmant_ps::<_MM_MANT_NORM_1_2, _MM_MANT_SIGN_SRC>(self.0);
            (Self(mantissa), Self(_mm512_getexp_ps(self.0)))
        }
    }

    #[inline(always)]
    fn power_of_two(self) -> Self {
        unsafe {
            let biased = _mm512_add_epi32(_mm512_cvtps_epi32(self.0), _mm512_set1_epi32(BIAS));
            Self(_mm512_castsi512_ps(_mm512_slli_epi32::<DIGITS>(biased)))
        }
    }
}

/// The records at places `q`, `q + 4`, `q + 8` and `q + 12` side by side.
#[inline(always)]
unsafe fn four_records(records: *const [f32; 4], places: &Places, q: usize) -> __m512 {
    // SAFETY: the caller says that every place may be read.
    unsafe {
        let record = |lane: usize| _mm_loadu_ps(records.byte_add(distance_of(places, lane)).cast());
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
    fn apart<J: Job>(job: J) -> J::Output {
        unsafe { run_avx512(job) }
    }

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
    fn load_half(row: &HalfRow) -> Self {
        // SAFETY: a row is sixteen halves, aligned.
        Self(unsafe { _mm512_cvtph_ps(_mm256_load_si256(row.0.as_ptr().cast())) })
    }

    #[inline(always)]
    fn store_half(self, row: &mut HalfRow) {
        // SAFETY: as above.
        unsafe {
            let halves = _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(self.0);
            _mm256_store_si256(row.0.as_mut_ptr().cast(), halves);
        }
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
    unsafe fn gather_eight(records: *const [f32; 8], places: &Places) -> [Self; 8] {
        // SAFETY: the caller says that every place may be read.
        let two = |lane: usize| unsafe {
            let record = |lane: usize| {
                _mm256_loadu_ps(records.byte_add(2 * distance_of(places, lane)).cast())
            };
            let first = _mm512_castps256_ps512(record(lane));
            _mm512_insertf32x8::<1>(first, record(lane + 4))
        };
        let low = transpose([two(0), two(1), two(2), two(3)]);
        let high = transpose([two(8), two(9), two(10), two(11)]);
        std::array::from_fn(|component| {
            let (low, high) = (low[component % 4], high[component % 4]);
            Self(unsafe {
                if component < 4 {
                    _mm512_shuffle_f32x4::<0b10_00_10_00>(low, high)
                } else {
                    _mm512_shuffle_f32x4::<0b11_01_11_01>(low, high)
                }
            })
        })
    }

    #[inline(always)]
    unsafe fn scatter(records: *mut [f32; 4], places: &Places, [x, y, z, w]: [Self; 4]) {
        let quarters = transpose([x.0, y.0, z.0, w.0]);
        for (first, quarter) in quarters.into_iter().enumerate() {
            // SAFETY: the caller says that every place may be written.
            unsafe {
                let record =
                    |lane: usize| records.byte_add(distance_of(places, lane)).cast::<f32>();
                _mm_storeu_ps(record(first), _mm512_castps512_ps128(quarter));
                _mm_storeu_ps(record(first + 4), _mm512_extractf32x4_ps::<1>(quarter));
                _mm_storeu_ps(record(first + 8), _mm512_extractf32x4_ps::<2>(quarter));
                _mm_storeu_ps(record(first + 12), _mm512_extractf32x4_ps::<3>(quarter));
            }
        }
    }

    #[inline(always)]
    fn to_places(self) -> Places {
        Places(self.to_row().0.map(real_to_distance))
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
        let Some(end) = end_of(count) else {
            return true;
        };
        // SAFETY: as above.
        let below = unsafe {
            let places = _mm512_load_si512(places.0.as_ptr().cast());
            _mm512_cmplt_epu32_mask(places, _mm512_set1_epi32(end as i32))
        };
        below == __mmask16::MAX
    }

    #[inline(always)]
    fn prefetch<T>(elements: &[T], at: usize, bytes: usize) {
        super::pack::prefetch(elements, at, bytes);
    }

    #[inline(always)]
    fn keep_near(near: Near<'_>, kept: &mut [u32], mut count: usize) -> usize {
        let center = near.checked_center(kept, count);
        // SAFETY: the check found sixteen points behind the first of each run, and room for all that
        // are there and sixteen more: at most as many numbers count as points were seen.
        unsafe {
            let center = center.map(|c| _mm512_set1_ps(c));
            let limit = _mm512_set1_ps(near.limit);
            let own = _mm512_set1_epi32(near.own as i32);
            let lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            for run in near.runs.list() {
                let difference = |axis: usize| {
                    let column = near.points[axis].as_ptr().add(run.first as usize);
                    _mm512_sub_ps(_mm512_loadu_ps(column), center[axis])
                };
                let (dx, dy, dz) = (difference(0), difference(1), difference(2));
                let squared = _mm512_add_ps(_mm512_mul_ps(dx, dx), _mm512_mul_ps(dy, dy));
                let squared = _mm512_add_ps(squared, _mm512_mul_ps(dz, dz));
                let numbers = _mm512_add_epi32(_mm512_set1_epi32(run.first as i32), lanes);
                let others = _mm512_mask_cmpneq_epi32_mask(run.there, numbers, own);
                let is_near = _mm512_mask_cmp_ps_mask::<_CMP_LT_OQ>(others, squared, limit);
                let packed = _mm512_maskz_compress_epi32(is_near, numbers);
                _mm512_storeu_si512(kept.as_mut_ptr().add(count).cast(), packed);
                count += is_near.count_ones() as usize;
            }
        }
        count
    }

    #[inline(always)]
    fn shift(
        points: &[[f32; 8]],
        [x, y, z]: [f32; 3],
        mut columns: [&mut [f32]; 3],
        copies: &mut [[f32; 8]],
    ) {
        let room = points.len() + LANES;
        let has_room = columns.iter().all(|column| column.len() >= room);
        assert!(has_room && copies.len() >= room, "no room for copies");
        // SAFETY: only points that are there are read; sixteen at most are written behind them.
        unsafe {
            let offset = _mm512_castps256_ps512(_mm256_setr_ps(x, y, z, 0.0, 0.0, 0.0, 0.0, 0.0));
            let offset = _mm512_shuffle_f32x4::<0b01_00_01_00>(offset, offset);
            for first in (0..points.len()).step_by(LANES) {
                let pair = |k: usize| {
                    let at = first + 2 * k;
                    let left = points.len().saturating_sub(at).min(2);
                    let there = (u32::from(u16::MAX) >> (LANES - 8 * left)) as __mmask16;
                    let point = points.as_ptr().wrapping_add(at).cast();
                    let point = _mm512_maskz_loadu_ps(there, point);
                    // Not the fourth: a place is not a number to add to.
                    let shifted = _mm512_mask_add_ps(point, 0b0111_0000_0111, point, offset);
                    _mm512_storeu_ps(copies.as_mut_ptr().add(at).cast(), shifted);
                    shifted
                };
                let pairs = std::array::from_fn(pair);
                let [xs, ys, zs] = by_axis(pairs);
                for (column, coordinates) in columns.iter_mut().zip([xs, ys, zs]) {
                    _mm512_storeu_ps(column.as_mut_ptr().add(first), coordinates);
                }
            }
        }
    }

    #[inline(always)]
    fn interleave(
        numbers: &[u32],
        lists: &[List; LANES],
        first: usize,
        rows: &mut [Places; LANES],
    ) {
        let part = |list: &List| {
            let end = list.start as usize + list.count as usize;
            assert!(end <= numbers.len(), "list outside the numbers");
            let left = (list.count as usize).saturating_sub(first).min(LANES) as u32;
            let there = (u32::from(u16::MAX) >> (LANES as u32 - left)) as __mmask16;
            // SAFETY: only lanes that are there are read, which the assertion found in the numbers.
            unsafe {
                let start = numbers.as_ptr().wrapping_add(list.start as usize + first);
                let filler = _mm512_set1_epi32(list.filler as i32);
                _mm512_mask_loadu_epi32(filler, there, start.cast())
            }
        };
        let parts = std::array::from_fn(|lane| part(&lists[lane]));
        for (row, numbers) in rows.iter_mut().zip(transpose_sixteen(parts)) {
            // SAFETY: places are sixteen aligned integers.
            unsafe {
                let distances = _mm512_slli_epi32::<{ SHIFT }>(numbers);
                _mm512_store_si512(row.0.as_mut_ptr().cast(), distances);
            }
        }
    }
}

/// The first three components of sixteen records, of which each register holds two.
#[inline(always)]
fn by_axis(pairs: [__m512; 8]) -> [__m512; 3] {
    unsafe {
        let numbers = _mm512_setr_epi32(0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 0, 0, 0, 0);
        let four = |k: usize| _mm512_permutex2var_ps(pairs[k], numbers, pairs[k + 1]);
        let (a, b, c, d) = (four(0), four(2), four(4), four(6));
        let low = _mm512_shuffle_f32x4::<0b01_00_01_00>(a, b);
        let low2 = _mm512_shuffle_f32x4::<0b01_00_01_00>(c, d);
        let high = _mm512_shuffle_f32x4::<0b10_10_10_10>(a, b);
        let high2 = _mm512_shuffle_f32x4::<0b10_10_10_10>(c, d);
        [
            _mm512_shuffle_f32x4::<0b10_00_10_00>(low, low2),
            _mm512_shuffle_f32x4::<0b11_01_11_01>(low, low2),
            _mm512_shuffle_f32x4::<0b10_00_10_00>(high, high2),
        ]
    }
}

/// Sixteen by sixteen transposition: in squares of four inside the quarters of the registers, then
/// of the quarters.
#[inline(always)]
fn transpose_sixteen(rows: [__m512i; LANES]) -> [__m512i; LANES] {
    unsafe {
        let mut columns = rows;
        for (four, part) in columns.as_chunks_mut().0.iter_mut().enumerate() {
            let row = |k: usize| _mm512_castsi512_ps(rows[4 * four + k]);
            *part = transpose([row(0), row(1), row(2), row(3)]).map(|x| _mm512_castps_si512(x));
        }
        let mut result = columns;
        for k in 0..4 {
            let (a, b, c, d) = (columns[k], columns[4 + k], columns[8 + k], columns[12 + k]);
            let (low, high) = (
                _mm512_shuffle_i32x4::<0b01_00_01_00>(a, b),
                _mm512_shuffle_i32x4::<0b11_10_11_10>(a, b),
            );
            let (low2, high2) = (
                _mm512_shuffle_i32x4::<0b01_00_01_00>(c, d),
                _mm512_shuffle_i32x4::<0b11_10_11_10>(c, d),
            );
            result[k] = _mm512_shuffle_i32x4::<0b10_00_10_00>(low, low2);
            result[4 + k] = _mm512_shuffle_i32x4::<0b11_01_11_01>(low, low2);
            result[8 + k] = _mm512_shuffle_i32x4::<0b10_00_10_00>(high, high2);
            result[12 + k] = _mm512_shuffle_i32x4::<0b11_01_11_01>(high, high2);
        }
        result
    }
}
