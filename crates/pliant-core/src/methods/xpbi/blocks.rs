//! The blocks of a continuum by colour, and the runs of one material inside them.

use std::ops::Range;

use crate::neighbors::{BlockGrid, SpatialOrder};

/// Consecutive particles of one material.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Index of the material.
    pub material: u32,
    begin: u32,
    end: u32,
}

impl Run {
    /// The particles.
    #[inline(always)]
    pub fn particles(&self) -> Range<usize> {
        self.begin as usize..self.end as usize
    }
}

/// Blocks of 4r: which are of one colour, and what they hold.
#[derive(Debug, Default)]
pub struct Blocks {
    /// The blocks of each colour.
    pub colors: [Vec<u32>; 8],
    runs: Vec<Run>,
    first_run: Vec<u32>,
}

impl Blocks {
    /// Reads the blocks off a sorted order. `materials` are those that the order's groups count.
    pub fn update(&mut self, order: &SpatialOrder, grid: BlockGrid<'_>, materials: &[u32]) {
        self.colors.iter_mut().for_each(Vec::clear);
        self.runs.clear();
        self.first_run.clear();
        for (block, key) in order.blocks.iter().enumerate() {
            self.colors[key.color()].push(block as u32);
            self.first_run.push(self.runs.len() as u32);
            let first = self.runs.len();
            grid.groups(block, |material, range| {
                self.add_run(first, materials[material], range);
            });
        }
        self.first_run.push(self.runs.len() as u32);
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.first_run.len().saturating_sub(1)
    }

    /// The runs of a block.
    #[inline]
    pub fn runs(&self, block: u32) -> &[Run] {
        let b = block as usize;
        &self.runs[self.first_run[b] as usize..self.first_run[b + 1] as usize]
    }

    /// The particles of a block.
    #[inline]
    pub fn particles(&self, block: u32) -> Range<usize> {
        let runs = self.runs(block);
        runs[0].begin as usize..runs[runs.len() - 1].end as usize
    }

    /// Adds particles to the block's last run if they are of its material, else starts a run.
    fn add_run(&mut self, first: usize, material: u32, range: Range<usize>) {
        let (begin, end) = (range.start as u32, range.end as u32);
        match self.runs[first..].last_mut() {
            Some(last) if last.material == material => last.end = end,
            _ => self.runs.push(Run {
                material,
                begin,
                end,
            }),
        }
    }
}
