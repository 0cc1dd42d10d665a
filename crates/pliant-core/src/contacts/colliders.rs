//! Contacts of particles with colliders.
//!
//! Distances and normals are taken once, at the start of the substep. A particle's contacts change
//! its own velocity only, so particles are projected in parallel, each with its contacts in order.

use pliant_math::{DVec3, Real, Vec3, to_double, to_real};

use super::friction::{ContactMultiplier, target_speed};
use crate::boundaries::{Collider, ColliderStep};
use crate::parallel::{self, CHUNK};
use crate::particles::Particles;

/// Consecutive particles for which one distance to their middle may rule out a collider.
const GROUP: usize = 64;

/// A particle that may touch a collider within the substep.
#[derive(Clone, Copy, Debug)]
struct Contact {
    multiplier: ContactMultiplier,
    normal: Vec3,
    surface_velocity: Vec3,
    /// Normal velocity before the substep [m/s], negative if approaching.
    approach: Real,
    target: Real,
    friction: Real,
    restitution: Real,
    particle: u32,
    collider: u32,
}

/// What the search for contacts needs to know.
#[derive(Clone, Copy)]
pub struct ContactSearch<'a> {
    /// The colliders.
    pub colliders: &'a [Collider],
    /// Their poses in this substep.
    pub steps: &'a [ColliderStep],
    /// Size of the acceleration of free fall [m/s2].
    pub gravity: f64,
    /// Greatest speed at which overlaps are undone [m/s].
    pub push_out_speed: f64,
    /// The substep [s].
    pub dt: f64,
}

/// The contacts of a substep, a list for each chunk of particles; scratch of the stepper.
#[derive(Debug, Default)]
pub struct ColliderContacts {
    chunks: Vec<Vec<Contact>>,
    threshold: Real,
}

impl ColliderContacts {
    /// Finds the particles that may touch a collider within the substep.
    pub fn find(&mut self, particles: &Particles, search: ContactSearch<'_>) {
        let count = particles.len();
        self.threshold = (2.0 * search.gravity * search.dt) as Real;
        self.chunks
            .resize_with(parallel::chunk_count(count), Vec::new);
        parallel::for_items(&mut self.chunks, |chunk, contacts| {
            contacts.clear();
            let end = ((chunk + 1) * CHUNK).min(count);
            for first in (chunk * CHUNK..end).step_by(GROUP) {
                find_group(first..(first + GROUP).min(end), particles, search, contacts);
            }
            // Each particle's contacts stand together, in order of the colliders.
            contacts.sort_by_key(|c| c.particle);
        });
    }

    /// Projects every contact once: non-penetration, then friction.
    pub fn project(&mut self, velocity: &mut [Vec3], inverse_mass: &[Real]) {
        parallel::for_chunks_with(velocity, &mut self.chunks, |first, velocity, contacts| {
            for contact in contacts {
                let i = contact.particle as usize;
                if inverse_mass[i] == 0.0 {
                    continue;
                }
                let v = &mut velocity[i - first];
                let relative = *v - contact.surface_velocity;
                *v += contact.multiplier.project(
                    relative,
                    contact.normal,
                    contact.target,
                    contact.friction,
                );
            }
        });
    }

    /// Gives back a fraction of the approach velocity where a contact was pressed and the approach
    /// was more than resting weight.
    pub fn restore(&mut self, velocity: &mut [Vec3], inverse_mass: &[Real]) {
        let threshold = self.threshold;
        parallel::for_chunks_with(velocity, &mut self.chunks, |first, velocity, contacts| {
            for contact in contacts {
                let i = contact.particle as usize;
                let bounces = contact.restitution > 0.0
                    && contact.multiplier.normal > 0.0
                    && contact.approach < -threshold
                    && inverse_mass[i] > 0.0;
                if bounces {
                    let v = &mut velocity[i - first];
                    let leaving = (*v - contact.surface_velocity).dot(contact.normal);
                    let missing = -contact.restitution * contact.approach - leaving;
                    *v += contact.normal * missing.max(0.0);
                }
            }
        });
    }

    /// Adds the impulse [N s] that particles have given each collider in this substep.
    pub fn add_impulses(&self, mass: &[Real], impulses: &mut [DVec3]) {
        for contact in self.chunks.iter().flatten() {
            let m = contact.multiplier;
            let change = to_double(contact.normal * m.normal + m.tangential);
            impulses[contact.collider as usize] -=
                change * f64::from(mass[contact.particle as usize]);
        }
    }

    /// Number of contacts that press.
    pub fn pressed_count(&self) -> usize {
        let contacts = self.chunks.iter().flatten();
        contacts.filter(|c| c.multiplier.normal > 0.0).count()
    }
}

fn find_group(
    group: std::ops::Range<usize>,
    particles: &Particles,
    search: ContactSearch<'_>,
    contacts: &mut Vec<Contact>,
) {
    let positions = &particles.position[group.clone()];
    let (min, max) = positions
        .iter()
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), &x| {
            (min.min(x), max.max(x))
        });
    let middle = 0.5 * (min + max);
    let fastest = particles.velocity[group.clone()]
        .iter()
        .map(|v| f64::from(v.length()))
        .fold(0.0, f64::max);
    let widest = particles.radius[group.clone()]
        .iter()
        .copied()
        .fold(0.0, Real::max);
    let half_size = 0.5 * (max - min).length();
    for (number, collider) in search.colliders.iter().enumerate() {
        let step = &search.steps[number];
        let speed = fastest + step.velocity_at(middle).length() + step.spin_speed() * half_size;
        let reach = half_size + margin(f64::from(widest), speed, search);
        let distance = collider.shape.signed_distance(step.start.to_local(middle));
        if distance > reach + f64::from(widest) {
            continue;
        }
        for i in group.clone() {
            if let Some(mut contact) = contact_of(i, particles, collider, step, search) {
                contact.collider = number as u32;
                contacts.push(contact);
            }
        }
    }
}

/// How far [m] a particle may be from a surface and still reach it within the substep.
fn margin(radius: f64, relative_speed: f64, search: ContactSearch<'_>) -> f64 {
    // What it moves, twice what gravity adds, and a fifth of its radius for what neighbours push.
    0.2 * radius + search.dt * (relative_speed + 2.0 * search.gravity * search.dt)
}

fn contact_of(
    i: usize,
    particles: &Particles,
    collider: &Collider,
    step: &ColliderStep,
    search: ContactSearch<'_>,
) -> Option<Contact> {
    let position = particles.position[i];
    let local = step.start.to_local(position);
    let radius = f64::from(particles.radius[i]);
    let gap = collider.shape.signed_distance(local) - radius;
    let surface_velocity = step.velocity_at(position);
    let relative = to_double(particles.velocity[i]) - surface_velocity;
    if gap > margin(radius, relative.length(), search) {
        return None;
    }
    let normal = step.start.direction_to_world(collider.shape.normal(local));
    Some(Contact {
        multiplier: ContactMultiplier::default(),
        normal: to_real(normal),
        surface_velocity: to_real(surface_velocity),
        approach: relative.dot(normal) as Real,
        target: target_speed(gap, search.dt, search.push_out_speed),
        friction: collider.friction as Real,
        restitution: collider.restitution as Real,
        particle: i as u32,
        collider: 0,
    })
}
