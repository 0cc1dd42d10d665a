//! Which pairs are projected at once.
// Tasks of one colour write velocities at disjoint places; see `parallel::Shared`.
#![allow(unsafe_code)]

use pliant_math::{Real, Vec3};

use super::super::pair::{Pair, PairList};
use crate::constraints::colors;
use crate::parallel::{self, Shared};

/// The pairs that two regions have between them.
#[derive(Debug)]
pub struct SolidTask {
    regions: [u32; 2],
    color: u32,
    list: PairList,
    /// Particles of different continua that may meet as particle and surface.
    pub near_surfaces: Vec<[u32; 2]>,
}

/// All tasks, by colour.
#[derive(Debug, Default)]
pub struct Tasks {
    tasks: Vec<SolidTask>,
}

impl SolidTask {
    /// A task of some pairs, and of some that are not known to be.
    pub fn new(regions: [usize; 2], pairs: Vec<Pair>, near_surfaces: Vec<[u32; 2]>) -> Self {
        Self {
            regions: regions.map(|region| region as u32),
            color: 0,
            list: PairList {
                pairs,
                ..PairList::default()
            },
            near_surfaces,
        }
    }

    /// Adds those of the doubtful pairs that are pairs.
    pub fn add(&mut self, pair: impl FnMut(&[u32; 2]) -> Option<Pair>) {
        let doubtful = &self.near_surfaces;
        self.list.pairs.extend(doubtful.iter().filter_map(pair));
    }

    /// True without pairs.
    pub fn is_empty(&self) -> bool {
        self.list.pairs.is_empty()
    }
}

impl Tasks {
    /// Takes over what was found, region after region.
    pub fn plan<'a>(
        &mut self,
        found: impl Iterator<Item = &'a mut Vec<SolidTask>>,
        regions: usize,
    ) {
        self.tasks.clear();
        found.for_each(|found| self.tasks.append(found));
        let points = self.tasks.iter().map(|task| &task.regions[..]);
        let of_color = colors(points, regions);
        for (color, numbers) in (0..).zip(of_color) {
            for number in numbers {
                self.tasks[number as usize].color = color;
            }
        }
        self.tasks.sort_by_key(|task| task.color);
    }

    /// Projects every pair once.
    pub fn project(&mut self, velocity: &mut [Vec3], inverse_mass: &[Real]) {
        for wave in self.tasks.chunk_by_mut(|a, b| a.color == b.color) {
            let velocity = Shared::new(velocity);
            parallel::for_items(wave, |number, task| {
                // SAFETY: tasks of one colour share no region, and each particle is in one region.
                let mut velocity = unsafe { velocity.view(number as u32) };
                task.list.project(&mut velocity, inverse_mass);
            });
        }
    }

    /// The pairs of each task.
    pub fn lists(&self) -> impl Iterator<Item = &PairList> {
        self.tasks.iter().map(|task| &task.list)
    }
}
