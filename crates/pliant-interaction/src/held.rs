//! What the hand holds, and the springs from it to that.

use pliant_core::attachments::{Attachment, AttachmentKind};
use pliant_core::methods::rigid::RIGID;
use pliant_core::schedule::Schedule;
use pliant_core::world::{NumberedBody, Setup};
use pliant_math::DVec3;

use crate::HandError;

/// Particles, or a rigid body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Held {
    Particles {
        /// Stable ids.
        particles: Vec<u32>,
        /// Where each is from the hand's point [m].
        local: Vec<DVec3>,
        /// Of all springs together [N/m], > 0.
        stiffness: f64,
    },
    Body {
        /// The body's name.
        body: String,
        /// The point that is held, in the coordinates of its shape [m].
        point: DVec3,
        /// Of the spring [N/m], > 0.
        stiffness: f64,
    },
}

impl Held {
    /// Whether a world of a setup can have it held.
    pub fn check(&self, setup: &Setup) -> Result<(), HandError> {
        let is_sound = |stiffness: f64| stiffness > 0.0 && stiffness.is_finite();
        match self {
            Self::Particles {
                particles,
                local,
                stiffness,
            } => {
                let has_places = particles.len() == local.len();
                let is_finite = local.iter().all(|x| x.is_finite());
                let holds = has_places && is_finite && is_sound(*stiffness);
                holds.then_some(()).ok_or(HandError::Grab)
            }
            Self::Body {
                body,
                point,
                stiffness,
            } => {
                let is_there = numbered(setup, body).is_some();
                let holds = is_there && point.is_finite() && is_sound(*stiffness);
                holds.then_some(()).ok_or_else(|| HandError::GrabBody {
                    rigid: setup
                        .bodies_of(RIGID)
                        .map(|rigid| rigid.body.name.clone())
                        .collect(),
                })
            }
        }
    }

    /// The springs that hold it; none where there is no such body.
    ///
    /// * `hand` — the number of the hand among the colliders
    pub fn attachment(&self, name: &str, hand: Option<u32>, setup: &Setup) -> Option<Attachment> {
        let strength = Schedule::Constant(1.0);
        let (particles, kind) = match self {
            Self::Particles {
                particles,
                local,
                stiffness,
            } => {
                let kind = AttachmentKind::Pull {
                    collider: hand,
                    target: local.clone(),
                    compliance: 1.0 / stiffness,
                    strength,
                };
                (particles.clone(), kind)
            }
            Self::Body {
                body,
                point,
                stiffness,
            } => {
                let (number, id) = numbered(setup, body)?;
                let kind = AttachmentKind::PullRigid {
                    body: number,
                    point: *point,
                    collider: hand,
                    target: DVec3::ZERO,
                    compliance: 1.0 / stiffness,
                    strength,
                };
                (vec![id], kind)
            }
        };
        Some(Attachment {
            name: name.to_owned(),
            particles,
            kind,
        })
    }
}

/// The number of a rigid body among its like, and the stable id of its particle.
fn numbered(setup: &Setup, name: &str) -> Option<(u32, u32)> {
    let mut bodies = (0..).zip(setup.bodies_of(RIGID));
    bodies.find_map(|(number, NumberedBody { first_id, body, .. })| {
        (body.name == name).then_some((number, first_id))
    })
}
