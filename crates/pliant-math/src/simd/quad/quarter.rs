//! A pack of which only four lanes are used, in one register of four numbers: for few blocks side by side, and for
//! rows in four quarters. Sixteen lanes are four registers for each number, which are more than there are. What the
//! other lanes of a row hold is neither read nor written.

use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::lanes::{
    SIGN, from_bits, gather_four, keep_near, power_of_two, quarter, quarter_mut, split,
};
use super::{Quad, half};
use crate::simd::pack::prefetch;
use crate::simd::places::{end_of, real_to_distance};
use crate::simd::{HalfRow, Job, LANES, Mask, Near, Number, Pack, Places, Row};

/// Four lanes from number `FIRST` on, which is a multiple of four.
#[derive(Clone, Copy, Debug)]
pub struct Quarter<Q, const FIRST: usize>(Q);

/// All bits of each of them, set or not.
#[derive(Clone, Copy, Debug)]
pub struct QuarterMask<Q, const FIRST: usize>(Q);

macro_rules! operator {
    ($type:ident, $trait:ident, $method:ident, $of_register:ident) => {
        impl<Q: Quad, const FIRST: usize> $trait for $type<Q, FIRST> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$of_register(other.0))
            }
        }
    };
}

operator!(Quarter, Add, add, add);
operator!(Quarter, Sub, sub, sub);
operator!(Quarter, Mul, mul, mul);
operator!(Quarter, Div, div, div);
operator!(QuarterMask, BitAnd, bitand, and);
operator!(QuarterMask, BitOr, bitor, or);

impl<Q: Quad, const FIRST: usize> Not for QuarterMask<Q, FIRST> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.xor(Q::splat_word(u32::MAX)))
    }
}

impl<Q: Quad, const FIRST: usize> Mask for QuarterMask<Q, FIRST> {
    #[inline(always)]
    fn bits(self) -> u32 {
        self.0.highest_bits() << FIRST
    }

    #[inline(always)]
    fn from_bits(bits: u32) -> Self {
        Self(from_bits(bits >> FIRST))
    }
}

impl<Q: Quad, const FIRST: usize> Neg for Quarter<Q, FIRST> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.xor(Q::splat_word(SIGN)))
    }
}

impl<Q: Quad, const FIRST: usize> AddAssign for Quarter<Q, FIRST> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<Q: Quad, const FIRST: usize> Number for Quarter<Q, FIRST> {
    type Mask = QuarterMask<Q, FIRST>;
    const COUNT: usize = 4;
    const ZERO: Self = Self(Q::ZERO);

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(Q::splat(value))
    }

    #[inline(always)]
    fn lanes(self) -> [f32; LANES] {
        let mut row = Row::ZERO;
        self.store(&mut row);
        row.0
    }

    #[inline(always)]
    fn from_lanes(lanes: [f32; LANES]) -> Self {
        Self::load(&Row(lanes))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.and(Q::splat_word(!SIGN)))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }

    #[inline(always)]
    fn less(self, other: Self) -> Self::Mask {
        QuarterMask(self.0.less(other.0))
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> Self::Mask {
        QuarterMask(self.0.at_most(other.0))
    }

    #[inline(always)]
    fn or_where_not(self, mask: Self::Mask, other: Self) -> Self {
        Self(self.0.or_where_not(mask.0, other.0))
    }

    #[inline(always)]
    fn split(self) -> (Self, Self) {
        let (mantissa, exponent) = split(self.0);
        (Self(mantissa), Self(exponent))
    }

    #[inline(always)]
    fn power_of_two(self) -> Self {
        Self(power_of_two(self.0))
    }
}

#[allow(unsafe_code)]
impl<Q: Quad, const FIRST: usize> Pack for Quarter<Q, FIRST> {
    const FIRST: usize = FIRST;

    #[inline(never)]
    fn apart<J: Job>(job: J) -> J::Output {
        job.run::<Self>()
    }

    #[inline(always)]
    fn load(row: &Row) -> Self {
        Self(Q::load(quarter(&row.0, FIRST / 4)))
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        self.0.store(quarter_mut(&mut row.0, FIRST / 4));
    }

    #[inline(always)]
    fn load_half(row: &HalfRow) -> Self {
        let halves = quarter(&row.0, FIRST / 4);
        Self(half::to_numbers(Q::load_halves(halves)))
    }

    #[inline(always)]
    fn load_finite_half(row: &HalfRow) -> Self {
        let halves = quarter(&row.0, FIRST / 4);
        Self(half::to_finite_numbers(Q::load_halves(halves)))
    }

    #[inline(always)]
    fn store_half(self, row: &mut HalfRow) {
        let halves = quarter_mut(&mut row.0, FIRST / 4);
        half::from_numbers(self.0).store_halves(halves);
    }

    #[inline(always)]
    unsafe fn gather(records: *const [f32; 4], places: &Places) -> [Self; 4] {
        // SAFETY: the caller says that every place may be read.
        let [x, y, z, w] = unsafe { gather_four(records, quarter(&places.0, FIRST / 4), 0) };
        [Self(x), Self(y), Self(z), Self(w)]
    }

    #[inline(always)]
    unsafe fn gather_eight(records: *const [f32; 8], places: &Places) -> [Self; 8] {
        let places = quarter(&places.0, FIRST / 4);
        // SAFETY: the caller says that every place may be read.
        let ([a, b, c, d], [e, f, g, h]): ([Q; 4], [Q; 4]) = unsafe {
            (
                gather_four(records, places, 0),
                gather_four(records, places, 4),
            )
        };
        [
            Self(a),
            Self(b),
            Self(c),
            Self(d),
            Self(e),
            Self(f),
            Self(g),
            Self(h),
        ]
    }

    #[inline(always)]
    unsafe fn scatter(records: *mut [f32; 4], places: &Places, [x, y, z, w]: [Self; 4]) {
        let distances = quarter(&places.0, FIRST / 4);
        let [a, b, c, d] = Q::transpose([x.0, y.0, z.0, w.0]);
        // SAFETY: the caller says that every place may be written. One is written after the other: two may be the
        // same.
        unsafe {
            a.store(&mut *records.byte_add(distances[0] as usize));
            b.store(&mut *records.byte_add(distances[1] as usize));
            c.store(&mut *records.byte_add(distances[2] as usize));
            d.store(&mut *records.byte_add(distances[3] as usize));
        }
    }

    #[inline(always)]
    fn to_places(self) -> Places {
        Places(self.lanes().map(real_to_distance))
    }

    #[inline(always)]
    fn is_beyond(places: &Places, others: &Places) -> Self::Mask {
        // Words are compared with a sign, and places have none.
        let signed =
            |places: &Places| Q::load_words(quarter(&places.0, FIRST / 4)).xor(Q::splat_word(SIGN));
        QuarterMask(signed(places).greater_words(signed(others)))
    }

    #[inline(always)]
    fn are_below(places: &Places, count: usize) -> bool {
        let [a, b, c, d] = *quarter(&places.0, FIRST / 4);
        let greatest = a.max(b).max(c.max(d));
        end_of(count).is_none_or(|end| greatest < end)
    }

    #[inline(always)]
    fn prefetch<T>(elements: &[T], at: usize, bytes: usize) {
        if FIRST == 0 {
            prefetch(elements, at, bytes);
        }
    }

    #[inline(always)]
    fn keep_near(near: Near<'_>, kept: &mut [u32], count: usize) -> usize {
        keep_near::<Q>(near, kept, count)
    }
}
