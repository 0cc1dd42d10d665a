//! The map from stable ids to places in the columns, which are sorted in every substep.

use super::{Attachment, AttachmentKind};
use crate::particles::Particles;

const ABSENT: u32 = u32::MAX;

/// The place of each id that attachments name; scratch of the stepper.
#[derive(Clone, Debug, Default)]
pub struct IdMap {
    place_of_id: Vec<u32>,
}

impl IdMap {
    /// Room for the ids that attachments name.
    pub fn new(attachments: &[Attachment]) -> Self {
        let ids = attachments.iter().flat_map(|attachment| {
            let others = match &attachment.kind {
                AttachmentKind::Body { rods } => rods.as_slice(),
                _ => &[],
            };
            let bonded = others.iter().flat_map(|rod| [rod.first, rod.second]);
            attachment.particles.iter().copied().chain(bonded)
        });
        let count = ids.map(|id| id as usize + 1).max().unwrap_or(0);
        Self {
            place_of_id: vec![ABSENT; count],
        }
    }

    /// Looks where the particles are now.
    pub fn update(&mut self, particles: &Particles) {
        if self.place_of_id.is_empty() {
            return;
        }
        self.place_of_id.fill(ABSENT);
        for (place, &id) in particles.id.iter().enumerate() {
            if let Some(entry) = self.place_of_id.get_mut(id as usize) {
                *entry = place as u32;
            }
        }
    }

    /// Where a particle is, `None` if it has left the world.
    pub fn of(&self, id: u32) -> Option<usize> {
        let place = *self.place_of_id.get(id as usize)?;
        (place != ABSENT).then_some(place as usize)
    }
}
