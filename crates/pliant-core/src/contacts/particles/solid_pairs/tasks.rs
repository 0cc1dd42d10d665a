//! Which pairs are projected at once.
// Tasks of one colour write velocities at disjoint places; see `parallel::Shared`.
#![allow(unsafe_code)]

use pliant_math::{Real, Vec3};

use super::super::pair::{Pair, PairList};
use crate::constraints::TakenColors;
use crate::parallel::{self, Shared};

/// The pairs that two regions have between them.
#[derive(Debug, Default)]
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
    taken: TakenColors,
}

impl SolidTask {
    /// Begins anew with some pairs, and with some that are not known to be.
    pub fn start(
        &mut self,
        regions: [usize; 2],
        pairs: impl Iterator<Item = Pair>,
        near_surfaces: impl Iterator<Item = [u32; 2]>,
    ) {
        self.regions = regions.map(|region| region as u32);
        self.list.pairs.clear();
        self.list.pairs.extend(pairs);
        self.list.pressed = 0;
        self.near_surfaces.clear();
        self.near_surfaces.extend(near_surfaces);
    }

    /// Adds those of the doubtful pairs that are pairs.
    pub fn add(&mut self, pair: impl FnMut(&[u32; 2]) -> Option<Pair>) {
        let doubtful = &self.near_surfaces;
        self.list.pairs.extend(doubtful.iter().filter_map(pair));
    }

    /// The region that found it.
    pub fn owner(&self) -> usize {
        self.regions[0] as usize
    }

    /// True without pairs; doubtful ones count once they are added.
    pub fn is_empty(&self) -> bool {
        self.list.pairs.is_empty()
    }

    /// True if there may be pairs.
    pub fn may_have_pairs(&self) -> bool {
        !self.is_empty() || !self.near_surfaces.is_empty()
    }
}

impl Tasks {
    /// Removes all, for those who found them to use their memory again.
    pub fn drain(&mut self) -> impl Iterator<Item = SolidTask> {
        self.tasks.drain(..)
    }

    /// Takes over what was found, region after region.
    pub fn plan<'a>(
        &mut self,
        found: impl Iterator<Item = &'a mut Vec<SolidTask>>,
        regions: usize,
    ) {
        self.tasks.clear();
        found.for_each(|found| self.tasks.append(found));
        self.taken.clear(regions);
        for task in &mut self.tasks {
            task.color = self.taken.take(&task.regions) as u32;
        }
        // Two regions have one task at most.
        self.tasks
            .sort_unstable_by_key(|task| (task.color, task.regions));
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
