//! Packs of double precision in four registers of AVX2.
//!
//! SAFETY of every block in this file: as in `avx512`. What else a block needs is said where it stands.
#![allow(unsafe_code, clippy::undocumented_unsafe_blocks)]

use std::arch::x86_64::*;
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::instructions::run_with_avx2;
use super::number::{BIAS, DIGITS};
use super::places::{distance_of, end_of, real_to_distance};
use super::portable::keep_near_one_by_one;
use super::{HalfRow, Job, LANES, Mask, Near, Number, Pack, Places, Row};

/// 2^DIGITS: its last digit counts one.
const UNIT_DIGIT: f64 = (1_u64 << DIGITS) as f64;

/// Numbers a register.
const QUARTER: usize = LANES / 4;

/// Sixteen numbers, four a register.
#[derive(Clone, Copy, Debug)]
pub struct Wide([__m256d; 4]);

/// All bits of a lane, set or not.
#[derive(Clone, Copy, Debug)]
pub struct WideMask([__m256d; 4]);

/// A value for each register. Not a closure: those are compiled without vector instructions.
macro_rules! each {
    ($register:ident => $value:expr) => {
        [
            {
                let $register: usize = 0;
                $value
            },
            {
                let $register: usize = 1;
                $value
            },
            {
                let $register: usize = 2;
                $value
            },
            {
                let $register: usize = 3;
                $value
            },
        ]
    };
}

/// Something done to each pair of registers of `self` and `other`.
macro_rules! operator {
    ($type:ident, $trait:ident, $method:ident, $intrinsic:ident) => {
        impl $trait for $type {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(each!(r => unsafe { $intrinsic(self.0[r], other.0[r]) }))
            }
        }
    };
}

operator!(Wide, Add, add, _mm256_add_pd);
operator!(Wide, Sub, sub, _mm256_sub_pd);
operator!(Wide, Mul, mul, _mm256_mul_pd);
operator!(Wide, Div, div, _mm256_div_pd);
operator!(WideMask, BitAnd, bitand, _mm256_and_pd);
operator!(WideMask, BitOr, bitor, _mm256_or_pd);

impl Not for WideMask {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        let all = unsafe { _mm256_castsi256_pd(_mm256_set1_epi64x(-1)) };
        Self(each!(r => unsafe { _mm256_xor_pd(self.0[r], all) }))
    }
}

impl Mask for WideMask {
    #[inline(always)]
    fn bits(self) -> u32 {
        let four = each!(r => unsafe { _mm256_movemask_pd(self.0[r]) as u32 });
        four[0] | four[1] << 4 | four[2] << 8 | four[3] << 12
    }

    #[inline(always)]
    fn from_bits(bits: u32) -> Self {
        let bits = i64::from(bits);
        Self(each!(r => unsafe {
            let lanes = _mm256_setr_epi64x(1, 2, 4, 8);
            let set = _mm256_and_si256(_mm256_set1_epi64x(bits >> (4 * r)), lanes);
            _mm256_castsi256_pd(_mm256_cmpeq_epi64(set, lanes))
        }))
    }
}

impl Neg for Wide {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(each!(r => unsafe { _mm256_xor_pd(self.0[r], _mm256_set1_pd(-0.0)) }))
    }
}

impl AddAssign for Wide {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Number for Wide {
    type Mask = WideMask;
    const COUNT: usize = LANES;
    // SAFETY: four registers are sixteen numbers.
    const ZERO: Self =
        Self(unsafe { std::mem::transmute::<[f64; LANES], [__m256d; 4]>([0.0; LANES]) });

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([unsafe { _mm256_set1_pd(value) }; 4])
    }

    #[inline(always)]
    fn lanes(self) -> [f64; LANES] {
        let mut row = Row::ZERO;
        self.store(&mut row);
        row.0
    }

    #[inline(always)]
    fn from_lanes(lanes: [f64; LANES]) -> Self {
        Self::load(&Row(lanes))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(each!(r => unsafe { _mm256_sqrt_pd(self.0[r]) }))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(each!(r => unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0[r]) }))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(each!(r => unsafe { _mm256_min_pd(self.0[r], other.0[r]) }))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(each!(r => unsafe { _mm256_max_pd(self.0[r], other.0[r]) }))
    }

    #[inline(always)]
    fn less(self, other: Self) -> WideMask {
        WideMask(each!(r => unsafe { _mm256_cmp_pd::<_CMP_LT_OQ>(self.0[r], other.0[r]) }))
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> WideMask {
        WideMask(each!(r => unsafe { _mm256_cmp_pd::<_CMP_LE_OQ>(self.0[r], other.0[r]) }))
    }

    #[inline(always)]
    fn or_where_not(self, mask: WideMask, other: Self) -> Self {
        Self(each!(r => unsafe { _mm256_blendv_pd(other.0[r], self.0[r], mask.0[r]) }))
    }

    #[inline(always)]
    fn split(self) -> (Self, Self) {
        let mantissas = each!(r => unsafe {
            let digits = _mm256_set1_epi64x((1 << DIGITS) - 1);
            let digits = _mm256_and_pd(self.0[r], _mm256_castsi256_pd(digits));
            _mm256_or_pd(digits, _mm256_set1_pd(1.0))
        });
        // A whole number below 2^DIGITS stands in the last digits of its sum with that.
        let exponents = each!(r => unsafe {
            let biased = _mm256_srli_epi64::<{ DIGITS as i32 }>(_mm256_castpd_si256(self.0[r]));
            let shifted = _mm256_or_pd(_mm256_castsi256_pd(biased), _mm256_set1_pd(UNIT_DIGIT));
            _mm256_sub_pd(shifted, _mm256_set1_pd(UNIT_DIGIT + BIAS as f64))
        });
        (Self(mantissas), Self(exponents))
    }

    #[inline(always)]
    fn power_of_two(self) -> Self {
        Self(each!(r => unsafe {
            let shifted = _mm256_add_pd(self.0[r], _mm256_set1_pd(UNIT_DIGIT + BIAS as f64));
            let biased = _mm256_slli_epi64::<{ DIGITS as i32 }>(_mm256_castpd_si256(shifted));
            _mm256_castsi256_pd(biased)
        }))
    }
}

/// Four by four transposition.
#[inline(always)]
fn transpose([a, b, c, d]: [__m256d; 4]) -> [__m256d; 4] {
    unsafe {
        let (low, high) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
        let (low2, high2) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
        [
            _mm256_permute2f128_pd::<0x20>(low, low2),
            _mm256_permute2f128_pd::<0x20>(high, high2),
            _mm256_permute2f128_pd::<0x31>(low, low2),
            _mm256_permute2f128_pd::<0x31>(high, high2),
        ]
    }
}

/// Four components, from `first` on, of records of `N` numbers at sixteen places.
///
/// # Safety
/// `records` points to records that may be read at every place, and have these components.
#[inline(always)]
unsafe fn gather_four<const N: usize>(
    records: *const [f64; N],
    places: &Places,
    first: usize,
) -> [Wide; 4] {
    // SAFETY: the caller says that every place may be read.
    let quarters = each!(r => transpose(each!(lane => unsafe {
        let record = records.byte_add(N / 4 * distance_of(places, QUARTER * r + lane)).cast::<f64>();
        _mm256_loadu_pd(record.add(first))
    })));
    each!(component => Wide(each!(r => quarters[r][component])))
}

impl Pack for Wide {
    #[inline(always)]
    fn apart<J: Job>(job: J) -> J::Output {
        // SAFETY: the type is named in `Instructions` alone, behind the check that the processor has AVX2.
        unsafe { run_with_avx2::<Self, J>(job) }
    }

    #[inline(always)]
    fn load(row: &Row) -> Self {
        // SAFETY: a row is sixteen numbers, aligned.
        Self(each!(r => unsafe { _mm256_load_pd(row.0.as_ptr().add(QUARTER * r)) }))
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        for (r, register) in self.0.into_iter().enumerate() {
            // SAFETY: as above.
            unsafe { _mm256_store_pd(row.0.as_mut_ptr().add(QUARTER * r), register) };
        }
    }

    #[inline(always)]
    fn load_half(row: &HalfRow) -> Self {
        let mut lanes = [0.0; LANES];
        for (lane, number) in lanes.iter_mut().enumerate() {
            *number = row.get(lane);
        }
        Self::from_lanes(lanes)
    }

    #[inline(always)]
    fn store_half(self, row: &mut HalfRow) {
        for (lane, number) in self.lanes().into_iter().enumerate() {
            row.set(lane, number);
        }
    }

    #[inline(always)]
    unsafe fn gather(records: *const [f64; 4], places: &Places) -> [Self; 4] {
        // SAFETY: the caller says that every place may be read.
        unsafe { gather_four(records, places, 0) }
    }

    #[inline(always)]
    unsafe fn gather_eight(records: *const [f64; 8], places: &Places) -> [Self; 8] {
        // SAFETY: the caller says that every place may be read.
        let [[a, b, c, d], [e, f, g, h]] = unsafe {
            [
                gather_four(records, places, 0),
                gather_four(records, places, 4),
            ]
        };
        [a, b, c, d, e, f, g, h]
    }

    #[inline(always)]
    unsafe fn scatter(records: *mut [f64; 4], places: &Places, [x, y, z, w]: [Self; 4]) {
        for r in 0..4 {
            let records_of_quarter = transpose([x.0[r], y.0[r], z.0[r], w.0[r]]);
            for (lane, record) in records_of_quarter.into_iter().enumerate() {
                // SAFETY: the caller says that every place may be written.
                unsafe {
                    let there = records.byte_add(distance_of(places, QUARTER * r + lane));
                    _mm256_storeu_pd(there.cast(), record);
                }
            }
        }
    }

    #[inline(always)]
    fn to_places(self) -> Places {
        let mut places = Places::default();
        for (place, number) in places.0.iter_mut().zip(self.lanes()) {
            *place = real_to_distance(number);
        }
        places
    }

    #[inline(always)]
    fn is_beyond(places: &Places, others: &Places) -> WideMask {
        let mut bits = 0;
        for lane in 0..LANES {
            bits |= u32::from(places.0[lane] > others.0[lane]) << lane;
        }
        WideMask::from_bits(bits)
    }

    #[inline(always)]
    fn are_below(places: &Places, count: usize) -> bool {
        let mut greatest = 0;
        for &place in &places.0 {
            greatest = greatest.max(place);
        }
        end_of(count).is_none_or(|end| greatest < end)
    }

    #[inline(always)]
    fn prefetch<T>(elements: &[T], at: usize, bytes: usize) {
        super::pack::prefetch(elements, at, bytes);
    }

    #[inline(always)]
    fn keep_near(near: Near<'_>, kept: &mut [u32], count: usize) -> usize {
        keep_near_one_by_one(near, kept, count)
    }
}
