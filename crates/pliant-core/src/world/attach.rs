//! Particles that are attached and released between substeps.

use std::sync::Arc;

use pliant_math::Vec3;
use rustc_hash::FxHashSet;

use super::{Setup, World};
use crate::attachments::{Attachment, AttachmentKind};

/// Why particles cannot be attached or released.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AttachError {
    /// Another attachment has its name.
    #[error("there is an attachment \"{0}\" already; release it, or take another name")]
    Taken(String),
    /// It holds nothing.
    #[error("\"{0}\" holds no particle: nothing of the body is there")]
    Empty(String),
    /// It names what is not there, or lists do not belong together.
    #[error(
        "\"{0}\" does not fit this world: it names colliders, bodies or particles that there are not"
    )]
    Misfit(String),
    /// No attachment has the name.
    #[error("there is no attachment \"{name}\"; there are {known}")]
    Unknown {
        /// The name.
        name: String,
        /// The names that there are.
        known: String,
    },
}

impl World {
    /// Attaches particles between two substeps: from the next one on they are held. What is held in the world or
    /// by a collider is so without regard to its mass; in the world it stands still.
    ///
    /// # Errors
    /// If its name is taken, or none of its particles is there. The world stays as it is then.
    pub fn attach(&mut self, attachment: Attachment) -> Result<(), AttachError> {
        let mut setup = Setup::clone(&self.setup);
        if setup.attachments.iter().any(|a| a.name == attachment.name) {
            return Err(AttachError::Taken(attachment.name));
        }
        if !fits(&attachment, &setup, self.state.next_id) {
            return Err(AttachError::Misfit(attachment.name));
        }
        let places = self.places_of(&attachment);
        if places.is_empty() {
            return Err(AttachError::Empty(attachment.name));
        }
        if attachment.kind.pins() {
            for &place in &places {
                self.state.particles.inverse_mass[place] = 0.0;
                self.state.particles.velocity[place] = Vec3::ZERO;
            }
            self.state.account.energy = None;
        }
        setup.attachments.push(attachment);
        self.setup = Arc::new(setup);
        Ok(())
    }

    /// Releases the particles of an attachment between two substeps, also of one that the world started with. They
    /// go on with the velocity that they have, and what another attachment holds stays held.
    ///
    /// # Errors
    /// If there is no such attachment.
    pub fn release(&mut self, name: &str) -> Result<(), AttachError> {
        let mut setup = Setup::clone(&self.setup);
        let Some(place) = setup.attachments.iter().position(|a| a.name == name) else {
            let known = setup.attachments.iter().map(|a| format!("\"{}\"", a.name));
            let known: Vec<String> = known.collect();
            return Err(AttachError::Unknown {
                name: name.to_owned(),
                known: match known.is_empty() {
                    true => "none".to_owned(),
                    false => known.join(", "),
                },
            });
        };
        let released = setup.attachments.remove(place);
        if released.kind.pins() {
            let others = setup.attachments.iter().filter(|a| a.kind.pins());
            let held: FxHashSet<u32> = others.flat_map(|a| a.particles.iter().copied()).collect();
            let particles = &mut self.state.particles;
            let freed: FxHashSet<u32> = released.particles.into_iter().collect();
            for (i, id) in particles.id.iter().enumerate() {
                if freed.contains(id) && !held.contains(id) {
                    particles.inverse_mass[i] = 1.0 / particles.mass[i];
                }
            }
            self.state.account.energy = None;
        }
        self.setup = Arc::new(setup);
        Ok(())
    }

    /// Takes other attachments in place of all that there are, of a state that they belong to.
    ///
    /// # Errors
    /// If one of them names what is not there.
    pub fn set_attachments(&mut self, attachments: Vec<Attachment>) -> Result<(), AttachError> {
        let next_id = self.state.next_id;
        let mut all = attachments.iter();
        if let Some(misfit) = all.find(|a| !fits(a, &self.setup, next_id)) {
            return Err(AttachError::Misfit(misfit.name.clone()));
        }
        self.setup = Arc::new(Setup {
            attachments,
            ..Setup::clone(&self.setup)
        });
        Ok(())
    }

    /// Where the particles of an attachment are in the columns.
    fn places_of(&self, attachment: &Attachment) -> Vec<usize> {
        let ids: FxHashSet<u32> = attachment.particles.iter().copied().collect();
        let present = self.state.particles.id.iter().enumerate();
        present
            .filter(|(_, id)| ids.contains(id))
            .map(|(place, _)| place)
            .collect()
    }
}

/// Whether everything that an attachment names is there.
fn fits(attachment: &Attachment, setup: &Setup, next_id: u32) -> bool {
    let count = attachment.particles.len();
    let first_rigid = setup.first_rigid();
    let is_collider = |&collider: &u32| (collider as usize) < first_rigid;
    let is_rigid = |&body: &u32| (body as usize) < setup.colliders.len() - first_rigid;
    let is_id = |id: u32| id < next_id;
    let of_kind = match &attachment.kind {
        AttachmentKind::World | AttachmentKind::Load { .. } => true,
        AttachmentKind::Collider { collider, local } => {
            is_collider(collider) && local.len() == count
        }
        AttachmentKind::Body { rods } => {
            let mut rods = rods.iter();
            rods.all(|rod| is_id(rod.first) && is_id(rod.second))
        }
        AttachmentKind::Rigid { body, local } => is_rigid(body) && local.len() == count,
        AttachmentKind::Pull {
            collider, target, ..
        } => collider.as_ref().is_none_or(is_collider) && target.len() == count,
        AttachmentKind::PullRigid { body, collider, .. } => {
            is_rigid(body) && collider.as_ref().is_none_or(is_collider) && count == 1
        }
    };
    of_kind && attachment.particles.iter().all(|&id| is_id(id))
}
