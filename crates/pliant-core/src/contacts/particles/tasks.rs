//! Who searches which pairs, and which of them are projected at once.
//!
//! A pair belongs to the one of its particles that reaches further. If that is no further than a cell, it
//! belongs to the block of cells of that particle: what a block's pairs touch lies in it and in the cells
//! next to it, so that two blocks of one colour, which are two cells apart or more, have no particle in
//! common. The blocks of one colour are a wave. Pairs of the few particles that reach further are shared
//! out with other contacts.

use std::ops::Range;

use pliant_math::simd::Instructions;

use super::PairSearch;
use super::pair::add_pair;
use super::sampled_surfaces::SampledContacts;
use super::search::{Around, Finder};
use super::spheres::Spheres;
use crate::contacts::solve::{ContactList, LinearContacts};
use crate::parallel;

/// Blocks a task.
const BLOCKS: usize = 32;

/// Wide particles a task.
const OVERSIZED: usize = 16;

/// What is searched one after the other.
#[derive(Debug, Default)]
pub struct Task {
    /// Whose pairs, among the blocks or the wide particles.
    owners: Range<usize>,
    /// The pairs, until they are handed over.
    contacts: ContactList,
    /// Those that may meet as particle and surface, by their places among the sorted spheres.
    near_surfaces: Vec<[u32; 2]>,
    /// Scratch of the search.
    around: Around,
}

/// The tasks of a substep.
#[derive(Debug, Default)]
pub struct Tasks {
    /// Those in use come first; the others keep their memory.
    tasks: Vec<Task>,
    used: usize,
    /// How many of the tasks in use search around blocks.
    of_blocks: usize,
    /// Number of tasks of each colour of blocks.
    wave_sizes: Vec<usize>,
    /// Blocks whose particles meet any, by colour.
    blocks: Vec<u32>,
    /// Places of those that reach further than a cell, among the sorted spheres.
    oversized: Vec<u32>,
}

impl Tasks {
    /// Shares the particles out among tasks.
    pub fn plan(&mut self, spheres: &Spheres) {
        self.used = 0;
        self.wave_sizes.clear();
        self.plan_blocks(spheres);
        self.of_blocks = self.used;
        self.plan_oversized(spheres);
    }

    /// Finds the pairs of every task.
    pub fn search(
        &mut self,
        instructions: Instructions,
        spheres: &Spheres,
        search: &PairSearch<'_>,
    ) {
        let (blocks, oversized, of_blocks) = (&self.blocks, &self.oversized, self.of_blocks);
        parallel::for_items(&mut self.tasks[..self.used], |number, task| {
            let owners = task.owners.clone();
            task.contacts.clear();
            task.near_surfaces.clear();
            let mut finder = Finder {
                spheres,
                search,
                instructions,
                around: &mut task.around,
                contacts: &mut task.contacts,
                near_surfaces: &mut task.near_surfaces,
            };
            if number < of_blocks {
                for &block in &blocks[owners] {
                    finder.add_block(block as usize);
                }
            } else {
                for &oversized in &oversized[owners] {
                    finder.add_oversized(oversized as usize);
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
    pub fn add_fallback_pairs(
        &mut self,
        spheres: &Spheres,
        sampled_surfaces: &SampledContacts,
        search: &PairSearch<'_>,
    ) {
        parallel::for_items(&mut self.tasks[..self.used], |_, task| {
            for places in &task.near_surfaces {
                let [i, j] = places.map(|place| &spheres.sorted[place as usize]);
                if !sampled_surfaces.handles(i, j) {
                    add_pair(i, j, search, &mut task.contacts);
                }
            }
        });
    }

    /// Hands over the contacts that were found.
    pub fn hand_over(&mut self, contacts: &mut LinearContacts) {
        let mut rest = &mut self.tasks[..self.used];
        for &size in &self.wave_sizes {
            let (wave, later) = rest.split_at_mut(size);
            rest = later;
            contacts.add_wave(wave.iter_mut().map(|task| &mut task.contacts));
        }
        contacts.add_loose(rest.iter_mut().map(|task| &mut task.contacts));
    }

    fn plan_blocks(&mut self, spheres: &Spheres) {
        self.blocks.clear();
        for color in 0..8 {
            let first = self.blocks.len();
            let all = 0..spheres.grid().block_count();
            let of_color = all.filter(|&b| spheres.has_candidates(b) && spheres.color(b) == color);
            self.blocks.extend(of_color.map(|b| b as u32));
            let end = self.blocks.len();
            let tasks_before = self.used;
            for start in (first..end).step_by(BLOCKS) {
                self.add_task(start..(start + BLOCKS).min(end));
            }
            self.wave_sizes.push(self.used - tasks_before);
        }
    }

    fn plan_oversized(&mut self, spheres: &Spheres) {
        self.oversized.clear();
        let places = (0..).zip(&spheres.sorted);
        let oversized = places.filter(|(_, sphere)| spheres.is_oversized(sphere));
        self.oversized
            .extend(oversized.map(|(place, _): (u32, _)| place));
        for start in (0..self.oversized.len()).step_by(OVERSIZED) {
            self.add_task(start..(start + OVERSIZED).min(self.oversized.len()));
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
