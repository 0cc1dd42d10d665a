//! Rods between particles of two bodies: each keeps its length.
//!
//!   (v_i - v_j) . n = (length - d)/dt,   n = (x_i - x_j)/d at the start of the substep
//!
//! Impulses along the line of centres, equal and opposite, keep momentum and angular momentum. What
//! frozen directions miss in a substep is of second order in dt and made good in the next, at a
//! limited speed.

use pliant_math::{DVec3, Real, Vec3, to_double, to_real};
use serde::{Deserialize, Serialize};

use super::{Attachment, AttachmentKind};
use crate::particles::{IdMap, Particles};

/// A rod between two particles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rod {
    /// Stable id of one.
    pub first: u32,
    /// Stable id of the other.
    pub second: u32,
    /// Distance to keep [m], > 0.
    pub length: f64,
}

/// A rod in one substep.
#[derive(Clone, Copy, Debug)]
struct RodStep {
    first: u32,
    second: u32,
    normal: Vec3,
    target: Real,
    /// What it has pushed its ends apart with [N s].
    impulse: Real,
}

/// The rods of all attachments in one substep; scratch of the stepper.
#[derive(Debug, Default)]
pub struct Rods {
    rods: Vec<RodStep>,
}

impl Rods {
    /// Freezes directions and what is to be made good, at most at `push_out_speed` [m/s].
    pub fn find(
        &mut self,
        attachments: &[Attachment],
        places: &IdMap,
        particles: &Particles,
        push_out_speed: f64,
        dt: f64,
    ) {
        self.rods.clear();
        for attachment in attachments {
            if let AttachmentKind::Body { rods } = &attachment.kind {
                let rods = rods.iter().filter_map(|rod| {
                    let (i, j) = (places.of(rod.first)?, places.of(rod.second)?);
                    let between = particles.position[i] - particles.position[j];
                    let distance = between.length();
                    let target = (rod.length - distance) / dt;
                    Some(RodStep {
                        first: i as u32,
                        second: j as u32,
                        normal: to_real(between / distance.max(f64::MIN_POSITIVE)),
                        target: target.clamp(-push_out_speed, push_out_speed) as Real,
                        impulse: 0.0,
                    })
                });
                self.rods.extend(rods);
            }
        }
    }

    /// Projects every rod once, one after the other.
    pub fn project(&mut self, velocity: &mut [Vec3], inverse_mass: &[Real]) {
        for rod in &mut self.rods {
            let (i, j) = (rod.first as usize, rod.second as usize);
            let (w_i, w_j) = (inverse_mass[i], inverse_mass[j]);
            if w_i + w_j == 0.0 {
                continue;
            }
            let missing = rod.target - (velocity[i] - velocity[j]).dot(rod.normal);
            let impulse = missing / (w_i + w_j);
            rod.impulse += impulse;
            velocity[i] += rod.normal * impulse * w_i;
            velocity[j] -= rod.normal * impulse * w_j;
        }
    }

    /// Adds the impulse [N s] of the rods in this substep to the particles at their ends.
    pub fn add_impulses(&self, impulses: &mut [DVec3]) {
        for rod in &self.rods {
            let impulse = to_double(rod.normal * rod.impulse);
            impulses[rod.first as usize] += impulse;
            impulses[rod.second as usize] -= impulse;
        }
    }
}
