//! Who searches and projects which pairs, and when.
//!
//! A pair belongs to the one of its particles that reaches further, and with it to a block of cells
//! which that particle and lesser ones do not reach beyond. What a block's pairs touch lies in it and
//! in the cells next to it, so that two blocks of one colour, which are two cells apart or more, have
//! no particle in common. Blocks of usual cells are those that the particles are sorted in; the few
//! particles that reach further have blocks of twice the size, or four times, and so on.
//!
//! A wave is what runs at once: the tasks of one size of cells and one colour.

use std::ops::Range;

use pliant_math::simd::Instructions;

use super::PairSearch;
use super::hulls::HullContacts;
use super::pair::{Pair, PairList};
use super::search::{Around, Finder};
use super::spheres::Spheres;
use crate::neighbors::BlockKey;
use crate::parallel;

/// Blocks a task.
const BLOCKS: usize = 32;

/// Wide particles a task, or as many as share a block.
const WIDE: usize = 16;

/// Pairs that are projected one after the other.
#[derive(Debug, Default)]
pub struct Task {
    /// Whose pairs, among the blocks or the wide particles.
    owners: Range<usize>,
    /// The pairs.
    pub list: PairList,
    /// Those that may meet as particle and surface, by their places among the sorted spheres.
    near_surfaces: Vec<[u32; 2]>,
    /// Scratch of the search.
    around: Around,
}

/// A particle that reaches further than a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Wide {
    level: u32,
    color: usize,
    block: BlockKey,
    place: u32,
}

/// The tasks of a substep.
#[derive(Debug, Default)]
pub struct Tasks {
    /// Those in use come first; the others keep their memory.
    tasks: Vec<Task>,
    used: usize,
    /// How many of the tasks in use search around blocks.
    of_blocks: usize,
    /// Number of tasks of each wave.
    wave_sizes: Vec<usize>,
    /// Blocks whose particles meet any, by colour.
    blocks: Vec<u32>,
    wide: Vec<Wide>,
}

impl Tasks {
    /// Shares the particles out among tasks.
    pub fn plan(&mut self, spheres: &Spheres) {
        self.used = 0;
        self.wave_sizes.clear();
        self.plan_blocks(spheres);
        self.of_blocks = self.used;
        self.plan_wide(spheres);
    }

    /// Finds the pairs of every task.
    pub fn search(
        &mut self,
        instructions: Instructions,
        spheres: &Spheres,
        search: &PairSearch<'_>,
    ) {
        let (blocks, wide, of_blocks) = (&self.blocks, &self.wide, self.of_blocks);
        parallel::for_items(&mut self.tasks[..self.used], |number, task| {
            let owners = task.owners.clone();
            task.list.pressed = 0;
            task.list.pairs.clear();
            task.near_surfaces.clear();
            let mut finder = Finder {
                spheres,
                search,
                instructions,
                around: &mut task.around,
                pairs: &mut task.list.pairs,
                near_surfaces: &mut task.near_surfaces,
            };
            if number < of_blocks {
                for &block in &blocks[owners] {
                    finder.add_block(block as usize);
                }
            } else {
                for wide in &wide[owners] {
                    finder.add_wide(wide.place as usize);
                }
            }
        });
    }

    /// The particles that may meet as particle and surface.
    pub fn near_surfaces<'a>(
        &'a self,
        spheres: &'a Spheres,
    ) -> impl Iterator<Item = [u32; 2]> + 'a {
        let pairs = self.tasks[..self.used].iter();
        let pairs = pairs.flat_map(|task| &task.near_surfaces);
        pairs.map(|places| places.map(|place| spheres.sorted[place as usize].particle))
    }

    /// Adds as pairs of spheres those that do not meet as particle and surface.
    pub fn add_uncovered(
        &mut self,
        spheres: &Spheres,
        hulls: &HullContacts,
        search: &PairSearch<'_>,
    ) {
        parallel::for_items(&mut self.tasks[..self.used], |_, task| {
            for places in &task.near_surfaces {
                let [i, j] = places.map(|place| &spheres.sorted[place as usize]);
                if !hulls.cover(i, j) {
                    task.list.pairs.extend(Pair::of(i, j, search));
                }
            }
        });
    }

    /// All tasks.
    pub fn iter(&self) -> impl Iterator<Item = &Task> {
        self.tasks[..self.used].iter()
    }

    /// The tasks that may run at once, wave after wave.
    pub fn waves(&mut self) -> impl Iterator<Item = &mut [Task]> {
        let mut rest = &mut self.tasks[..];
        self.wave_sizes.iter().map(move |&size| {
            let (wave, later) = std::mem::take(&mut rest).split_at_mut(size);
            rest = later;
            wave
        })
    }

    fn plan_blocks(&mut self, spheres: &Spheres) {
        self.blocks.clear();
        for color in 0..8 {
            let first = self.blocks.len();
            let all = 0..spheres.grid().block_count();
            let of_color = all.filter(|&b| spheres.is_busy(b) && spheres.color(b) == color);
            self.blocks.extend(of_color.map(|b| b as u32));
            let end = self.blocks.len();
            let tasks_before = self.used;
            for start in (first..end).step_by(BLOCKS) {
                self.add_task(start..(start + BLOCKS).min(end));
            }
            self.wave_sizes.push(self.used - tasks_before);
        }
    }

    fn plan_wide(&mut self, spheres: &Spheres) {
        self.wide.clear();
        for (place, sphere) in spheres.sorted.iter().enumerate() {
            if spheres.is_wide(sphere) {
                let (level, block) = spheres.level(sphere);
                self.wide.push(Wide {
                    level,
                    color: block.color(),
                    block,
                    place: place as u32,
                });
            }
        }
        self.wide.sort_unstable();
        let mut end = 0;
        while end < self.wide.len() {
            let (start, first) = (end, self.wide[end]);
            let is_of_wave = |w: &Wide| (w.level, w.color) == (first.level, first.color);
            let is_of_task = |k: usize| {
                let shares_block = self.wide[k].block == self.wide[k - 1].block;
                is_of_wave(&self.wide[k]) && (k - start < WIDE || shares_block)
            };
            end = (start + 1..self.wide.len())
                .find(|&k| !is_of_task(k))
                .unwrap_or(self.wide.len());
            let begins_wave = start == 0 || !is_of_wave(&self.wide[start - 1]);
            self.add_task(start..end);
            if begins_wave {
                self.wave_sizes.push(0);
            }
            if let Some(size) = self.wave_sizes.last_mut() {
                *size += 1;
            }
        }
    }

    fn add_task(&mut self, owners: Range<usize>) {
        if self.used == self.tasks.len() {
            self.tasks.push(Task::default());
        }
        self.tasks[self.used].owners = owners;
        self.used += 1;
    }
}
