//! Sixteen numbers and how they come from memory.
// Gathering through places is a read through a pointer.
#![allow(unsafe_code)]

use super::Number;
use crate::Real;

/// Numbers in a pack.
pub const LANES: usize = 16;

/// A row of sixteen numbers in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Row(pub [Real; LANES]);

/// Sixteen places in columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Places(pub [u32; LANES]);

impl Row {
    /// Zeros.
    pub const ZERO: Self = Self([0.0; LANES]);
}

impl Default for Row {
    fn default() -> Self {
        Self::ZERO
    }
}

impl Default for Places {
    fn default() -> Self {
        Self([0; LANES])
    }
}

/// Points by axis and a sphere: what a search tests.
#[derive(Clone, Copy, Debug)]
pub struct Near<'a> {
    /// The points, by axis; columns of equal length.
    pub points: [&'a [Real]; 3],
    /// The center of the sphere.
    pub center: [Real; 3],
    /// Its squared radius: points strictly inside are near.
    pub limit: Real,
    /// The number of the first point.
    pub first: u32,
}

/// Sixteen numbers that are computed with at once.
pub trait Pack: Number {
    /// Reads a row.
    fn load(row: &Row) -> Self;

    /// Writes a row.
    fn store(self, row: &mut Row);

    /// The four components of the records at sixteen places.
    ///
    /// # Safety
    /// `records` points to records that may be read at every place.
    unsafe fn gather(records: *const [Real; 4], places: &Places) -> [Self; 4];

    /// Writes the four components of the records at sixteen places, in order of the lanes.
    ///
    /// # Safety
    /// `records` points to records that may be written at every place.
    unsafe fn scatter(records: *mut [Real; 4], places: &Places, values: [Self; 4]);

    /// True where the first place is greater than the second.
    fn is_beyond(places: &Places, others: &Places) -> Self::Mask;

    /// True if all places are below a count.
    fn are_below(places: &Places, count: usize) -> bool;

    /// Writes the numbers of the near points to `kept` from place `count` on and returns the new
    /// count. `kept` must have room for all points and [`LANES`] more, which may be overwritten.
    ///
    /// # Panics
    /// If it does not.
    fn keep_near(near: Near<'_>, kept: &mut [u32], count: usize) -> usize;
}
