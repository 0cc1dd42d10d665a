//! Which contacts are projected at once.
//!
//! A contact belongs to the block of its particle. Cells are as wide as the widest contact reaches, so
//! that contacts of different blocks of one colour, which are two cells apart or more, have no particle
//! in common.
// Tasks of one colour write velocities at disjoint places; see `parallel::Shared`.
#![allow(unsafe_code)]

use std::ops::Range;

use pliant_math::{DVec3, Real, Vec3};

use super::contact::{HullContact, HullList};
use crate::contacts::Acceleration;
use crate::neighbors::BlockKey;
use crate::parallel::{self, Shared};

/// Contacts a task, or as many as share a block.
const CONTACTS: usize = 64;

/// Cells are this much wider than contacts reach, so that rounding moves none beyond the next.
const ROOM: f64 = 1.001;

/// What a contact is sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    color: usize,
    block: BlockKey,
    /// Its number as it was found.
    number: u32,
}

/// All tasks.
#[derive(Debug, Default)]
pub struct Tasks {
    /// Those in use come first; the others keep their memory.
    lists: Vec<HullList>,
    used: usize,
    /// The tasks of each colour.
    waves: Vec<Range<usize>>,
    found: Vec<HullContact>,
    keys: Vec<Key>,
}

impl Tasks {
    /// Without contacts.
    pub fn clear(&mut self) {
        self.used = 0;
        self.waves.clear();
    }

    /// Shares contacts out.
    pub fn plan<'a>(&mut self, found: impl Iterator<Item = &'a HullContact>, position: &[DVec3]) {
        self.clear();
        self.found.clear();
        self.found.extend(found);
        let widest = self.found.iter().map(|contact| contact.reach);
        let cell = ROOM * widest.fold(f64::MIN_POSITIVE, f64::max);
        self.keys.clear();
        self.keys
            .extend((0..).zip(&self.found).map(|(number, contact)| {
                let block = BlockKey::containing(position[contact.particle as usize], cell);
                Key {
                    color: block.color(),
                    block,
                    number,
                }
            }));
        self.keys.sort_unstable();
        let keys = std::mem::take(&mut self.keys);
        for of_color in keys.chunk_by(|a, b| a.color == b.color) {
            let first = self.used;
            let mut room = 0;
            for of_block in of_color.chunk_by(|a, b| a.block == b.block) {
                if room == 0 {
                    self.open_list();
                    room = CONTACTS;
                }
                let contacts = of_block.iter().map(|key| self.found[key.number as usize]);
                self.lists[self.used - 1].contacts.extend(contacts);
                room = room.saturating_sub(of_block.len());
            }
            self.waves.push(first..self.used);
        }
        self.keys = keys;
    }

    fn open_list(&mut self) {
        if self.used == self.lists.len() {
            self.lists.push(HullList::default());
        }
        self.lists[self.used].contacts.clear();
        self.lists[self.used].pressed = 0;
        self.used += 1;
    }

    /// Projects every contact once.
    pub fn project(&mut self, velocity: &mut [Vec3], inverse_mass: &[Real]) {
        for wave in &self.waves {
            let velocity = Shared::new(velocity);
            parallel::for_items(&mut self.lists[wave.clone()], |number, list| {
                // SAFETY: contacts of blocks of one colour share no particle, and a block is in one task.
                let mut velocity = unsafe { velocity.view(number as u32) };
                list.project(&mut velocity, inverse_mass);
            });
        }
    }

    /// Lets contacts that meet certain particles go further the way they went.
    pub fn accelerate(
        &mut self,
        velocity: &mut [Vec3],
        inverse_mass: &[Real],
        acceleration: &Acceleration,
    ) {
        for wave in &self.waves {
            let velocity = Shared::new(velocity);
            parallel::for_items(&mut self.lists[wave.clone()], |number, list| {
                // SAFETY: contacts of blocks of one colour share no particle, and a block is in one task.
                let mut velocity = unsafe { velocity.view(number as u32) };
                list.accelerate(&mut velocity, inverse_mass, acceleration);
            });
        }
    }

    /// All contacts, in the order in which they are projected.
    pub fn contacts(&self) -> impl Iterator<Item = &HullContact> {
        self.lists[..self.used]
            .iter()
            .flat_map(|list| &list.contacts)
    }

    /// Number of contacts that press.
    pub fn pressed_count(&self) -> usize {
        self.lists[..self.used]
            .iter()
            .map(|list| list.pressed)
            .sum()
    }
}
