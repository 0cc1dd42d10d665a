//! Sixteen numbers and how they come from memory.
// Gathering through places is a read through a pointer.
#![allow(unsafe_code)]

use super::{HalfRow, Job, List, Near, Number, Places};
use crate::Real;

/// Numbers in a pack.
pub const LANES: usize = 16;

/// A row of sixteen numbers in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Row(pub [Real; LANES]);

impl Row {
    /// Zeros.
    pub const ZERO: Self = Self([0.0; LANES]);

    /// Changes the number in a lane; volatile as in [`Places::set`].
    #[inline(always)]
    pub fn set(&mut self, lane: usize, number: Real) {
        let there: *mut Real = &mut self.0[lane];
        // SAFETY: it points to a number that is borrowed.
        unsafe { there.write_volatile(number) }
    }
}

impl Default for Row {
    fn default() -> Self {
        Self::ZERO
    }
}

/// Sixteen numbers that are computed with at once.
pub trait Pack: Number {
    /// The lane of a row at which it starts.
    const FIRST: usize = 0;

    /// Does a job with this pack in a function of its own, compiled for its instructions: what is large, as a law,
    /// would otherwise be compiled anew wherever it is needed.
    fn apart<J: Job>(job: J) -> J::Output;

    /// Reads a row.
    fn load(row: &Row) -> Self;

    /// Writes a row.
    fn store(self, row: &mut Row);

    /// Reads a row in half precision.
    fn load_half(row: &HalfRow) -> Self;

    /// The same of numbers none of which is infinite, or is no number: others come out as anything. It takes fewer
    /// operations where there is no instruction for it.
    #[inline(always)]
    fn load_finite_half(row: &HalfRow) -> Self {
        Self::load_half(row)
    }

    /// Writes a row in half precision.
    fn store_half(self, row: &mut HalfRow);

    /// The four components of the records at sixteen places.
    ///
    /// # Safety
    /// `records` points to records that may be read at every place.
    unsafe fn gather(records: *const [Real; 4], places: &Places) -> [Self; 4];

    /// The eight components of the records at sixteen places.
    ///
    /// # Safety
    /// `records` points to records that may be read at every place.
    unsafe fn gather_eight(records: *const [Real; 8], places: &Places) -> [Self; 8];

    /// Writes the four components of the records at sixteen places, in order of the lanes.
    ///
    /// # Safety
    /// `records` points to records that may be written at every place.
    unsafe fn scatter(records: *mut [Real; 4], places: &Places, values: [Self; 4]);

    /// Numbers in which [`place_to_real`](super::place_to_real) hid places, as places again.
    fn to_places(self) -> Places;

    /// The same where a mask is true, and the others everywhere else, in lanes that the pack lacks too.
    #[inline(always)]
    fn to_places_or_where_not(self, mask: Self::Mask, others: &Places) -> Places {
        let found = self.or_where_not(mask, Self::load(&others.hidden()));
        let found = found.to_places();
        let mut places = *others;
        let lanes = Self::FIRST..Self::FIRST + Self::COUNT;
        places.0[lanes.clone()].copy_from_slice(&found.0[lanes]);
        places
    }

    /// True where the first place is greater than the second.
    fn is_beyond(places: &Places, others: &Places) -> Self::Mask;

    /// True if all places are below a count.
    fn are_below(places: &Places, count: usize) -> bool;

    /// Has the first `bytes` of an element brought nearer, if there is one, while other work goes on.
    fn prefetch<T>(elements: &[T], at: usize, bytes: usize);

    /// Writes the numbers of the near points to `kept` from place `count` on and returns the new
    /// count. `kept` must have room for all points and [`LANES`] more, which may be overwritten.
    ///
    /// # Panics
    /// If it does not, or if the columns are shorter than [`Runs::end`](super::Runs::end).
    fn keep_near(near: Near<'_>, kept: &mut [u32], count: usize) -> usize;

    /// Copies points with the first three components shifted by an offset, whole and those three by
    /// axis.
    ///
    /// # Panics
    /// If the columns or the copies have no room for the points and [`LANES`] more, which may be
    /// overwritten.
    #[inline(always)]
    fn shift(
        points: &[[Real; 8]],
        offset: [Real; 3],
        columns: [&mut [Real]; 3],
        copies: &mut [[Real; 8]],
    ) {
        let [xs, ys, zs] = columns;
        assert!(copies.len() >= points.len() + LANES, "no room for copies");
        let columns = xs.iter_mut().zip(ys).zip(zs).zip(copies);
        for ((((x, y), z), copy), point) in columns.zip(points) {
            *copy = *point;
            for (axis, coordinate) in [x, y, z].into_iter().enumerate() {
                copy[axis] += offset[axis];
                *coordinate = copy[axis];
            }
        }
    }

    /// Puts sixteen lists side by side: row k gets the numbers at place `first + k` of each list, as
    /// places.
    ///
    /// # Panics
    /// If a list lies outside the numbers.
    #[inline(always)]
    fn interleave(
        numbers: &[u32],
        lists: &[List; LANES],
        first: usize,
        rows: &mut [Places; LANES],
    ) {
        let lists = lists.iter().enumerate().skip(Self::FIRST);
        for (lane, list) in lists.take(Self::COUNT) {
            for (k, row) in rows.iter_mut().enumerate() {
                row.set(lane, list.number(numbers, first + k));
            }
        }
    }
}

/// [`Pack::prefetch`] where there is an instruction for it; nothing elsewhere.
#[inline(always)]
pub fn prefetch<T>(elements: &[T], at: usize, bytes: usize) {
    #[cfg(target_arch = "x86_64")]
    prefetch_lines(elements, at, bytes);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (elements, at, bytes);
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn prefetch_lines<T>(elements: &[T], at: usize, bytes: usize) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    let element = elements.as_ptr().wrapping_add(at).cast::<i8>();
    for line in (0..bytes).step_by(64) {
        // SAFETY: nothing is read, and no address makes a prefetch fail.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(element.wrapping_add(line)) };
    }
}
