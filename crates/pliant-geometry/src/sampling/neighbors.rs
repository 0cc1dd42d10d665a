//! Pairs of near points, through points sorted by cell.

use std::ops::Range;

use pliant_math::DVec3;

use super::wall::Sample;
use crate::{Loop, work};

/// Points a piece of work.
const POINTS: usize = 4096;

/// Points sorted by the cell of a grid they lie in; memory grows with the points alone.
pub(super) struct SortedPoints {
    pub(super) points: Vec<Sample>,
    keys: Vec<u64>,
}

/// Bits of a cell's coordinate along one axis. Points beyond share the last cell, which costs time
/// and loses nothing.
const BITS: u32 = 20;
const LAST: f64 = ((1u64 << BITS) - 2) as f64;

impl SortedPoints {
    /// Sorts points into cells of width `cell` [m] from `origin`, which is below all of them.
    pub(super) fn new(points: Vec<Sample>, origin: DVec3, cell: f64, run: Loop) -> Self {
        let mut keyed = vec![(0, 0); points.len()];
        work::for_chunks(run, &mut keyed, POINTS, |first, keyed| {
            for (k, entry) in keyed.iter_mut().enumerate() {
                let place = (points[first + k].position - origin) / cell;
                *entry = (key_of(place), (first + k) as u32);
            }
        });
        keyed.sort_unstable();
        Self {
            points: keyed.iter().map(|(_, i)| points[*i as usize]).collect(),
            keys: keyed.into_iter().map(|(key, _)| key).collect(),
        }
    }

    /// Calls `visit` for every point of a range, in order, with the ranges of points in the nine
    /// rows of three cells around its own, which ascend.
    pub(super) fn for_each(
        &self,
        points: Range<usize>,
        mut visit: impl FnMut(usize, &[Range<usize>; 9]),
    ) {
        let mut rows = self.rows_before(points.start);
        let mut last_key = None;
        for i in points {
            let key = self.keys[i];
            if last_key != Some(key) {
                last_key = Some(key);
                for (row, range) in rows.iter_mut().enumerate() {
                    let middle = middle_of_row(key, row);
                    range.start = self.first_from(range.start, middle - 1);
                    range.end = self.first_from(range.end.max(range.start), middle + 2);
                }
            }
            visit(i, &rows);
        }
    }

    /// Empty rows that begin where those of a point do.
    fn rows_before(&self, point: usize) -> [Range<usize>; 9] {
        std::array::from_fn(|row| {
            let low = self
                .keys
                .get(point)
                .map_or(0, |key| middle_of_row(*key, row) - 1);
            let start = self.keys.partition_point(|key| *key < low);
            start..start
        })
    }

    /// The first point from `start` on whose key is at least `key`.
    fn first_from(&self, start: usize, key: u64) -> usize {
        let before = self.keys[start..].iter().take_while(|k| **k < key);
        start + before.count()
    }
}

/// Cell coordinates from 1 up, so that neighbours below the first exist as numbers.
fn key_of(place: DVec3) -> u64 {
    let [x, y, z] = place
        .to_array()
        .map(|c| c.clamp(0.0, LAST - 1.0) as u64 + 1);
    (z << (2 * BITS)) | (y << BITS) | x
}

/// The key of the middle cell of one of the nine rows around a cell.
fn middle_of_row(key: u64, row: usize) -> u64 {
    let (up, ahead) = (row as u64 / 3, row as u64 % 3);
    key + (up << (2 * BITS)) + (ahead << BITS) - (1 << (2 * BITS)) - (1 << BITS)
}
