//! Packs as plain arrays: for processors without vector instructions known here, and to check the
//! others with.
//!
//! What is inlined is left to the compiler: everywhere would take it minutes.

use std::array::from_fn;
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::places::real_to_distance;
use super::{HalfRow, Job, LANES, Mask, Near, Number, Pack, Places, Row};
use crate::Real;

/// Sixteen numbers in an array.
#[derive(Clone, Copy, Debug)]
pub struct Portable([Real; LANES]);

/// A bit a lane.
#[derive(Clone, Copy, Debug)]
pub struct PortableMask(u32);

const ALL: u32 = (1 << LANES) - 1;

impl Mask for PortableMask {
    #[inline]
    fn bits(self) -> u32 {
        self.0
    }

    #[inline]
    fn from_bits(bits: u32) -> Self {
        Self(bits & ALL)
    }
}

impl BitAnd for PortableMask {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for PortableMask {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Not for PortableMask {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0 & ALL)
    }
}

/// An operator, lane by lane. Loops over the whole array are what the compiler makes vectors of.
macro_rules! lane_operator {
    ($trait:ident, $method:ident, $operator:tt) => {
        impl $trait for Portable {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                let mut result = self.0;
                for lane in 0..LANES {
                    result[lane] = self.0[lane] $operator other.0[lane];
                }
                Self(result)
            }
        }
    };
}

lane_operator!(Add, add, +);
lane_operator!(Sub, sub, -);
lane_operator!(Mul, mul, *);
lane_operator!(Div, div, /);

impl Neg for Portable {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(self.0.map(|x| -x))
    }
}

impl AddAssign for Portable {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Portable {
    #[inline]
    fn compare(self, other: Self, holds: impl Fn(Real, Real) -> bool) -> PortableMask {
        let mut bits = 0;
        for lane in 0..LANES {
            bits |= u32::from(holds(self.0[lane], other.0[lane])) << lane;
        }
        PortableMask(bits)
    }
}

impl Number for Portable {
    type Mask = PortableMask;
    const COUNT: usize = LANES;
    const ZERO: Self = Self([0.0; LANES]);

    #[inline]
    fn splat(value: Real) -> Self {
        Self([value; LANES])
    }

    #[inline]
    fn lanes(self) -> [Real; LANES] {
        self.0
    }

    #[inline]
    fn from_lanes(lanes: [Real; LANES]) -> Self {
        Self(lanes)
    }

    #[inline]
    fn sqrt(self) -> Self {
        Self(self.0.map(Real::sqrt))
    }

    #[inline]
    fn abs(self) -> Self {
        Self(self.0.map(Real::abs))
    }

    #[inline]
    fn min(self, other: Self) -> Self {
        Self(from_fn(|lane| Number::min(self.0[lane], other.0[lane])))
    }

    #[inline]
    fn max(self, other: Self) -> Self {
        Self(from_fn(|lane| Number::max(self.0[lane], other.0[lane])))
    }

    #[inline]
    fn less(self, other: Self) -> PortableMask {
        self.compare(other, |a, b| a < b)
    }

    #[inline]
    fn at_most(self, other: Self) -> PortableMask {
        self.compare(other, |a, b| a <= b)
    }

    #[inline]
    fn or_where_not(self, mask: PortableMask, other: Self) -> Self {
        let is_set = |lane: usize| mask.0 >> lane & 1 == 1;
        Self(from_fn(|lane| {
            self.0[lane].or_where_not(is_set(lane), other.0[lane])
        }))
    }

    #[inline]
    fn split(self) -> (Self, Self) {
        let parts = self.0.map(Number::split);
        (
            Self(parts.map(|(mantissa, _)| mantissa)),
            Self(parts.map(|(_, exponent)| exponent)),
        )
    }

    #[inline]
    fn power_of_two(self) -> Self {
        Self(self.0.map(Number::power_of_two))
    }
}

/// # Safety
/// `records` points to records that may be read at every place.
#[allow(unsafe_code)]
#[inline]
unsafe fn gather_components<const N: usize>(
    records: *const [Real; N],
    places: &Places,
) -> [Portable; N] {
    let mut components = [[0.0; LANES]; N];
    for lane in 0..LANES {
        // SAFETY: the caller says that every place may be read.
        let record = unsafe { *records.add(places.get(lane)) };
        for component in 0..N {
            components[component][lane] = record[component];
        }
    }
    components.map(Portable)
}

#[allow(unsafe_code)]
impl Pack for Portable {
    #[inline(never)]
    fn apart<J: Job>(job: J) -> J::Output {
        job.run::<Self>()
    }

    #[inline]
    fn load(row: &Row) -> Self {
        Self(row.0)
    }

    #[inline]
    fn store(self, row: &mut Row) {
        row.0 = self.0;
    }

    #[inline]
    fn load_half(row: &HalfRow) -> Self {
        Self(from_fn(|lane| row.get(lane)))
    }

    #[inline]
    fn store_half(self, row: &mut HalfRow) {
        for lane in 0..LANES {
            row.set(lane, self.0[lane]);
        }
    }

    #[inline]
    unsafe fn gather(records: *const [Real; 4], places: &Places) -> [Self; 4] {
        // SAFETY: the caller says that every place may be read.
        unsafe { gather_components(records, places) }
    }

    #[inline]
    unsafe fn gather_eight(records: *const [Real; 8], places: &Places) -> [Self; 8] {
        // SAFETY: the caller says that every place may be read.
        unsafe { gather_components(records, places) }
    }

    #[inline]
    unsafe fn scatter(records: *mut [Real; 4], places: &Places, values: [Self; 4]) {
        for lane in 0..LANES {
            let record = values.map(|component| component.0[lane]);
            // SAFETY: the caller says that every place may be written.
            unsafe { *records.add(places.get(lane)) = record };
        }
    }

    #[inline]
    fn to_places(self) -> Places {
        Places(self.0.map(real_to_distance))
    }

    #[inline]
    fn is_beyond(places: &Places, others: &Places) -> PortableMask {
        let mut bits = 0;
        for lane in 0..LANES {
            bits |= u32::from(places.0[lane] > others.0[lane]) << lane;
        }
        PortableMask(bits)
    }

    #[inline]
    fn are_below(places: &Places, count: usize) -> bool {
        (0..LANES).all(|lane| places.get(lane) < count)
    }

    #[inline]
    fn prefetch<T>(_elements: &[T], _at: usize, _bytes: usize) {}

    #[inline]
    fn keep_near(near: Near<'_>, kept: &mut [u32], count: usize) -> usize {
        keep_near_one_by_one(near, kept, count)
    }
}

/// [`Pack::keep_near`], one point after the other.
#[inline(always)]
pub(super) fn keep_near_one_by_one(near: Near<'_>, kept: &mut [u32], mut count: usize) -> usize {
    let [a, b, c] = near.checked_center(kept, count);
    let [x, y, z] = near.points;
    // Each point is written, and kept by counting on: which ones are near cannot be predicted,
    // and a branch would be taken wrongly every other time.
    for run in near.runs.list() {
        let first = run.first as usize;
        let last = first + run.there.count_ones() as usize;
        let columns = x[first..last]
            .iter()
            .zip(&y[first..last])
            .zip(&z[first..last]);
        for (number, ((x, y), z)) in (run.first..).zip(columns) {
            let (dx, dy, dz) = (x - a, y - b, z - c);
            let is_near = dx * dx + dy * dy + dz * dz < near.limit;
            kept[count] = number;
            count += usize::from(is_near & (number != near.own));
        }
    }
    count
}
