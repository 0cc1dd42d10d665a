//! Attachments of particles to colliders and to other bodies, and loads.
//!
//! Particles pinned to the world need nothing of this but to be found when they are released: their inverse mass
//! is zero.
//! Attachments name particles by their stable ids; where those are in the columns changes.

mod carriers;
mod pulls;
mod rigid_pulls;
mod rods;
mod tethers;
mod ties;

pub use carriers::{Anchors, Carriers};
pub use pulls::Pulls;
pub use rigid_pulls::{RigidPullStep, RigidPulls};
pub use rods::{Rod, Rods};
pub use tethers::{TetherStep, Tethers};
pub use ties::Ties;

use pliant_math::{DVec3, Real, Vec3, to_double, to_real};
use serde::{Deserialize, Serialize};

use crate::boundaries::ColliderReactions;
use crate::particles::{IdMap, Particles};
use crate::schedule::Schedule;

/// Room for the places of all particles that attachments name.
pub fn named(attachments: &[Attachment]) -> IdMap {
    let held = attachments.iter();
    let held = held.filter(|attachment| attachment.kind != AttachmentKind::World);
    let ids = held.flat_map(|attachment| {
        let rods = match &attachment.kind {
            AttachmentKind::Body { rods } => rods.as_slice(),
            _ => &[],
        };
        let bonded = rods.iter().flat_map(|rod| [rod.first, rod.second]);
        attachment.particles.iter().copied().chain(bonded)
    });
    IdMap::new(0..ids.map(|id| id + 1).max().unwrap_or(0))
}

/// Particles of a body and what holds them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attachment {
    /// Name, unique among attachments.
    pub name: String,
    /// Stable ids of the particles.
    pub particles: Vec<u32>,
    /// What holds them.
    pub kind: AttachmentKind,
}

/// What holds particles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum AttachmentKind {
    /// They stay where they are; their inverse mass is zero.
    World,
    /// They move with a collider; their inverse mass is zero.
    Collider {
        /// Index of the collider.
        collider: u32,
        /// Where each particle is, in the collider's coordinates [m]; at time zero, if it deforms.
        local: Vec<DVec3>,
    },
    /// Rods join them to particles of another body.
    Body {
        /// The rods.
        rods: Vec<Rod>,
    },
    /// They are tied to points of a rigid body.
    Rigid {
        /// Number of the rigid body.
        body: u32,
        /// Where each particle is, in the coordinates of the body's collider [m].
        local: Vec<DVec3>,
    },
    /// Springs pull them to places of their own.
    Pull {
        /// Index of the collider that carries the places; if none, they are fixed in the world.
        collider: Option<u32>,
        /// The place of each particle, in the collider's coordinates or the world's [m]; at time zero, if the
        /// collider deforms.
        target: Vec<DVec3>,
        /// Of all springs together [m/N], > 0; each has a share of the stiffness in proportion to the mass that
        /// it holds.
        compliance: f64,
        /// Factor on the stiffness over time; 0 or less lets go.
        strength: Schedule,
    },
    /// A spring pulls a point of a rigid body, whose particle this is, to a place.
    PullRigid {
        /// Number of the rigid body.
        body: u32,
        /// The point in the coordinates of the body's collider [m].
        point: DVec3,
        /// Index of the collider that carries the place; if none, it is fixed in the world.
        collider: Option<u32>,
        /// The place in the collider's coordinates or the world's [m]; at time zero, if the collider deforms.
        target: DVec3,
        /// Of the spring [m/N], > 0.
        compliance: f64,
        /// Factor on the stiffness over time; 0 or less lets go.
        strength: Schedule,
    },
    /// A force is shared among them in proportion to their masses.
    Load {
        /// The total force [N] at strength 1, in world axes.
        force: DVec3,
        /// Factor on the force over time.
        strength: Schedule,
    },
}

impl AttachmentKind {
    /// True if the inverse mass of what it holds is zero.
    pub fn pins(&self) -> bool {
        matches!(self, Self::World | Self::Collider { .. })
    }
}

/// Gives the particles that colliders carry the velocity that brings them to their place at the end
/// of the substep, and each collider the recoil of that.
pub fn carry(
    attachments: &[Attachment],
    places: &IdMap,
    carriers: Carriers<'_>,
    particles: &mut Particles,
    recoil: &mut ColliderReactions,
) {
    for (number, collider, local) in carried(attachments) {
        let attachment = &attachments[number];
        let step = &carriers.steps[collider];
        for (k, (&id, &local)) in attachment.particles.iter().zip(local).enumerate() {
            if let Some(i) = places.of(id) {
                let end = carriers.end(collider, (number, k), local);
                let velocity = (end - particles.position[i]) / step.dt;
                let before = to_double(particles.velocity[i]);
                let impulse = (before - velocity) * f64::from(particles.mass[i]);
                recoil.push(collider, impulse, 0.5 * (velocity + before));
                particles.velocity[i] = to_real(velocity);
            }
        }
    }
}

/// Adds to each collider what acts on the particles that it carries, which move with the velocities of
/// their places [m/s]: `impulse_on` a place [N s].
pub fn transmit_impulses(
    attachments: &[Attachment],
    places: &IdMap,
    velocity: &[Vec3],
    impulse_on: impl Fn(usize) -> DVec3,
    reactions: &mut ColliderReactions,
) {
    for (number, collider, _) in carried(attachments) {
        let present = attachments[number]
            .particles
            .iter()
            .filter_map(|&id| places.of(id));
        for place in present {
            reactions.push(collider, impulse_on(place), to_double(velocity[place]));
        }
    }
}

/// True if colliders carry particles.
pub fn are_carried(attachments: &[Attachment]) -> bool {
    carried(attachments).next().is_some()
}

/// What colliders carry: the number of the attachment, the index of the collider, the places in its coordinates.
fn carried(attachments: &[Attachment]) -> impl Iterator<Item = (usize, usize, &[DVec3])> {
    let numbered = attachments.iter().enumerate();
    numbered.filter_map(|(number, attachment)| match &attachment.kind {
        AttachmentKind::Collider { collider, local } => {
            Some((number, *collider as usize, local.as_slice()))
        }
        _ => None,
    })
}

/// True if a load acts on anything.
pub fn are_loaded(attachments: &[Attachment]) -> bool {
    let is_load = |attachment: &Attachment| matches!(attachment.kind, AttachmentKind::Load { .. });
    attachments.iter().any(is_load)
}

/// Adds the impulse of every load over the substep from `time` to `time + dt` [s], with its strength in
/// the middle: the total is exact for strengths that change linearly.
pub fn load(
    attachments: &[Attachment],
    places: &IdMap,
    particles: &mut Particles,
    time: f64,
    dt: f64,
) {
    for attachment in attachments {
        let AttachmentKind::Load { force, strength } = &attachment.kind else {
            continue;
        };
        let acceleration =
            *force * strength.at(time + 0.5 * dt) / free_mass(attachment, places, particles);
        let change = to_real(acceleration * dt);
        for i in free_places(attachment, places, particles).collect::<Vec<_>>() {
            particles.velocity[i] += change;
        }
    }
}

/// The force [N] of a load at a time [s]; `None` of what is none.
pub fn load_at(attachment: &Attachment, time: f64) -> Option<DVec3> {
    match &attachment.kind {
        AttachmentKind::Load { force, strength } => Some(*force * strength.at(time)),
        _ => None,
    }
}

/// Greatest acceleration [m/s2] that loads give over the substep from `time` on.
pub fn greatest_acceleration(
    attachments: &[Attachment],
    mass_of: impl Fn(&Attachment) -> f64,
    time: f64,
) -> f64 {
    let acceleration = |attachment: &Attachment| {
        load_at(attachment, time).map_or(0.0, |force| force.length() / mass_of(attachment))
    };
    attachments.iter().map(acceleration).fold(0.0, f64::max)
}

/// Mass [kg] of those particles of an attachment that are there and can move; 1 if there are none.
pub fn free_mass(attachment: &Attachment, places: &IdMap, particles: &Particles) -> f64 {
    let masses = free_places(attachment, places, particles).map(|i| f64::from(particles.mass[i]));
    let mass: f64 = masses.sum();
    if mass > 0.0 { mass } else { 1.0 }
}

fn free_places<'a>(
    attachment: &'a Attachment,
    places: &'a IdMap,
    particles: &'a Particles,
) -> impl Iterator<Item = usize> + 'a {
    let present = attachment.particles.iter().filter_map(|&id| places.of(id));
    present.filter(|&i| particles.inverse_mass[i] > Real::default())
}
