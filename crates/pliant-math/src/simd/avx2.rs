//! Packs in two registers of AVX2: each operation is that of eight lanes, twice.
// Gathering is a read through a pointer.
#![allow(unsafe_code)]

use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::eight::{self, HALF};
use super::instructions::run_with_avx2;
use super::narrow::{Eight, EightMask};
use super::places::{end_of, real_to_distance};
use super::{HalfRow, Job, LANES, List, Mask, Near, Number, Pack, Places, Row};

/// Sixteen numbers: eight and eight.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(Eight, Eight);

/// All bits of a lane, set or not.
#[derive(Clone, Copy, Debug)]
pub struct Avx2Mask(EightMask, EightMask);

impl Mask for Avx2Mask {
    #[inline(always)]
    fn bits(self) -> u32 {
        self.0.bits() | self.1.bits() << HALF
    }

    #[inline(always)]
    fn from_bits(bits: u32) -> Self {
        Self(
            EightMask::from_bits(bits),
            EightMask::from_bits(bits >> HALF),
        )
    }
}

impl Not for Avx2Mask {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0, !self.1)
    }
}

impl Neg for Avx2 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}

impl AddAssign for Avx2 {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

macro_rules! operator {
    ($type:ident, $trait:ident, $method:ident) => {
        impl $trait for $type {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0), self.1.$method(other.1))
            }
        }
    };
}

operator!(Avx2, Add, add);
operator!(Avx2, Sub, sub);
operator!(Avx2, Mul, mul);
operator!(Avx2, Div, div);
operator!(Avx2Mask, BitAnd, bitand);
operator!(Avx2Mask, BitOr, bitor);

/// The lanes from the eighth on, at the front.
#[inline(always)]
fn second_half(lanes: &[f32; LANES]) -> [f32; LANES] {
    let mut front = [0.0; LANES];
    front[..HALF].copy_from_slice(&lanes[HALF..]);
    front
}

impl Number for Avx2 {
    type Mask = Avx2Mask;
    const COUNT: usize = LANES;
    const ZERO: Self = Self(Eight::ZERO, Eight::ZERO);

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(Eight::splat(value), Eight::splat(value))
    }

    #[inline(always)]
    fn lanes(self) -> [f32; LANES] {
        let mut lanes = self.0.lanes();
        lanes[HALF..].copy_from_slice(&self.1.lanes()[..HALF]);
        lanes
    }

    #[inline(always)]
    fn from_lanes(lanes: [f32; LANES]) -> Self {
        Self(
            Eight::from_lanes(lanes),
            Eight::from_lanes(second_half(&lanes)),
        )
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt(), self.1.sqrt())
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.abs(), self.1.abs())
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0), self.1.min(other.1))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0), self.1.max(other.1))
    }

    #[inline(always)]
    fn less(self, other: Self) -> Avx2Mask {
        Avx2Mask(self.0.less(other.0), self.1.less(other.1))
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> Avx2Mask {
        Avx2Mask(self.0.at_most(other.0), self.1.at_most(other.1))
    }

    #[inline(always)]
    fn or_where_not(self, mask: Avx2Mask, other: Self) -> Self {
        Self(
            self.0.or_where_not(mask.0, other.0),
            self.1.or_where_not(mask.1, other.1),
        )
    }

    #[inline(always)]
    fn split(self) -> (Self, Self) {
        let (low, high) = (self.0.split(), self.1.split());
        (Self(low.0, high.0), Self(low.1, high.1))
    }

    #[inline(always)]
    fn power_of_two(self) -> Self {
        Self(self.0.power_of_two(), self.1.power_of_two())
    }
}

impl Pack for Avx2 {
    #[inline(always)]
    fn apart<J: Job>(job: J) -> J::Output {
        // SAFETY: the type is named in `Instructions` alone, behind the check that the processor has AVX2.
        unsafe { run_with_avx2::<Self, J>(job) }
    }

    #[inline(always)]
    fn load(row: &Row) -> Self {
        let (first, second) = eight::load_row(row);
        Self(Eight::new(first), Eight::new(second))
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        eight::store_row(row, (self.0.register(), self.1.register()));
    }

    #[inline(always)]
    fn load_half(row: &HalfRow) -> Self {
        let (first, second) = eight::load_half_row(row);
        Self(Eight::new(first), Eight::new(second))
    }

    #[inline(always)]
    fn store_half(self, row: &mut HalfRow) {
        eight::store_half_row(row, (self.0.register(), self.1.register()));
    }

    #[inline(always)]
    unsafe fn gather(records: *const [f32; 4], places: &Places) -> [Self; 4] {
        // SAFETY: the caller says that every place may be read.
        let (low, high) = unsafe {
            (
                eight::gather_half(records, places, 0),
                eight::gather_half(records, places, HALF),
            )
        };
        std::array::from_fn(|k| Self(Eight::new(low[k]), Eight::new(high[k])))
    }

    #[inline(always)]
    unsafe fn gather_eight(records: *const [f32; 8], places: &Places) -> [Self; 8] {
        // SAFETY: the caller says that every place may be read.
        let (low, high) = unsafe {
            (
                eight::gather_eight_half(records, places, 0),
                eight::gather_eight_half(records, places, HALF),
            )
        };
        std::array::from_fn(|k| Self(Eight::new(low[k]), Eight::new(high[k])))
    }

    #[inline(always)]
    unsafe fn scatter(records: *mut [f32; 4], places: &Places, [x, y, z, w]: [Self; 4]) {
        let low = [x.0, y.0, z.0, w.0].map(Eight::register);
        let high = [x.1, y.1, z.1, w.1].map(Eight::register);
        // SAFETY: the caller says that every place may be written.
        unsafe {
            eight::scatter_half(records, places, 0, low);
            eight::scatter_half(records, places, HALF, high);
        }
    }

    #[inline(always)]
    fn to_places(self) -> Places {
        Places(self.lanes().map(real_to_distance))
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
        end_of(count).is_none_or(|end| greatest < end)
    }

    #[inline(always)]
    fn prefetch<T>(elements: &[T], at: usize, bytes: usize) {
        super::pack::prefetch(elements, at, bytes);
    }

    #[inline(always)]
    fn keep_near(near: Near<'_>, kept: &mut [u32], count: usize) -> usize {
        eight::keep_near(near, kept, count)
    }

    #[inline(always)]
    fn shift(
        points: &[[f32; 8]],
        offset: [f32; 3],
        columns: [&mut [f32]; 3],
        copies: &mut [[f32; 8]],
    ) {
        eight::shift(points, offset, columns, copies);
    }

    #[inline(always)]
    fn interleave(
        numbers: &[u32],
        lists: &[List; LANES],
        first: usize,
        rows: &mut [Places; LANES],
    ) {
        eight::interleave(numbers, lists, first, rows, 0);
        eight::interleave(numbers, lists, first, rows, HALF);
    }
}
