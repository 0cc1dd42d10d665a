//! What a neighbour search tests, and the lists that it finds.

use std::ops::Range;

use super::LANES;
use crate::Real;

/// Points of three columns in runs of up to sixteen that lie one after the other.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    list: Vec<Run>,
    points: usize,
    end: usize,
}

/// Up to sixteen points one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// The number of the first.
    pub first: u32,
    /// A bit for each that is there.
    pub there: u16,
}

impl Runs {
    /// Removes all.
    pub fn clear(&mut self) {
        self.list.clear();
        self.points = 0;
        self.end = 0;
    }

    /// Adds the points of these numbers.
    pub fn add(&mut self, numbers: Range<u32>) {
        self.points += numbers.len();
        for first in numbers.clone().step_by(LANES) {
            let there = (numbers.end - first).min(LANES as u32);
            self.list.push(Run {
                first,
                there: (u32::from(u16::MAX) >> (LANES as u32 - there)) as u16,
            });
            self.end = self.end.max(first as usize + LANES);
        }
    }

    /// The runs in the order in which they were added.
    pub fn list(&self) -> &[Run] {
        &self.list
    }

    /// How many points there are.
    pub fn points(&self) -> usize {
        self.points
    }

    /// The length that columns must have: sixteen points from the first one of each run on.
    pub fn end(&self) -> usize {
        self.end
    }
}

/// Points by axis and a sphere around one of them.
#[derive(Clone, Copy, Debug)]
pub struct Near<'a> {
    /// The points, by axis; columns of equal length.
    pub points: [&'a [Real]; 3],
    /// Those that are tested.
    pub runs: &'a Runs,
    /// The number of the point in the center, which is not kept.
    pub own: u32,
    /// The squared radius of the sphere: points strictly inside are near.
    pub limit: Real,
}

impl Near<'_> {
    /// The point in the center.
    ///
    /// # Panics
    /// If the columns are shorter than the runs need, or `kept` has no room from place `count` on.
    #[inline(always)]
    pub(super) fn checked_center(&self, kept: &[u32], count: usize) -> [Real; 3] {
        let needed = self.runs.end().max(self.own as usize + 1);
        assert!(
            self.points.iter().all(|column| column.len() >= needed),
            "columns end before the points"
        );
        assert!(
            count + self.runs.points() + LANES <= kept.len(),
            "no room for what is near"
        );
        self.points.map(|column| column[self.own as usize])
    }
}

/// A list among the numbers of many lists.
#[derive(Clone, Copy, Debug, Default)]
pub struct List {
    /// Where it starts.
    pub start: u32,
    /// How many numbers it has.
    pub count: u32,
    /// What stands behind its end.
    pub filler: u32,
}

impl List {
    /// The number at a place of the list, or the filler.
    #[inline(always)]
    pub(super) fn number(&self, numbers: &[u32], place: usize) -> u32 {
        if place < self.count as usize {
            numbers[self.start as usize + place]
        } else {
            self.filler
        }
    }
}
