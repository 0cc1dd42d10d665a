//! Particles that attachments hold together with another body: where bodies are tied, they are no contacts of each
//! other. They touch there from the start, and contacts between what is tied would press it apart and rub it.

/// In the place of an entry's number.
const NONE: u32 = u32::MAX;

/// Marks the numbers of rigid bodies among those of bodies.
const RIGID: u32 = 1 << 31;

/// The bodies that particles are tied to; scratch of the stepper.
#[derive(Clone, Debug, Default)]
pub struct TiedParticles {
    /// Of each particle the first of its entries.
    first: Vec<u32>,
    entries: Vec<Entry>,
    /// The particles that have any.
    tied: Vec<u32>,
    /// The body of each particle, if any is tied.
    bodies: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    body: u32,
    next: u32,
}

/// What a particle is tied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TiedTo {
    /// A body, by its index.
    Body(u32),
    /// A rigid body, by its number among these.
    Rigid(u32),
}

impl TiedParticles {
    /// Lists who is tied to whom.
    ///
    /// * `bodies` — of all particles
    /// * `ties` — places of particles, and what each is tied to
    pub fn list(&mut self, bodies: &[u32], ties: impl Iterator<Item = (usize, TiedTo)>) {
        for place in self.tied.drain(..) {
            self.first[place as usize] = NONE;
        }
        self.entries.clear();
        self.bodies.clear();
        for (place, to) in ties {
            if self.bodies.is_empty() {
                self.bodies.extend_from_slice(bodies);
                self.first.resize(bodies.len(), NONE);
            }
            let body = match to {
                TiedTo::Body(body) => body,
                TiedTo::Rigid(number) => RIGID | number,
            };
            self.add(place, body);
        }
    }

    fn add(&mut self, place: usize, body: u32) {
        if self.is_tied_to(place, body) {
            return;
        }
        let next = self.first[place];
        if next == NONE {
            self.tied.push(place as u32);
        }
        self.first[place] = self.entries.len() as u32;
        self.entries.push(Entry { body, next });
    }

    /// True if nothing is tied.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether a particle is tied to a body.
    pub fn is_tied_to(&self, place: usize, body: u32) -> bool {
        let mut at = self.first.get(place).copied().unwrap_or(NONE);
        while at != NONE {
            let entry = self.entries[at as usize];
            if entry.body == body {
                return true;
            }
            at = entry.next;
        }
        false
    }

    /// Whether a particle is tied to a rigid body, by its number.
    #[inline]
    pub fn is_tied_to_rigid(&self, place: usize, rigid: u32) -> bool {
        !self.is_empty() && self.is_tied_to(place, RIGID | rigid)
    }

    /// Whether what is made of some particles of one body and what is made of some of another are where these two are
    /// tied, so that they do not meet.
    #[inline]
    pub fn are_tied(&self, ones: &[u32], others: &[u32]) -> bool {
        !self.is_empty() && self.meet_at_a_tie(ones, others)
    }

    fn meet_at_a_tie(&self, ones: &[u32], others: &[u32]) -> bool {
        let (Some(&one), Some(&other)) = (ones.first(), others.first()) else {
            return false;
        };
        let [one, other] = [one, other].map(|place| self.bodies[place as usize]);
        let has_end =
            |places: &[u32], body| places.iter().any(|&i| self.is_tied_to(i as usize, body));
        has_end(ones, other) && has_end(others, one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_ties_do_not_meet_and_what_is_beside_them_does() {
        let bodies = [0, 0, 1, 1, 2];
        let ends = [(0, 1), (2, 0), (3, 0), (0, 2), (4, 0)];
        let ties = ends.map(|(place, body)| (place, TiedTo::Body(body)));
        let mut tied = TiedParticles::default();
        tied.list(&bodies, ties.into_iter().chain([(1, TiedTo::Rigid(0))]));
        assert!(tied.are_tied(&[0], &[2]) && tied.are_tied(&[4], &[0]));
        assert!(tied.are_tied(&[1, 0], &[3]) && tied.are_tied(&[3, 2], &[1, 0]));
        assert!(!tied.are_tied(&[1], &[2]) && !tied.are_tied(&[2], &[4]));
        assert!(tied.is_tied_to_rigid(1, 0) && !tied.is_tied_to_rigid(1, 1));
        tied.list(&bodies, std::iter::empty());
        assert!(tied.is_empty() && !tied.are_tied(&[0], &[2]));
        assert!(!tied.is_tied_to_rigid(1, 0));
    }
}
