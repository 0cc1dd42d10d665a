//! Warm start of contacts between particles: they start a substep with what they did in the last one.
//!
//! Four sweeps a substep take impulses a few layers far. Under gravity each substep starts with the same weights to be
//! carried, and a heap of grains that began with nothing each time would sink into itself.

use pliant_math::{Real, Vec3};
use serde::{Deserialize, Serialize};

use crate::contacts::solve::ContactMultiplier;
use crate::particles::Particles;

/// Share of what a contact did in the last substep with which it starts the next one. With all of it heaps tremble; the
/// less it is, the further they sink.
const STARTING: Real = 0.9;

/// What a contact of two particles did, by the id of the lesser one first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KeptContact {
    /// Ids of the particles, the lesser one first.
    pub ids: [u32; 2],
    /// Acceleration of their relative motion that pushed them apart [m/s2], > 0.
    pub normal: Real,
    /// That along the surface, of the first relative to the second [m/s2].
    pub tangential: Vec3,
}

/// Contacts of the last substep, in the order in which they were projected.
pub type KeptContacts = Vec<KeptContact>;

/// In the place of a contact's number.
const NONE: u32 = u32::MAX;

/// Where the contacts of each particle are among those that were kept; scratch.
#[derive(Debug, Default)]
pub struct KeptIndex {
    /// Of each id, a contact of which it is the lesser one; [`NONE`] without.
    first: Vec<u32>,
    /// Of each contact, another one with the same lesser id.
    next: Vec<u32>,
}

/// Contacts of the last substep as a search looks them up.
#[derive(Clone, Copy)]
pub struct KeptSearch<'a> {
    contacts: &'a [KeptContact],
    index: &'a KeptIndex,
    id: &'a [u32],
    dt: f64,
}

impl KeptIndex {
    /// Prepares for a search in a substep of `dt` [s].
    pub fn search<'a>(
        &'a mut self,
        contacts: &'a [KeptContact],
        particles: &'a Particles,
        dt: f64,
    ) -> KeptSearch<'a> {
        self.first.clear();
        self.next.clear();
        for (number, contact) in (0..).zip(contacts) {
            let lesser = contact.ids[0] as usize;
            if self.first.len() <= lesser {
                self.first.resize(lesser + 1, NONE);
            }
            self.next
                .push(std::mem::replace(&mut self.first[lesser], number));
        }
        KeptSearch {
            contacts,
            index: self,
            id: &particles.id,
            dt,
        }
    }

    /// The numbers of the contacts of which a particle is the lesser one.
    fn of(&self, lesser: u32) -> impl Iterator<Item = usize> {
        let number = |number: &u32| (*number != NONE).then_some(*number);
        let first = self.first.get(lesser as usize).and_then(number);
        let numbers = std::iter::successors(first, move |&at| number(&self.next[at as usize]));
        numbers.map(|number| number as usize)
    }
}

impl KeptSearch<'_> {
    /// What the contact of the particles at two places starts with, if it was there.
    pub fn start(&self, places: [u32; 2], normal: Vec3) -> Option<ContactMultiplier> {
        let [one, other] = places.map(|place| self.id[place as usize]);
        let [lesser, greater] = [one.min(other), one.max(other)];
        let mut contacts = self.index.of(lesser).map(|number| &self.contacts[number]);
        let contact = contacts.find(|contact| contact.ids[1] == greater)?;
        let time = STARTING * self.dt as Real;
        let along = match one == lesser {
            true => contact.tangential,
            false => -contact.tangential,
        };
        Some(ContactMultiplier {
            normal: contact.normal * time,
            tangential: (along - normal * along.dot(normal)) * time,
        })
    }
}

impl KeptContact {
    /// What two particles, named by ids, did to each other in a substep of `dt` [s]; `None` if they did not press.
    pub fn new([one, other]: [u32; 2], did: ContactMultiplier, dt: f64) -> Option<Self> {
        let rate = (1.0 / dt) as Real;
        let along = match one < other {
            true => did.tangential,
            false => -did.tangential,
        };
        (did.normal > 0.0).then(|| Self {
            ids: [one.min(other), one.max(other)],
            normal: did.normal * rate,
            tangential: along * rate,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_math::DVec3;

    fn particles(ids: &[u32]) -> Particles {
        let mut particles = Particles::default();
        for &id in ids {
            particles.id.push(id);
            particles.position.push(DVec3::ZERO);
        }
        particles
    }

    #[test]
    fn a_contact_starts_with_what_it_did_whoever_of_its_particles_is_named_first() {
        let did = ContactMultiplier {
            normal: 2.0,
            tangential: Vec3::X,
        };
        let kept: Vec<_> = [[7, 3], [3, 5], [9, 7]]
            .into_iter()
            .filter_map(|ids| KeptContact::new(ids, did, 0.1))
            .collect();
        let particles = particles(&[3, 5, 7, 9, 11]);
        let mut index = KeptIndex::default();
        let search = index.search(&kept, &particles, 0.2);
        // Twice the substep, so twice as much.
        let scale = 2.0 * STARTING;
        let is = |places, tangential: Vec3| {
            let start = search.start(places, Vec3::Y).expect("it was there");
            (start.normal - 2.0 * scale).abs() < 1e-6
                && (start.tangential - tangential * scale).length() < 1e-6
        };
        assert!(is([2, 0], Vec3::X) && is([0, 2], -Vec3::X));
        assert!(is([0, 1], Vec3::X) && is([3, 2], Vec3::X));
        for absent in [[1, 2], [0, 3], [4, 0], [4, 3]] {
            assert!(search.start(absent, Vec3::Y).is_none(), "{absent:?}");
        }
    }

    #[test]
    fn what_does_not_press_is_not_kept() {
        assert_eq!(
            KeptContact::new([0, 1], ContactMultiplier::default(), 0.1),
            None
        );
    }
}
