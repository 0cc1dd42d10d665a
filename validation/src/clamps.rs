//! Layers of a body that are carried along.

use std::sync::Arc;

use pliant_core::attachments::{Attachment, AttachmentKind};
use pliant_core::boundaries::{Collider, Ease, Grip, Keyframe, Motion};
use pliant_core::world::Setup;
use pliant_geometry::Nowhere;
use pliant_math::DVec3;

/// A clamp that carries particles of the first body from where they are at rest.
///
/// * `held` — numbers of the particles
/// * `keyframes` — of a point of the clamp, the first where it is at rest
pub(crate) fn carry(setup: &mut Setup, held: Vec<u32>, keyframes: Vec<Keyframe>) {
    let origin = keyframes
        .first()
        .map_or(DVec3::ZERO, |first| first.position);
    let particles = &mut setup.bodies[0].particles;
    let local = held
        .iter()
        .map(|&id| particles.position[id as usize] - origin);
    let local = local.collect();
    for &id in &held {
        particles.is_pinned[id as usize] = true;
    }
    let number = setup.colliders.len() as u32;
    setup.colliders.push(clamp(Motion::Keyframes {
        keyframes,
        ease: Ease::Smooth,
    }));
    setup.attachments.push(Attachment {
        name: format!("clamp{number}"),
        particles: held,
        kind: AttachmentKind::Collider {
            collider: number,
            local,
        },
    });
}

fn clamp(motion: Motion) -> Collider {
    Collider {
        name: "clamp".into(),
        shape: Arc::new(Nowhere),
        motion,
        two_sided: false,
        grip: Grip::Separate,
        friction: 0.0,
        restitution: 0.0,
        color: [0.5; 3],
        opacity: 0.0,
        gloss: 0.0,
    }
}
