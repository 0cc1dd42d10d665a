//! One solver for all contacts whose relative velocity is linear in the velocities of particles.
//!
//! Contacts are projected in waves, one after the other; the tasks of a wave share no particle, so they
//! run at once, and inside a task the order is fixed: the result does not depend on threads. Searches
//! that colour what they find hand in whole waves. All other contacts are shared out here, by where they
//! are (`blocks`).
// Tasks of one wave write velocities at disjoint places; see `parallel::Shared`.
#![allow(unsafe_code)]

mod blocks;
mod contact;
mod ellipse;
mod extrapolation;
mod friction;
mod impulse;
#[cfg(test)]
mod tests;

use std::ops::Range;

use pliant_math::{DVec3, Real, Vec3};

pub use self::contact::{ContactList, LinearRule, Term};
pub use self::extrapolation::{Before, Extrapolation};
pub use self::friction::{ContactMultiplier, ContactRule, Grain, GrainAt, target_speed};
pub use self::impulse::{Impulse, ImpulseContact};

use self::blocks::Blocks;
use crate::parallel::{self, Shared, View};

/// The contacts of a substep; scratch of the stepper.
#[derive(Debug, Default)]
pub struct LinearContacts {
    /// The contacts of each task; those in use come first, the others keep their memory.
    tasks: Vec<ContactList>,
    used: usize,
    /// The tasks of each wave.
    waves: Vec<Range<usize>>,
    /// Contacts that are still to be shared out.
    loose: Loose,
    blocks: Blocks,
    /// Where the entries of each list begin in a column that is collected.
    starts: Vec<usize>,
}

/// Lists of contacts in no wave; those in use come first.
#[derive(Debug, Default)]
struct Loose {
    lists: Vec<ContactList>,
    used: usize,
}

impl LinearContacts {
    /// Without contacts.
    pub fn start(&mut self) {
        self.used = 0;
        self.waves.clear();
        self.loose.used = 0;
    }

    /// Takes over contacts in lists of which no two share a particle, and gives memory in exchange.
    pub fn add_wave<'a>(&mut self, lists: impl Iterator<Item = &'a mut ContactList>) {
        let first = self.used;
        for list in lists.filter(|list| !list.is_empty()) {
            exchange(&mut self.tasks, &mut self.used, list);
        }
        self.waves.push(first..self.used);
    }

    /// Takes over contacts for [`Self::share_out`], and gives memory in exchange. Of contacts with the
    /// same particles and weights, those that come first here are projected first.
    pub fn add_loose<'a>(&mut self, lists: impl Iterator<Item = &'a mut ContactList>) {
        for list in lists.filter(|list| !list.is_empty()) {
            exchange(&mut self.loose.lists, &mut self.loose.used, list);
        }
    }

    /// Shares out what is in no wave yet.
    ///
    /// * `position` — of all particles [m]
    pub fn share_out(&mut self, position: &[DVec3]) {
        let loose = &self.loose.lists[..self.loose.used];
        self.blocks.plan(loose, position);
        let first = self.used;
        let count = self.blocks.task_count();
        if self.tasks.len() < first + count {
            self.tasks.resize_with(first + count, ContactList::default);
        }
        self.blocks
            .fill(loose, &mut self.tasks[first..first + count]);
        let waves = self.blocks.waves();
        self.waves
            .extend(waves.map(|wave| first + wave.start..first + wave.end));
        self.used = first + count;
    }

    /// Applies what contacts begin with.
    pub fn start_warm(&mut self, velocity: &mut [Vec3], inverse_mass: &[Real]) {
        self.in_waves(velocity, |list, velocity| {
            list.start_warm(velocity, inverse_mass);
        });
    }

    /// Projects every contact once: non-penetration, then friction.
    pub fn project(&mut self, velocity: &mut [Vec3], inverse_mass: &[Real]) {
        self.in_waves(velocity, |list, velocity| {
            list.project(velocity, inverse_mass);
        });
    }

    /// Extrapolates the contacts of certain particles.
    pub fn extrapolate(
        &mut self,
        velocity: &mut [Vec3],
        inverse_mass: &[Real],
        extrapolation: &Extrapolation,
    ) {
        self.in_waves(velocity, |list, velocity| {
            list.extrapolate(velocity, inverse_mass, extrapolation);
        });
    }

    /// Calls `act` for each list, wave after wave.
    fn in_waves(
        &mut self,
        velocity: &mut [Vec3],
        act: impl Fn(&mut ContactList, &mut View<'_, Vec3>) + Sync,
    ) {
        for wave in &self.waves {
            let velocity = Shared::new(velocity);
            parallel::for_items(&mut self.tasks[wave.clone()], |number, list| {
                // SAFETY: the tasks of a wave share no particle.
                let mut velocity = unsafe { velocity.view(number as u32) };
                act(list, &mut velocity);
            });
        }
    }

    /// Fills a column with what is told of each contact by its terms and what it has done, in the order in which they
    /// are projected.
    pub fn collect<T: Copy + Default + Send + Sync>(
        &mut self,
        told: impl Fn(&[Term], ContactMultiplier) -> Option<T> + Sync,
        column: &mut Vec<T>,
    ) {
        let lists = &self.tasks[..self.used];
        let of_list = |number: usize| {
            let done = lists[number].done();
            done.filter_map(|(terms, did)| told(terms, did))
        };
        self.starts.clear();
        self.starts.resize(lists.len() + 1, 0);
        parallel::for_items(&mut self.starts[1..], |number, count| {
            *count = of_list(number).count();
        });
        for number in 0..lists.len() {
            self.starts[number + 1] += self.starts[number];
        }
        column.resize(self.starts[lists.len()], T::default());
        let (starts, column) = (&self.starts, Shared::new(column));
        parallel::for_indices(lists.len(), |number| {
            // SAFETY: each list has a range of its own.
            let mut column = unsafe { column.view(number as u32) };
            let entries = column.range(starts[number]..starts[number + 1]);
            for (entry, told) in entries.iter_mut().zip(of_list(number)) {
                *entry = told;
            }
        });
    }

    /// Adds the impulse [N s] of the contacts in this substep to their particles.
    pub fn add_impulses(&self, inverse_mass: &[Real], impulses: &mut [DVec3]) {
        for list in self.lists() {
            list.add_impulses(inverse_mass, impulses);
        }
    }

    /// Number of contacts that press.
    pub fn pressed_count(&self) -> usize {
        self.lists().map(ContactList::pressed_count).sum()
    }

    /// The contacts of each task, in the order in which they are projected.
    pub fn lists(&self) -> impl Iterator<Item = &ContactList> {
        self.tasks[..self.used].iter()
    }
}

/// Takes a list over into the next place of others.
fn exchange(lists: &mut Vec<ContactList>, used: &mut usize, list: &mut ContactList) {
    if *used == lists.len() {
        lists.push(ContactList::default());
    }
    std::mem::swap(&mut lists[*used], list);
    list.clear();
    *used += 1;
}
