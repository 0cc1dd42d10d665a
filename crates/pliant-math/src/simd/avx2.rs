//! Packs in two registers of AVX2.
//!
//! SAFETY of every block in this file: as in `avx512`.
#![allow(unsafe_code, clippy::undocumented_unsafe_blocks)]

use std::arch::x86_64::*;
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::pack::place;
use super::{HalfRow, LANES, Mask, Near, Number, Pack, Places, Row};

/// Numbers a register.
const HALF: usize = LANES / 2;

/// Sixteen numbers in two registers.
#[derive(Clone, Copy, Debug)]
pub struct Avx2([__m256; 2]);

/// All bits of a lane, set or not.
#[derive(Clone, Copy, Debug)]
pub struct Avx2Mask([__m256; 2]);

impl Mask for Avx2Mask {
    #[inline(always)]
    fn bits(self) -> u32 {
        let [low, high] = self.0;
        let bits = |half| unsafe { _mm256_movemask_ps(half) as u32 };
        bits(low) | bits(high) << HALF
    }

    #[inline(always)]
    fn from_bits(bits: u32) -> Self {
        Self([eight_from_bits(bits), eight_from_bits(bits >> HALF)])
    }
}

/// Lanes whose bits are set, from the lowest eight bits.
#[inline(always)]
pub fn eight_from_bits(bits: u32) -> __m256 {
    unsafe {
        let lanes = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
        let set = _mm256_and_si256(_mm256_set1_epi32(bits as i32), lanes);
        _mm256_castsi256_ps(_mm256_cmpeq_epi32(set, lanes))
    }
}

impl BitAnd for Avx2Mask {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(both(self.0, other.0, |a, b| unsafe { _mm256_and_ps(a, b) }))
    }
}

impl BitOr for Avx2Mask {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(both(self.0, other.0, |a, b| unsafe { _mm256_or_ps(a, b) }))
    }
}

impl Not for Avx2Mask {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        let all = unsafe { _mm256_castsi256_ps(_mm256_set1_epi32(-1)) };
        Self(each(self.0, |half| unsafe { _mm256_xor_ps(half, all) }))
    }
}

#[inline(always)]
fn each([a, b]: [__m256; 2], operation: impl Fn(__m256) -> __m256) -> [__m256; 2] {
    [operation(a), operation(b)]
}

#[inline(always)]
fn both(
    [a, b]: [__m256; 2],
    [c, d]: [__m256; 2],
    operation: impl Fn(__m256, __m256) -> __m256,
) -> [__m256; 2] {
    [operation(a, c), operation(b, d)]
}

macro_rules! operator {
    ($trait:ident, $method:ident, $intrinsic:ident) => {
        impl $trait for Avx2 {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(both(self.0, other.0, |a, b| unsafe { $intrinsic(a, b) }))
            }
        }
    };
}

operator!(Add, add, _mm256_add_ps);
operator!(Sub, sub, _mm256_sub_ps);
operator!(Mul, mul, _mm256_mul_ps);
operator!(Div, div, _mm256_div_ps);

impl Neg for Avx2 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(each(self.0, |half| unsafe {
            _mm256_xor_ps(half, _mm256_set1_ps(-0.0))
        }))
    }
}

impl AddAssign for Avx2 {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Avx2 {
    #[inline(always)]
    fn to_row(self) -> Row {
        let mut row = Row::ZERO;
        self.store(&mut row);
        row
    }
}

impl Number for Avx2 {
    type Mask = Avx2Mask;
    const COUNT: usize = LANES;
    // SAFETY: two registers are sixteen numbers.
    const ZERO: Self =
        Self(unsafe { std::mem::transmute::<[f32; LANES], [__m256; 2]>([0.0; LANES]) });

    #[inline(always)]
    fn splat(value: f32) -> Self {
        let half = unsafe { _mm256_set1_ps(value) };
        Self([half, half])
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
        Self(each(self.0, |half| unsafe { _mm256_sqrt_ps(half) }))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(each(self.0, |half| unsafe {
            _mm256_andnot_ps(_mm256_set1_ps(-0.0), half)
        }))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(both(self.0, other.0, |a, b| unsafe { _mm256_min_ps(a, b) }))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(both(self.0, other.0, |a, b| unsafe { _mm256_max_ps(a, b) }))
    }

    #[inline(always)]
    fn less(self, other: Self) -> Avx2Mask {
        Avx2Mask(both(self.0, other.0, |a, b| unsafe {
            _mm256_cmp_ps::<_CMP_LT_OQ>(a, b)
        }))
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> Avx2Mask {
        Avx2Mask(both(self.0, other.0, |a, b| unsafe {
            _mm256_cmp_ps::<_CMP_LE_OQ>(a, b)
        }))
    }

    #[inline(always)]
    fn or_where_not(self, mask: Avx2Mask, other: Self) -> Self {
        let blend = |k: usize| unsafe { _mm256_blendv_ps(other.0[k], self.0[k], mask.0[k]) };
        Self([blend(0), blend(1)])
    }
}

/// Eight numbers in half precision.
///
/// # Safety
/// They may be read.
#[inline(always)]
pub unsafe fn eight_from_half(halves: *const u16) -> __m256 {
    unsafe { _mm256_cvtph_ps(_mm_loadu_si128(halves.cast())) }
}

/// Writes eight numbers in half precision.
///
/// # Safety
/// They may be written.
#[inline(always)]
pub unsafe fn eight_to_half(halves: *mut u16, numbers: __m256) {
    unsafe {
        let rounded = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(numbers);
        _mm_storeu_si128(halves.cast(), rounded);
    }
}

/// Four by four transposition in each half of the registers.
#[inline(always)]
fn transpose([a, b, c, d]: [__m256; 4]) -> [__m256; 4] {
    unsafe {
        let (low, high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
        let (low2, high2) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
        let pair = |x: __m256, y: __m256| {
            let (x, y) = (_mm256_castps_pd(x), _mm256_castps_pd(y));
            [
                _mm256_castpd_ps(_mm256_unpacklo_pd(x, y)),
                _mm256_castpd_ps(_mm256_unpackhi_pd(x, y)),
            ]
        };
        let ([x, y], [z, w]) = (pair(low, low2), pair(high, high2));
        [x, y, z, w]
    }
}

/// The records at eight places from lane `first` on, by component.
///
/// # Safety
/// As for [`Pack::gather`].
#[inline(always)]
pub unsafe fn gather_half(records: *const [f32; 4], places: &Places, first: usize) -> [__m256; 4] {
    // SAFETY: the caller says that every place may be read.
    let pair = |lane: usize| unsafe {
        let record = |lane: usize| _mm_loadu_ps(records.add(place(places, lane)).cast());
        _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(record(lane)), record(lane + 4))
    };
    transpose([
        pair(first),
        pair(first + 1),
        pair(first + 2),
        pair(first + 3),
    ])
}

/// The records of eight components at eight places from lane `first` on, by component.
///
/// # Safety
/// As for [`Pack::gather_eight`].
#[inline(always)]
pub unsafe fn gather_eight_half(
    records: *const [f32; 8],
    places: &Places,
    first: usize,
) -> [__m256; 8] {
    // SAFETY: the caller says that every place may be read.
    let record =
        |k: usize| unsafe { _mm256_loadu_ps(records.add(place(places, first + k)).cast()) };
    let low = transpose([record(0), record(1), record(2), record(3)]);
    let high = transpose([record(4), record(5), record(6), record(7)]);
    std::array::from_fn(|component| {
        let (low, high) = (low[component % 4], high[component % 4]);
        unsafe {
            if component < 4 {
                _mm256_permute2f128_ps::<0x20>(low, high)
            } else {
                _mm256_permute2f128_ps::<0x31>(low, high)
            }
        }
    })
}

/// Writes the records at eight places from lane `first` on.
///
/// # Safety
/// As for [`Pack::scatter`].
#[inline(always)]
pub unsafe fn scatter_half(
    records: *mut [f32; 4],
    places: &Places,
    first: usize,
    values: [__m256; 4],
) {
    for (k, pair) in transpose(values).into_iter().enumerate() {
        let lane = first + k;
        // SAFETY: the caller says that every place may be written.
        unsafe {
            let record = |lane: usize| records.add(place(places, lane)).cast::<f32>();
            _mm_storeu_ps(record(lane), _mm256_castps256_ps128(pair));
            _mm_storeu_ps(record(lane + 4), _mm256_extractf128_ps::<1>(pair));
        }
    }
}

/// Of each set of eight lanes, the numbers of those in the set, in order, then zeros.
const SELECTED: [[u32; HALF]; 1 << HALF] = {
    let mut table = [[0; HALF]; 1 << HALF];
    let mut set = 0;
    while set < table.len() {
        let (mut lane, mut count) = (0, 0);
        while lane < HALF {
            if set >> lane & 1 == 1 {
                table[set][count] = lane as u32;
                count += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    table
};

impl Pack for Avx2 {
    #[inline(always)]
    fn load(row: &Row) -> Self {
        // SAFETY: a row is sixteen numbers, aligned.
        Self(unsafe {
            [
                _mm256_load_ps(row.0.as_ptr()),
                _mm256_load_ps(row.0.as_ptr().add(HALF)),
            ]
        })
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        // SAFETY: as above.
        unsafe {
            _mm256_store_ps(row.0.as_mut_ptr(), self.0[0]);
            _mm256_store_ps(row.0.as_mut_ptr().add(HALF), self.0[1]);
        }
    }

    #[inline(always)]
    fn load_half(row: &HalfRow) -> Self {
        // SAFETY: a row is sixteen halves.
        Self(unsafe {
            [
                eight_from_half(row.0.as_ptr()),
                eight_from_half(row.0.as_ptr().add(HALF)),
            ]
        })
    }

    #[inline(always)]
    fn store_half(self, row: &mut HalfRow) {
        let (first, second) = row.0.split_at_mut(HALF);
        // SAFETY: each part has room for eight halves.
        unsafe {
            eight_to_half(first.as_mut_ptr(), self.0[0]);
            eight_to_half(second.as_mut_ptr(), self.0[1]);
        }
    }

    #[inline(always)]
    unsafe fn gather(records: *const [f32; 4], places: &Places) -> [Self; 4] {
        // SAFETY: the caller says that every place may be read.
        let (low, high) = unsafe {
            (
                gather_half(records, places, 0),
                gather_half(records, places, HALF),
            )
        };
        let component = |k: usize| Self([low[k], high[k]]);
        [component(0), component(1), component(2), component(3)]
    }

    #[inline(always)]
    unsafe fn gather_eight(records: *const [f32; 8], places: &Places) -> [Self; 8] {
        // SAFETY: the caller says that every place may be read.
        let (low, high) = unsafe {
            (
                gather_eight_half(records, places, 0),
                gather_eight_half(records, places, HALF),
            )
        };
        std::array::from_fn(|component| Self([low[component], high[component]]))
    }

    #[inline(always)]
    unsafe fn scatter(records: *mut [f32; 4], places: &Places, values: [Self; 4]) {
        for half in 0..2 {
            let values = [0, 1, 2, 3].map(|component: usize| values[component].0[half]);
            // SAFETY: the caller says that every place may be written.
            unsafe { scatter_half(records, places, half * HALF, values) };
        }
    }

    #[inline(always)]
    fn to_places(self) -> Places {
        Places(self.to_row().0.map(f32::to_bits))
    }

    #[inline(always)]
    fn is_beyond(places: &Places, others: &Places) -> Avx2Mask {
        let mut bits = 0;
        for lane in 0..LANES {
            bits |= u32::from(places.0[lane] > others.0[lane]) << lane;
        }
        Avx2Mask::from_bits(bits)
    }

    #[inline(always)]
    fn are_below(places: &Places, count: usize) -> bool {
        let mut greatest = 0;
        for lane in 0..LANES {
            greatest = greatest.max(places.0[lane]);
        }
        (greatest as usize) < count
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
            let center = center.map(|c| _mm256_set1_ps(c));
            let limit = _mm256_set1_ps(near.limit);
            for run in near.runs.list() {
                for half in [0, HALF] {
                    let first = run.first as usize + half;
                    let squared = |axis: usize| {
                        let column = _mm256_loadu_ps(near.points[axis].as_ptr().add(first));
                        let difference = _mm256_sub_ps(column, center[axis]);
                        _mm256_mul_ps(difference, difference)
                    };
                    let sum = _mm256_add_ps(squared(0), squared(1));
                    let sum = _mm256_add_ps(sum, squared(2));
                    let is_near = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(sum, limit));
                    let own = 1_u32.checked_shl(near.own.wrapping_sub(first as u32));
                    let others = (u32::from(run.there) >> half) & !own.unwrap_or(0);
                    let set = is_near as u32 & others & 0xff;
                    let selected = _mm256_loadu_si256(SELECTED[set as usize].as_ptr().cast());
                    let packed = _mm256_add_epi32(selected, _mm256_set1_epi32(first as i32));
                    _mm256_storeu_si256(kept.as_mut_ptr().add(count).cast(), packed);
                    count += set.count_ones() as usize;
                }
            }
        }
        count
    }
}
