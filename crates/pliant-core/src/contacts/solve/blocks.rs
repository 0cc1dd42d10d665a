//! Which loose contacts are projected at once.
//!
//! A contact belongs to the block of its first particle, of cells that it does not reach beyond: contacts
//! of different blocks of one colour, which are two cells apart or more, have no particle in common.
//! Most contacts reach about as far as each other; those that reach further have cells of twice the
//! size, or four times, and so on, and waves of their own.

use std::ops::Range;

use pliant_math::DVec3;

use super::contact::{ContactList, Place, Term, order};
use crate::neighbors::BlockKey;
use crate::parallel;

/// Contacts a task, or as many as share a block.
const CONTACTS: usize = 32;

/// Cells are this much wider than contacts reach, so that rounding moves none beyond the next.
const ROOM: f64 = 1.001;

/// Cells are this many times as wide as contacts reach on average.
const WIDE: f64 = 2.0;

/// Sizes of cells at most: contacts that reach further have the largest.
const LEVELS: u32 = 64;

/// A contact and what it is sorted by.
#[derive(Clone, Copy, Debug)]
struct Key {
    /// Size of its cells times eight plus colour.
    wave: u32,
    block: BlockKey,
    /// Its number among all.
    number: u32,
    list: u32,
    place: Place,
    /// Distance of its first particle from the farthest of it [m].
    reach: f64,
}

/// How contacts are shared out; scratch.
#[derive(Debug, Default)]
pub struct Blocks {
    keys: Vec<Key>,
    /// The keys of each task.
    tasks: Vec<Range<usize>>,
    /// The tasks of each wave.
    waves: Vec<Range<usize>>,
}

impl Blocks {
    /// Shares contacts out. Inside a block, their order does not depend on who found them, unless
    /// particles and weights are the same.
    pub fn plan(&mut self, lists: &[ContactList], position: &[DVec3]) {
        self.keys.clear();
        for (list, contacts) in (0..).zip(lists) {
            let first = self.keys.len() as u32;
            let places = (first..).zip(contacts.places());
            self.keys.extend(places.map(|(number, place)| Key {
                wave: 0,
                block: BlockKey::new(0, 0, 0),
                number,
                list,
                place,
                reach: 0.0,
            }));
        }
        parallel::for_chunks(&mut self.keys, |_, keys| {
            for key in keys {
                key.reach = reach_of(lists[key.list as usize].terms_of(key.place), position);
            }
        });
        let keys = &self.keys;
        let sum = |range: Range<usize>| keys[range].iter().map(|key| key.reach).sum();
        let sum: f64 = parallel::ordered_fold(keys.len(), 0.0, sum, |a, b| a + b);
        let cell = (ROOM * WIDE * sum / keys.len().max(1) as f64).max(f64::MIN_POSITIVE);
        parallel::for_chunks(&mut self.keys, |_, keys| {
            for key in keys {
                let [first, ..] = lists[key.list as usize].terms_of(key.place) else {
                    continue;
                };
                let (level, size) = size_of_cells(ROOM * key.reach, cell);
                key.block = BlockKey::containing(position[first.place as usize], size);
                key.wave = 8 * level + key.block.color() as u32;
            }
        });
        let terms = |key: &Key| lists[key.list as usize].terms_of(key.place);
        parallel::sort_by(&mut self.keys, |a, b| {
            let by_block = (a.wave, a.block).cmp(&(b.wave, b.block));
            let by_terms = || order(terms(a), terms(b)).then(a.number.cmp(&b.number));
            by_block.then_with(by_terms)
        });
        self.divide();
    }

    /// Cuts the sorted keys into tasks.
    fn divide(&mut self) {
        self.tasks.clear();
        self.waves.clear();
        let mut start = 0;
        for of_wave in self.keys.chunk_by(|a, b| a.wave == b.wave) {
            let first = self.tasks.len();
            let mut count = 0;
            for of_block in of_wave.chunk_by(|a, b| a.block == b.block) {
                count += of_block.len();
                if count >= CONTACTS {
                    self.tasks.push(start..start + count);
                    start += count;
                    count = 0;
                }
            }
            if count > 0 {
                self.tasks.push(start..start + count);
                start += count;
            }
            self.waves.push(first..self.tasks.len());
        }
    }

    /// Number of tasks.
    pub fn task_count(&self) -> usize {
        self.tasks.len()
    }

    /// The tasks of each wave.
    pub fn waves(&self) -> impl Iterator<Item = Range<usize>> {
        self.waves.iter().cloned()
    }

    /// Gives each task its contacts.
    pub fn fill(&self, lists: &[ContactList], tasks: &mut [ContactList]) {
        parallel::for_items(tasks, |number, task| {
            task.clear();
            for key in &self.keys[self.tasks[number].clone()] {
                task.copy(&lists[key.list as usize], key.place);
            }
        });
    }
}

/// Distance of the first particle of a contact from the farthest of it [m].
fn reach_of(terms: &[Term], position: &[DVec3]) -> f64 {
    let [first, others @ ..] = terms else {
        return 0.0;
    };
    let from = position[first.place as usize];
    let squared = |term: &Term| from.distance_squared(position[term.place as usize]);
    others.iter().map(squared).fold(0.0, f64::max).sqrt()
}

/// How often a size is doubled until it holds a length, and what it is then [m].
fn size_of_cells(length: f64, least: f64) -> (u32, f64) {
    let (mut level, mut size) = (0, least);
    while length > size && level < LEVELS {
        level += 1;
        size *= 2.0;
    }
    (level, size)
}
