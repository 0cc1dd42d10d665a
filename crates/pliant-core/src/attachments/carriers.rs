//! Where colliders take what is attached to them.

use pliant_geometry::Anchor;
use pliant_math::DVec3;

use super::{Attachment, AttachmentKind};
use crate::boundaries::{Collider, ColliderStep};

/// Colliders that carry places.
#[derive(Clone, Copy)]
pub struct Carriers<'a> {
    /// The colliders, in the form that they have in this substep.
    pub colliders: &'a [Collider],
    /// Their poses in it.
    pub steps: &'a [ColliderStep],
    /// The places on those that deform.
    pub anchors: &'a Anchors,
}

/// The places of attachments on colliders that deform, which keep to the triangles that they are nearest to at time
/// zero; scratch of the stepper.
#[derive(Debug, Default)]
pub struct Anchors {
    /// By the number of an attachment; none where places stay where they are in the collider's coordinates.
    of_attachment: Vec<Vec<Anchor>>,
}

impl Anchors {
    /// Of all attachments to colliders as they are at time zero.
    pub fn new(attachments: &[Attachment], colliders: &[Collider]) -> Self {
        let of_attachment = attachments.iter().map(|attachment| {
            let places = attachment.on_collider();
            let moving = places.and_then(|(collider, local)| {
                let moving = colliders[collider].shape.moving()?;
                Some(local.iter().map(|&x| moving.anchor(x)).collect())
            });
            moving.unwrap_or_default()
        });
        Self {
            of_attachment: of_attachment.collect(),
        }
    }
}

impl Carriers<'_> {
    /// Where a place is at the end of the substep [m].
    ///
    /// * `number` — of the attachment, and of the place in it
    /// * `local` — in the collider's coordinates at time zero [m]
    pub fn end(&self, collider: usize, number: (usize, usize), local: DVec3) -> DVec3 {
        let step = &self.steps[collider];
        let anchors = self.anchors.of_attachment.get(number.0);
        let anchor = anchors.and_then(|anchors| anchors.get(number.1));
        let moved = anchor.zip(self.colliders[collider].shape.moving());
        let local = moved.map_or(local, |(anchor, moving)| moving.place(anchor, step.dt));
        step.end.to_world(local)
    }
}

impl Attachment {
    /// The collider that it is held or pulled by, and its places in the coordinates of that at time zero [m].
    fn on_collider(&self) -> Option<(usize, &[DVec3])> {
        match &self.kind {
            AttachmentKind::Collider { collider, local } => Some((*collider as usize, local)),
            AttachmentKind::Pull {
                collider: Some(collider),
                target,
                ..
            } => Some((*collider as usize, target)),
            AttachmentKind::PullRigid {
                collider: Some(collider),
                target,
                ..
            } => Some((*collider as usize, std::slice::from_ref(target))),
            _ => None,
        }
    }
}
