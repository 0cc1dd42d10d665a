//! Particles that attachments hold together with another body: where bodies are tied, they are no contacts of each
//! other. They touch there from the start, and contacts between what is tied would press it apart and rub it.

use crate::attachments::{Attachment, AttachmentKind};
use crate::particles::{IdMap, Particles};

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
    /// The body of each particle.
    bodies: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    body: u32,
    next: u32,
}

impl TiedParticles {
    /// Lists who is tied to whom, by rods or to rigid bodies.
    pub fn find(&mut self, attachments: &[Attachment], places: &IdMap, particles: &Particles) {
        for place in self.tied.drain(..) {
            self.first[place as usize] = NONE;
        }
        self.entries.clear();
        self.first.resize(particles.len(), NONE);
        for attachment in attachments {
            match &attachment.kind {
                AttachmentKind::Body { rods } => {
                    for rod in rods {
                        let ends = places.of(rod.first).zip(places.of(rod.second));
                        let Some((i, j)) = ends else { continue };
                        self.add(i, particles.body[j]);
                        self.add(j, particles.body[i]);
                    }
                }
                AttachmentKind::Rigid { body, .. } => {
                    let present = attachment.particles.iter();
                    for place in present.filter_map(|&id| places.of(id)) {
                        self.add(place, RIGID | body);
                    }
                }
                _ => {}
            }
        }
        self.bodies.clear();
        if !self.is_empty() {
            self.bodies.extend_from_slice(&particles.body);
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
    use crate::attachments::Rod;
    use pliant_math::DVec3;

    #[test]
    fn ends_of_rods_are_tied_and_what_is_beside_them_is_not() {
        let particles = Particles {
            id: (0..5).collect(),
            body: vec![0, 0, 1, 1, 2],
            position: vec![DVec3::ZERO; 5],
            ..Particles::default()
        };
        let rod = |first, second| Rod {
            first,
            second,
            length: 1.0,
        };
        let attachment = |rods| Attachment {
            name: "tie".to_owned(),
            particles: Vec::new(),
            kind: AttachmentKind::Body { rods },
        };
        let attachments = [attachment(vec![rod(0, 2), rod(0, 3), rod(0, 4)])];
        let mut places = IdMap::new(0..5);
        places.update(&particles.id);
        let mut tied = TiedParticles::default();
        tied.find(&attachments, &places, &particles);
        assert!(tied.are_tied(&[0], &[2]) && tied.are_tied(&[4], &[0]));
        assert!(tied.are_tied(&[1, 0], &[3]) && tied.are_tied(&[3, 2], &[1, 0]));
        assert!(!tied.are_tied(&[1], &[2]) && !tied.are_tied(&[2], &[4]));
        tied.find(&[], &places, &particles);
        assert!(tied.is_empty() && !tied.are_tied(&[0], &[2]));
    }
}
