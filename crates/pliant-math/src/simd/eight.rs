//! Registers of eight numbers of AVX2: what the packs of them share.
//!
//! SAFETY of every block in this file: as in `avx512`. What else a block needs is said where it stands.
#![allow(unsafe_code, clippy::undocumented_unsafe_blocks)]

use std::arch::x86_64::*;

use super::number::{BIAS, DIGITS};
use super::places::{SHIFT, distance_of};
use super::{HalfRow, LANES, List, Near, Places, Row};

/// Numbers a register.
pub const HALF: usize = LANES / 2;

/// Lanes whose bits are set, from the lowest eight bits.
#[inline(always)]
pub fn eight_from_bits(bits: u32) -> __m256 {
    unsafe {
        let lanes = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
        let set = _mm256_and_si256(_mm256_set1_epi32(bits as i32), lanes);
        _mm256_castsi256_ps(_mm256_cmpeq_epi32(set, lanes))
    }
}

/// The two halves of a row.
#[inline(always)]
pub fn load_row(row: &Row) -> (__m256, __m256) {
    // SAFETY: a row is sixteen numbers, aligned.
    unsafe {
        let start = row.0.as_ptr();
        (_mm256_load_ps(start), _mm256_load_ps(start.add(HALF)))
    }
}

/// Writes the two halves of a row.
#[inline(always)]
pub fn store_row(row: &mut Row, (first, second): (__m256, __m256)) {
    // SAFETY: as above.
    unsafe {
        let start = row.0.as_mut_ptr();
        _mm256_store_ps(start, first);
        _mm256_store_ps(start.add(HALF), second);
    }
}

/// The two halves of a row in half precision.
#[inline(always)]
pub fn load_half_row(row: &HalfRow) -> (__m256, __m256) {
    let start = row.0.as_ptr();
    // SAFETY: a row is sixteen halves.
    unsafe { (eight_from_half(start), eight_from_half(start.add(HALF))) }
}

/// Writes the two halves of a row in half precision.
#[inline(always)]
pub fn store_half_row(row: &mut HalfRow, (first, second): (__m256, __m256)) {
    let start = row.0.as_mut_ptr();
    // SAFETY: as above.
    unsafe {
        eight_to_half(start, first);
        eight_to_half(start.add(HALF), second);
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
/// As for [`Pack::gather`](super::Pack::gather).
#[inline(always)]
pub unsafe fn gather_half(records: *const [f32; 4], places: &Places, first: usize) -> [__m256; 4] {
    // SAFETY: the caller says that every place may be read.
    let pair = |lane: usize| unsafe {
        let record = |lane: usize| _mm_loadu_ps(records.byte_add(distance_of(places, lane)).cast());
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
/// As for [`Pack::gather_eight`](super::Pack::gather_eight).
#[inline(always)]
pub unsafe fn gather_eight_half(
    records: *const [f32; 8],
    places: &Places,
    first: usize,
) -> [__m256; 8] {
    // SAFETY: the caller says that every place may be read.
    let record = |k: usize| unsafe {
        _mm256_loadu_ps(records.byte_add(2 * distance_of(places, first + k)).cast())
    };
    transpose_eight([
        record(0),
        record(1),
        record(2),
        record(3),
        record(4),
        record(5),
        record(6),
        record(7),
    ])
}

/// Eight by eight transposition.
#[inline(always)]
fn transpose_eight([a, b, c, d, e, f, g, h]: [__m256; 8]) -> [__m256; 8] {
    let low = transpose([a, b, c, d]);
    let high = transpose([e, f, g, h]);
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
/// As for [`Pack::scatter`](super::Pack::scatter).
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
            let record = |lane: usize| records.byte_add(distance_of(places, lane)).cast::<f32>();
            _mm_storeu_ps(record(lane), _mm256_castps256_ps128(pair));
            _mm_storeu_ps(record(lane + 4), _mm256_extractf128_ps::<1>(pair));
        }
    }
}

/// [`Number::split`](super::Number::split).
#[inline(always)]
pub fn split(numbers: __m256) -> (__m256, __m256) {
    unsafe {
        let digits = _mm256_castsi256_ps(_mm256_set1_epi32((1 << DIGITS) - 1));
        let mantissa = _mm256_or_ps(_mm256_and_ps(numbers, digits), _mm256_set1_ps(1.0));
        let biased = _mm256_srli_epi32::<{ DIGITS as i32 }>(_mm256_castps_si256(numbers));
        let exponent = _mm256_sub_epi32(biased, _mm256_set1_epi32(BIAS));
        (mantissa, _mm256_cvtepi32_ps(exponent))
    }
}

/// [`Number::power_of_two`](super::Number::power_of_two).
#[inline(always)]
pub fn power_of_two(powers: __m256) -> __m256 {
    unsafe {
        let biased = _mm256_add_epi32(_mm256_cvtps_epi32(powers), _mm256_set1_epi32(BIAS));
        _mm256_castsi256_ps(_mm256_slli_epi32::<{ DIGITS as i32 }>(biased))
    }
}

/// [`Pack::shift`](super::Pack::shift).
#[inline(always)]
pub fn shift(
    points: &[[f32; 8]],
    [x, y, z]: [f32; 3],
    mut columns: [&mut [f32]; 3],
    copies: &mut [[f32; 8]],
) {
    let room = points.len() + LANES;
    let has_room = columns.iter().all(|column| column.len() >= room);
    assert!(has_room && copies.len() >= room, "no room for copies");
    let last = points.len().saturating_sub(1);
    let copies = copies.as_mut_ptr();
    // SAFETY: only points that are there are read, the last one again and again where there are no
    // more; seven at most are written behind them.
    unsafe {
        let offset = _mm256_setr_ps(x, y, z, 0.0, 0.0, 0.0, 0.0, 0.0);
        for first in (0..points.len()).step_by(HALF) {
            let shifted = |k: usize| {
                let at = first + k;
                let point = _mm256_loadu_ps(points.as_ptr().add(at.min(last)).cast());
                // Not the fourth: a place is not a number to add to.
                let shifted = _mm256_blend_ps::<0b111>(point, _mm256_add_ps(point, offset));
                _mm256_storeu_ps(copies.add(at).cast(), shifted);
                shifted
            };
            let pair = |k: usize| {
                let (low, high) = (shifted(k), shifted(k + 4));
                _mm256_insertf128_ps::<1>(low, _mm256_castps256_ps128(high))
            };
            let axes = transpose([pair(0), pair(1), pair(2), pair(3)]);
            for (column, coordinates) in columns.iter_mut().zip(axes) {
                _mm256_storeu_ps(column.as_mut_ptr().add(first), coordinates);
            }
        }
    }
}

/// [`Pack::interleave`](super::Pack::interleave) of the eight lists from lane `lane` on.
#[inline(always)]
pub fn interleave(
    numbers: &[u32],
    lists: &[List; LANES],
    first: usize,
    rows: &mut [Places; LANES],
    lane: usize,
) {
    for (part, rows) in rows.as_chunks_mut::<HALF>().0.iter_mut().enumerate() {
        let first = first + HALF * part;
        let eight = |k: usize| {
            let list = &lists[lane + k];
            let end = list.start as usize + list.count as usize;
            assert!(end <= numbers.len(), "list outside the numbers");
            let left = (list.count as usize).saturating_sub(first).min(HALF) as i32;
            // SAFETY: only lanes that are there are read, which the assertion found in the numbers.
            unsafe {
                let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
                let there = _mm256_cmpgt_epi32(_mm256_set1_epi32(left), lanes);
                let start = numbers.as_ptr().wrapping_add(list.start as usize + first);
                let read = _mm256_maskload_epi32(start.cast(), there);
                let filler = _mm256_set1_epi32(list.filler as i32);
                _mm256_castsi256_ps(_mm256_blendv_epi8(filler, read, there))
            }
        };
        let eights = [
            eight(0),
            eight(1),
            eight(2),
            eight(3),
            eight(4),
            eight(5),
            eight(6),
            eight(7),
        ];
        for (row, places) in rows.iter_mut().zip(transpose_eight(eights)) {
            // SAFETY: eight places from this lane on.
            unsafe {
                let distances = _mm256_slli_epi32::<{ SHIFT as i32 }>(_mm256_castps_si256(places));
                _mm256_storeu_si256(row.0.as_mut_ptr().add(lane).cast(), distances);
            }
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

/// [`Pack::keep_near`](super::Pack::keep_near).
#[inline(always)]
pub fn keep_near(near: Near<'_>, kept: &mut [u32], mut count: usize) -> usize {
    let center = near.checked_center(kept, count);
    // SAFETY: the check found sixteen points behind the first of each run, and room for all that
    // are there and sixteen more: at most as many numbers count as points were seen.
    unsafe {
        let center = center.map(|c| _mm256_set1_ps(c));
        let limit = _mm256_set1_ps(near.limit);
        for run in near.runs.list() {
            for half in [0, HALF] {
                let there = u32::from(run.there) >> half;
                // Runs are the same for all points of a cell: what is skipped is foreseen.
                if there == 0 {
                    break;
                }
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
                let others = there & !own.unwrap_or(0);
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
