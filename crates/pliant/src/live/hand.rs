//! The hand: an invisible driven collider, with springs from it to the particles that it holds; and its blade.
//!
//! It is in every world that is watched, whether it holds something or not, so that holding and letting go change
//! no counts, and moving it changes the state only.

use std::sync::Arc;

use pliant_core::attachments::{Attachment, AttachmentKind};
use pliant_core::boundaries::{Blade, Collider, Grip, Motion};
use pliant_core::schedule::Schedule;
use pliant_core::world::Setup;
use pliant_geometry::{Nowhere, TriangleMesh};
use pliant_math::{DVec3, Pose};

/// Name of the collider and of what it holds.
pub(super) const HAND: &str = "hand of the viewer";

/// Particles that are held.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Held {
    /// Stable ids.
    pub particles: Vec<u32>,
    /// Where each is from the hand's point [m].
    pub local: Vec<DVec3>,
    /// Of all springs together [N/m], > 0.
    pub stiffness: f64,
}

/// Name of the blade that cuts for a moment.
const BLADE: &str = "blade of the viewer";

/// A blade that is there at a time [s] alone: a flat piece of four corners, in turn [m].
pub(super) fn blade(corners: [DVec3; 4], time: f64) -> Blade {
    Blade {
        name: BLADE.to_owned(),
        shape: Arc::new(Nowhere),
        surface: TriangleMesh {
            vertices: corners.to_vec(),
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        },
        motion: Motion::Rest(Pose::IDENTITY),
        start: time,
        stop: time,
        body: None,
        color: [0.5; 3],
        opacity: 0.0,
    }
}

/// Puts a blade into a setup, in place of an earlier one.
pub(super) fn cut(setup: &mut Setup, blade: &Blade) {
    setup.blades.retain(|other| other.name != BLADE);
    setup.blades.push(blade.clone());
}

/// The hand, holding nothing.
pub(super) fn hand() -> Collider {
    Collider {
        name: HAND.to_owned(),
        shape: Arc::new(Nowhere),
        motion: Motion::Driven {
            start: Pose::IDENTITY,
        },
        two_sided: false,
        grip: Grip::default(),
        friction: 0.0,
        restitution: 0.0,
        color: [0.5; 3],
        opacity: 0.0,
    }
}

/// Makes the hand hold particles, or nothing.
pub(super) fn hold(setup: &mut Setup, held: Option<&Held>) {
    setup
        .attachments
        .retain(|attachment| attachment.name != HAND);
    let Some(held) = held else { return };
    let collider = setup.colliders.iter().position(|c| c.name == HAND);
    setup.attachments.push(Attachment {
        name: HAND.to_owned(),
        particles: held.particles.clone(),
        kind: AttachmentKind::Pull {
            collider: collider.map(|place| place as u32),
            target: held.local.clone(),
            compliance: 1.0 / held.stiffness,
            strength: Schedule::Constant(1.0),
        },
    });
}
