//! Packs of which only the first four, the first eight or the last eight lanes are used, in one
//! register: for few blocks side by side, and for rows in two halves. What the other lanes of a row
//! hold is neither read nor written.
//!
//! SAFETY of every block in this file: as in `avx512`; the instructions are those of AVX2.
#![allow(unsafe_code, clippy::undocumented_unsafe_blocks)]

use std::arch::x86_64::*;
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::eight;
use super::instructions::run_with_avx2;
use super::number::{BIAS, DIGITS};
use super::places::{distance_of, end_of, real_to_distance};
use super::{HalfRow, Job, LANES, Mask, Near, Number, Pack, Places, Row};

/// The operators and functions of a pack in one register.
macro_rules! narrow_pack {
    (
        $pack:ident, $mask:ident, $register:ident, $first:literal, $lanes:literal,
        $set1:ident, $load:ident, $store:ident, $from_half:path, $to_half:path,
        $add:ident, $sub:ident, $mul:ident, $div:ident, $sqrt:ident, $min:ident, $max:ident,
        $and:ident, $or:ident, $xor:ident, $andnot:ident, $cmp:ident, $blend:ident, $movemask:ident,
        $all:expr, $bits:expr, $split:path, $power_of_two:path, $gather:path, $gather_eight:path, $scatter:path
    ) => {
        #[doc = concat!($lanes, " lanes from number ", $first, " on.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $pack($register);

        #[doc = concat!("All bits of each of ", $lanes, " lanes, set or not.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $mask($register);

        impl Mask for $mask {
            #[inline(always)]
            fn bits(self) -> u32 {
                unsafe { ($movemask(self.0) as u32) << $first }
            }

            #[inline(always)]
            fn from_bits(bits: u32) -> Self {
                Self($bits(bits >> $first))
            }
        }

        impl BitAnd for $mask {
            type Output = Self;
            #[inline(always)]
            fn bitand(self, other: Self) -> Self {
                Self(unsafe { $and(self.0, other.0) })
            }
        }

        impl BitOr for $mask {
            type Output = Self;
            #[inline(always)]
            fn bitor(self, other: Self) -> Self {
                Self(unsafe { $or(self.0, other.0) })
            }
        }

        impl Not for $mask {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                Self(unsafe { $xor(self.0, $all) })
            }
        }

        narrow_pack!(@operator $pack, Add, add, $add);
        narrow_pack!(@operator $pack, Sub, sub, $sub);
        narrow_pack!(@operator $pack, Mul, mul, $mul);
        narrow_pack!(@operator $pack, Div, div, $div);

        impl Neg for $pack {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                Self(unsafe { $xor(self.0, $set1(-0.0)) })
            }
        }

        impl AddAssign for $pack {
            #[inline(always)]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }

        impl $pack {
            #[inline(always)]
            fn to_row(self) -> Row {
                let mut row = Row::ZERO;
                self.store(&mut row);
                row
            }
        }

        impl Number for $pack {
            type Mask = $mask;
            const COUNT: usize = $lanes;
            // SAFETY: a register is so many numbers.
            const ZERO: Self =
                Self(unsafe { std::mem::transmute::<[f32; $lanes], $register>([0.0; $lanes]) });

            #[inline(always)]
            fn splat(value: f32) -> Self {
                Self(unsafe { $set1(value) })
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
                Self(unsafe { $sqrt(self.0) })
            }

            #[inline(always)]
            fn abs(self) -> Self {
                Self(unsafe { $andnot($set1(-0.0), self.0) })
            }

            #[inline(always)]
            fn min(self, other: Self) -> Self {
                Self(unsafe { $min(self.0, other.0) })
            }

            #[inline(always)]
            fn max(self, other: Self) -> Self {
                Self(unsafe { $max(self.0, other.0) })
            }

            #[inline(always)]
            fn less(self, other: Self) -> $mask {
                $mask(unsafe { $cmp::<_CMP_LT_OQ>(self.0, other.0) })
            }

            #[inline(always)]
            fn at_most(self, other: Self) -> $mask {
                $mask(unsafe { $cmp::<_CMP_LE_OQ>(self.0, other.0) })
            }

            #[inline(always)]
            fn or_where_not(self, mask: $mask, other: Self) -> Self {
                Self(unsafe { $blend(other.0, self.0, mask.0) })
            }

            #[inline(always)]
            fn split(self) -> (Self, Self) {
                let (mantissa, exponent) = $split(self.0);
                (Self(mantissa), Self(exponent))
            }

            #[inline(always)]
            fn power_of_two(self) -> Self {
                Self($power_of_two(self.0))
            }
        }

        impl Pack for $pack {
            const FIRST: usize = $first;

            #[inline(always)]
            fn apart<J: Job>(job: J) -> J::Output {
                unsafe { run_with_avx2::<Self, J>(job) }
            }

            #[inline(always)]
            fn load(row: &Row) -> Self {
                // SAFETY: a row is longer, and aligned.
                Self(unsafe { $load(row.0.as_ptr().add($first)) })
            }

            #[inline(always)]
            fn store(self, row: &mut Row) {
                // SAFETY: as above.
                unsafe { $store(row.0.as_mut_ptr().add($first), self.0) }
            }

            #[inline(always)]
            fn load_half(row: &HalfRow) -> Self {
                // SAFETY: a row is longer.
                Self(unsafe { $from_half(row.0.as_ptr().add($first)) })
            }

            #[inline(always)]
            fn store_half(self, row: &mut HalfRow) {
                // SAFETY: as above.
                unsafe { $to_half(row.0.as_mut_ptr().add($first), self.0) }
            }

            #[inline(always)]
            unsafe fn gather(records: *const [f32; 4], places: &Places) -> [Self; 4] {
                // SAFETY: the caller says that every place may be read.
                let [x, y, z, w] = unsafe { $gather(records, places, $first) };
                [Self(x), Self(y), Self(z), Self(w)]
            }

            #[inline(always)]
            unsafe fn gather_eight(records: *const [f32; 8], places: &Places) -> [Self; 8] {
                // SAFETY: the caller says that every place may be read.
                unsafe { $gather_eight(records, places, $first) }.map(Self)
            }

            #[inline(always)]
            unsafe fn scatter(records: *mut [f32; 4], places: &Places, values: [Self; 4]) {
                let [x, y, z, w] = values;
                // SAFETY: the caller says that every place may be written.
                unsafe { $scatter(records, places, $first, [x.0, y.0, z.0, w.0]) }
            }

            #[inline(always)]
            fn to_places(self) -> Places {
                Places(self.to_row().0.map(real_to_distance))
            }

            #[inline(always)]
            fn is_beyond(places: &Places, others: &Places) -> $mask {
                let mut bits = 0;
                for lane in $first..$first + $lanes {
                    bits |= u32::from(places.0[lane] > others.0[lane]) << lane;
                }
                $mask::from_bits(bits)
            }

            #[inline(always)]
            fn are_below(places: &Places, count: usize) -> bool {
                let mut greatest = 0;
                for lane in $first..$first + $lanes {
                    greatest = greatest.max(places.0[lane]);
                }
                end_of(count).is_none_or(|end| greatest < end)
            }

            #[inline(always)]
            fn prefetch<T>(elements: &[T], at: usize, bytes: usize) {
                if $first == 0 {
                    super::pack::prefetch(elements, at, bytes);
                }
            }

            #[inline(always)]
            fn keep_near(near: Near<'_>, kept: &mut [u32], count: usize) -> usize {
                eight::keep_near(near, kept, count)
            }
        }
    };
    (@operator $pack:ident, $trait:ident, $method:ident, $intrinsic:ident) => {
        impl $trait for $pack {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    };
}

/// Eight lanes in a register of AVX2, from one on.
macro_rules! eight_wide_pack {
    ($name:ident, $mask:ident, $first:literal) => {
        narrow_pack!(
            $name,
            $mask,
            __m256,
            $first,
            8,
            _mm256_set1_ps,
            _mm256_load_ps,
            _mm256_store_ps,
            eight::eight_from_half,
            eight::eight_to_half,
            _mm256_add_ps,
            _mm256_sub_ps,
            _mm256_mul_ps,
            _mm256_div_ps,
            _mm256_sqrt_ps,
            _mm256_min_ps,
            _mm256_max_ps,
            _mm256_and_ps,
            _mm256_or_ps,
            _mm256_xor_ps,
            _mm256_andnot_ps,
            _mm256_cmp_ps,
            _mm256_blendv_ps,
            _mm256_movemask_ps,
            _mm256_castsi256_ps(_mm256_set1_epi32(-1)),
            eight::eight_from_bits,
            eight::split,
            eight::power_of_two,
            eight::gather_half,
            eight::gather_eight_half,
            eight::scatter_half
        );
    };
}

eight_wide_pack!(Eight, EightMask, 0);
eight_wide_pack!(LastEight, LastEightMask, 8);

narrow_pack!(
    Four,
    FourMask,
    __m128,
    0,
    4,
    _mm_set1_ps,
    _mm_load_ps,
    _mm_store_ps,
    four_from_half,
    four_to_half,
    _mm_add_ps,
    _mm_sub_ps,
    _mm_mul_ps,
    _mm_div_ps,
    _mm_sqrt_ps,
    _mm_min_ps,
    _mm_max_ps,
    _mm_and_ps,
    _mm_or_ps,
    _mm_xor_ps,
    _mm_andnot_ps,
    _mm_cmp_ps,
    _mm_blendv_ps,
    _mm_movemask_ps,
    _mm_castsi128_ps(_mm_set1_epi32(-1)),
    four_from_bits,
    split_four,
    four_powers_of_two,
    gather_four,
    gather_eight_by_four,
    scatter_four
);

impl Eight {
    /// The numbers in a register.
    #[inline(always)]
    pub fn new(register: __m256) -> Self {
        Self(register)
    }

    /// The register.
    #[inline(always)]
    pub fn register(self) -> __m256 {
        self.0
    }
}

#[inline(always)]
unsafe fn four_from_half(halves: *const u16) -> __m128 {
    // SAFETY: the caller says that four may be read.
    unsafe { _mm_cvtph_ps(_mm_loadl_epi64(halves.cast())) }
}

#[inline(always)]
unsafe fn four_to_half(halves: *mut u16, numbers: __m128) {
    // SAFETY: the caller says that four may be written.
    unsafe {
        let rounded = _mm_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(numbers);
        _mm_storel_epi64(halves.cast(), rounded);
    }
}

#[inline(always)]
fn four_from_bits(bits: u32) -> __m128 {
    unsafe {
        let lanes = _mm_setr_epi32(1, 2, 4, 8);
        let set = _mm_and_si128(_mm_set1_epi32(bits as i32), lanes);
        _mm_castsi128_ps(_mm_cmpeq_epi32(set, lanes))
    }
}

#[inline(always)]
fn split_four(numbers: __m128) -> (__m128, __m128) {
    unsafe {
        let digits = _mm_castsi128_ps(_mm_set1_epi32((1 << DIGITS) - 1));
        let mantissa = _mm_or_ps(_mm_and_ps(numbers, digits), _mm_set1_ps(1.0));
        let biased = _mm_srli_epi32::<{ DIGITS as i32 }>(_mm_castps_si128(numbers));
        let exponent = _mm_sub_epi32(biased, _mm_set1_epi32(BIAS));
        (mantissa, _mm_cvtepi32_ps(exponent))
    }
}

#[inline(always)]
fn four_powers_of_two(powers: __m128) -> __m128 {
    unsafe {
        let biased = _mm_add_epi32(_mm_cvtps_epi32(powers), _mm_set1_epi32(BIAS));
        _mm_castsi128_ps(_mm_slli_epi32::<{ DIGITS as i32 }>(biased))
    }
}

/// Four by four transposition.
#[inline(always)]
fn transpose([a, b, c, d]: [__m128; 4]) -> [__m128; 4] {
    unsafe {
        let (low, high) = (_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b));
        let (low2, high2) = (_mm_unpacklo_ps(c, d), _mm_unpackhi_ps(c, d));
        [
            _mm_movelh_ps(low, low2),
            _mm_movehl_ps(low2, low),
            _mm_movelh_ps(high, high2),
            _mm_movehl_ps(high2, high),
        ]
    }
}

#[inline(always)]
unsafe fn gather_four(records: *const [f32; 4], places: &Places, first: usize) -> [__m128; 4] {
    // SAFETY: the caller says that every place may be read.
    let record = |lane: usize| unsafe {
        _mm_loadu_ps(records.byte_add(distance_of(places, first + lane)).cast())
    };
    transpose([record(0), record(1), record(2), record(3)])
}

#[inline(always)]
unsafe fn gather_eight_by_four(
    records: *const [f32; 8],
    places: &Places,
    first: usize,
) -> [__m128; 8] {
    // SAFETY: the caller says that every place may be read.
    let half = |component: usize| unsafe {
        let record = |lane: usize| {
            _mm_loadu_ps(
                records
                    .byte_add(2 * distance_of(places, first + lane))
                    .cast::<f32>()
                    .add(component),
            )
        };
        transpose([record(0), record(1), record(2), record(3)])
    };
    let ([a, b, c, d], [e, f, g, h]) = (half(0), half(4));
    [a, b, c, d, e, f, g, h]
}

#[inline(always)]
unsafe fn scatter_four(records: *mut [f32; 4], places: &Places, first: usize, values: [__m128; 4]) {
    for (lane, value) in transpose(values).into_iter().enumerate() {
        // SAFETY: the caller says that every place may be written.
        unsafe {
            _mm_storeu_ps(
                records.byte_add(distance_of(places, first + lane)).cast(),
                value,
            )
        };
    }
}
