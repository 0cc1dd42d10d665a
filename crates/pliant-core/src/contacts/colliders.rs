//! Contacts of particles with colliders.
//!
//! Distances and normals are taken once, at the start of the substep. A particle's contacts change
//! its own velocity only, so particles are projected in parallel, each with its contacts in order.
//! What contacts frozen at the start may miss, because neighbours have pushed a particle far within
//! the substep or a wall is thin, the last check of `passage` stops.

use std::ops::Range;

use pliant_math::{DVec3, Real, Vec3, to_double, to_real};

use super::acceleration::{Acceleration, Before};
use super::friction::{ContactMultiplier, ContactRule, target_speed};
use super::passage::{self, Stop};
use crate::boundaries::{Collider, ColliderStep, Grip};
use crate::parallel::{self, CHUNK};
use crate::particles::Particles;

/// Consecutive particles for which one distance to their middle may rule out a collider, and the few
/// among them for which another one may rule out what is left.
const GROUP: usize = 64;
const FEW: usize = 8;

/// A particle nearer to a surface than this share of its radius touches it.
const TOUCHING: f64 = 0.1;

/// Faces of one collider that a particle may touch at once.
const MOST_FACES: usize = 3;

/// Faces whose normals have a greater cosine are one: they would be 18 degrees apart.
const SAME_FACE: f64 = 0.95;

/// Room [radii] that the search leaves for what neighbours push.
const PUSHED: f64 = 0.2;

/// A particle that may touch a collider within the substep.
#[derive(Clone, Copy, Debug)]
struct Contact {
    multiplier: ContactMultiplier,
    rule: ContactRule,
    surface_velocity: Vec3,
    /// Normal velocity before the substep [m/s], negative if approaching.
    approach: Real,
    restitution: Real,
    /// Distance of the particle's centre from the surface at the start [m].
    distance: Real,
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
    /// Greatest acceleration [m/s2] by gravity, forces and loads.
    pub acceleration: f64,
    /// Size of the acceleration of free fall [m/s2].
    pub gravity: f64,
    /// Greatest speed at which overlaps are undone [m/s].
    pub push_out_speed: f64,
    /// Distance of a particle's centre [m] within which faces are listed in any case, for each body;
    /// `None`: only those that may be touched.
    pub sight_of_body: Option<&'a (dyn Fn(u32) -> f64 + Sync)>,
    /// The substep [s].
    pub dt: f64,
}

impl ContactSearch<'_> {
    /// Distance of a particle's centre [m] within which faces are listed in any case.
    fn sight(&self, body: u32) -> f64 {
        self.sight_of_body.map_or(0.0, |sight| sight(body))
    }
}

/// The contacts of consecutive particles.
#[derive(Debug, Default)]
struct Chunk {
    /// Each particle's contacts stand together, in order of the colliders.
    contacts: Vec<Contact>,
    /// Particles that the last check has stopped.
    stops: Vec<Stop>,
    /// Colliders near a group.
    near: Vec<u32>,
    /// Those of them that are near a few of its particles.
    nearer: Vec<u32>,
    /// What contacts that are accelerated were.
    before: Before,
}

impl Chunk {
    /// The contacts of a group with the colliders near it.
    fn find_group(
        &mut self,
        group: Range<usize>,
        particles: &Particles,
        search: ContactSearch<'_>,
    ) {
        for first in group.clone().step_by(FEW) {
            let few = first..(first + FEW).min(group.end);
            let near = self.near.iter().copied();
            find_near(few.clone(), particles, search, near, &mut self.nearer);
            for i in few {
                for &number in &self.nearer {
                    let collider = (number, &search.colliders[number as usize]);
                    let step = &search.steps[number as usize];
                    let contacts = &mut self.contacts;
                    find_contacts(i, particles, collider, step, search, contacts);
                }
            }
        }
    }
}

/// The contacts of a substep, a list for each chunk of particles; scratch of the stepper.
#[derive(Debug, Default)]
pub struct ColliderContacts {
    chunks: Vec<Chunk>,
    /// Velocity of each particle when contacts were searched [m/s].
    start_velocity: Vec<Vec3>,
    threshold: Real,
}

/// A face of a collider near a particle, as fluids see it.
#[derive(Clone, Copy, Debug)]
pub struct WallFace {
    /// Place of the particle.
    pub particle: u32,
    /// Index of the collider.
    pub collider: u32,
    /// Unit, out of the collider.
    pub normal: Vec3,
    /// Distance of the particle's centre [m], negative inside.
    pub distance: Real,
    /// Of the surface [m/s].
    pub surface_velocity: Vec3,
}

impl ColliderContacts {
    /// The faces that were found, in order of the particles.
    pub fn faces(&self) -> impl Iterator<Item = WallFace> {
        let contacts = self.chunks.iter().flat_map(|chunk| &chunk.contacts);
        contacts.map(|contact| WallFace {
            particle: contact.particle,
            collider: contact.collider,
            normal: contact.rule.normal,
            distance: contact.distance,
            surface_velocity: contact.surface_velocity,
        })
    }

    /// Finds the particles that may touch a collider within the substep.
    pub fn find(&mut self, particles: &Particles, search: ContactSearch<'_>) {
        let count = particles.len();
        self.threshold = (2.0 * search.gravity * search.dt) as Real;
        self.start_velocity.clone_from(&particles.velocity);
        let chunks = parallel::chunk_count(count);
        self.chunks.resize_with(chunks, Chunk::default);
        parallel::for_items(&mut self.chunks, |number, chunk| {
            chunk.contacts.clear();
            chunk.stops.clear();
            if search.colliders.is_empty() {
                return;
            }
            let end = ((number + 1) * CHUNK).min(count);
            for first in (number * CHUNK..end).step_by(GROUP) {
                let group = first..(first + GROUP).min(end);
                let all = 0..search.colliders.len() as u32;
                find_near(group.clone(), particles, search, all, &mut chunk.near);
                if !chunk.near.is_empty() {
                    chunk.find_group(group, particles, search);
                }
            }
        });
    }

    /// Projects every contact once: non-penetration, then friction.
    pub fn project(&mut self, velocity: &mut [Vec3], inverse_mass: &[Real]) {
        parallel::for_chunks_with(velocity, &mut self.chunks, |first, velocity, chunk| {
            for contact in &mut chunk.contacts {
                let i = contact.particle as usize;
                if inverse_mass[i] == 0.0 {
                    continue;
                }
                let v = &mut velocity[i - first];
                let relative = *v - contact.surface_velocity;
                *v += contact.multiplier.project(relative, &contact.rule);
            }
        });
    }

    /// Lets contacts of certain particles go further the way they went.
    pub fn accelerate(
        &mut self,
        velocity: &mut [Vec3],
        inverse_mass: &[Real],
        acceleration: &Acceleration,
    ) {
        parallel::for_chunks_with(velocity, &mut self.chunks, |first, velocity, chunk| {
            let Chunk {
                contacts, before, ..
            } = chunk;
            let concerned = contacts.iter().map(|contact| {
                let is_free = inverse_mass[contact.particle as usize] > 0.0;
                let is_concerned = is_free && acceleration.concerns(contact.particle);
                (is_concerned, contact.multiplier)
            });
            before.start(acceleration, concerned);
            for (number, before) in &mut before.0 {
                let contact = &mut contacts[*number as usize];
                let share = acceleration.share();
                let change = contact.multiplier.accelerate(before, share, &contact.rule);
                velocity[contact.particle as usize - first] += change;
            }
        });
    }

    /// Gives back a fraction of the approach velocity where a contact was pressed and the approach
    /// was more than resting weight.
    pub fn restore(&mut self, velocity: &mut [Vec3], inverse_mass: &[Real]) {
        let threshold = self.threshold;
        parallel::for_chunks_with(velocity, &mut self.chunks, |first, velocity, chunk| {
            for contact in &mut chunk.contacts {
                let i = contact.particle as usize;
                let bounces = contact.restitution > 0.0
                    && contact.multiplier.normal > 0.0
                    && contact.approach < -threshold
                    && inverse_mass[i] > 0.0;
                if bounces {
                    let v = &mut velocity[i - first];
                    let leaving = (*v - contact.surface_velocity).dot(contact.rule.normal);
                    let missing = -contact.restitution * contact.approach - leaving;
                    *v += contact.rule.normal * missing.max(0.0);
                }
            }
        });
    }

    /// Stops particles whose way would end beyond a surface that they are outside of now, whatever
    /// they were searched with: the last word on velocities in a substep. Returns how many it has
    /// stopped since the contacts were found.
    pub fn stop_passages(&mut self, particles: &mut Particles, search: ContactSearch<'_>) -> usize {
        let Self {
            chunks,
            start_velocity,
            ..
        } = self;
        let Particles {
            position,
            velocity,
            inverse_mass,
            radius,
            ..
        } = particles;
        let paths = passage::Paths {
            colliders: search.colliders,
            steps: search.steps,
            position,
            radius,
            inverse_mass,
            dt: search.dt,
        };
        parallel::for_chunks_with(velocity, chunks, |first, velocity, chunk| {
            let Chunk {
                contacts, stops, ..
            } = chunk;
            let mut is_suspect = [false; CHUNK];
            mark_pushed(first, velocity, start_velocity, paths, &mut is_suspect);
            mark_fast(first, velocity, contacts, paths, &mut is_suspect);
            for (k, v) in velocity.iter_mut().enumerate() {
                if is_suspect[k] {
                    paths.stop(first + k, v, stops);
                }
            }
        });
        chunks.iter().map(|chunk| chunk.stops.len()).sum()
    }

    /// Adds the impulse [N s] that particles have given each collider in this substep.
    pub fn add_impulses(&self, mass: &[Real], impulses: &mut [DVec3]) {
        for contact in self.chunks.iter().flat_map(|chunk| &chunk.contacts) {
            let change = to_double(contact.multiplier.change(&contact.rule));
            impulses[contact.collider as usize] -=
                change * f64::from(mass[contact.particle as usize]);
        }
        for stop in self.chunks.iter().flat_map(|chunk| &chunk.stops) {
            impulses[stop.collider as usize] -=
                stop.change * f64::from(mass[stop.particle as usize]);
        }
    }

    /// Number of contacts that press.
    pub fn pressed_count(&self) -> usize {
        let contacts = self.chunks.iter().flat_map(|chunk| &chunk.contacts);
        contacts.filter(|c| c.multiplier.normal > 0.0).count()
    }
}

/// Marks particles that may have got further than the search has left room for.
fn mark_pushed(
    first: usize,
    velocity: &[Vec3],
    start_velocity: &[Vec3],
    paths: passage::Paths<'_>,
    is_suspect: &mut [bool; CHUNK],
) {
    for (k, v) in velocity.iter().enumerate() {
        let i = first + k;
        let room = (1.0 + PUSHED as Real - passage::LEVEL as Real) * paths.radius[i];
        let pushed = (*v - start_velocity[i]).length() * paths.dt as Real;
        // A velocity that is not a number is for `inspect` to find.
        is_suspect[k] = pushed > room;
    }
}

/// Marks particles near a surface that may reach it.
fn mark_fast(
    first: usize,
    velocity: &[Vec3],
    contacts: &[Contact],
    paths: passage::Paths<'_>,
    is_suspect: &mut [bool; CHUNK],
) {
    for contact in contacts {
        let i = contact.particle as usize;
        let radius = paths.radius[i];
        let room = contact.distance - passage::LEVEL as Real * radius.min(contact.distance);
        let way = (velocity[i - first] - contact.surface_velocity).length() * paths.dt as Real;
        is_suspect[i - first] |= way > room;
    }
}

/// Lists the colliders among some that a particle of a group may touch.
fn find_near(
    group: Range<usize>,
    particles: &Particles,
    search: ContactSearch<'_>,
    colliders: impl Iterator<Item = u32>,
    near: &mut Vec<u32>,
) {
    near.clear();
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
    let bodies = particles.body[group].iter();
    let sight = bodies.map(|&body| search.sight(body)).fold(0.0, f64::max);
    for number in colliders {
        let collider = &search.colliders[number as usize];
        let step = &search.steps[number as usize];
        let speed = fastest + step.velocity_at(middle).length() + step.spin_speed() * half_size;
        let reach = half_size + margin(f64::from(widest), speed, search);
        let distance = collider.distance(step.start.to_local(middle));
        if distance <= (reach + f64::from(widest)).max(half_size + sight) {
            near.push(number);
        }
    }
}

/// How far [m] a particle may be from a surface and still reach it within the substep.
fn margin(radius: f64, relative_speed: f64, search: ContactSearch<'_>) -> f64 {
    // What it moves, twice what gravity and forces add, and room for what neighbours push.
    PUSHED * radius + search.dt * (relative_speed + 2.0 * search.acceleration * search.dt)
}

/// The contacts of a particle with the faces of a collider near it: one, two in a groove, three in a
/// corner.
///
/// The distance knows the nearest face only. Seen from a point drawn back from that by a radius, another
/// face may be the nearest; and so on.
fn find_contacts(
    i: usize,
    particles: &Particles,
    (number, collider): (u32, &Collider),
    step: &ColliderStep,
    search: ContactSearch<'_>,
    contacts: &mut Vec<Contact>,
) {
    let position = particles.position[i];
    let radius = f64::from(particles.radius[i]);
    let surface_velocity = step.velocity_at(position);
    let relative = to_double(particles.velocity[i]) - surface_velocity;
    let margin = margin(radius, relative.length(), search);
    let margin = margin.max(search.sight(particles.body[i]) - radius);
    let start = step.start.to_local(position);
    let mut faces = [DVec3::ZERO; MOST_FACES];
    let mut point = start;
    for count in 0..MOST_FACES {
        let distance_there = collider.distance(point);
        let is_drawn_back_into_another = count > 0 && distance_there <= 0.0;
        if distance_there > margin + 2.0 * radius || is_drawn_back_into_another {
            return;
        }
        let normal = collider.normal(point);
        let distance = distance_there - (point - start).dot(normal);
        let is_known = |face: &DVec3| face.dot(normal) > SAME_FACE;
        if distance - radius > margin || faces[..count].iter().any(is_known) {
            return;
        }
        faces[count] = normal;
        point += normal * radius;
        let face = Face {
            distance,
            normal: step.start.direction_to_world(normal),
            surface_velocity,
            relative,
        };
        contacts.push(Contact {
            particle: i as u32,
            collider: number,
            ..contact(face, radius, collider, search)
        });
    }
}

/// A face of a collider near a particle.
#[derive(Clone, Copy)]
struct Face {
    distance: f64,
    normal: DVec3,
    surface_velocity: DVec3,
    /// Of the particle, relative to the surface [m/s].
    relative: DVec3,
}

fn contact(face: Face, radius: f64, collider: &Collider, search: ContactSearch<'_>) -> Contact {
    let gap = face.distance - radius;
    let is_held = collider.grip != Grip::Separate && gap <= TOUCHING * radius;
    let target = target_speed(gap, search.dt, search.push_out_speed);
    let restitution = if is_held { 0.0 } else { collider.restitution };
    Contact {
        multiplier: ContactMultiplier::default(),
        rule: ContactRule {
            normal: to_real(face.normal),
            // What is held is drawn back no faster than it is pushed out.
            target: if is_held {
                target.max(-search.push_out_speed as Real)
            } else {
                target
            },
            friction: collider.friction as Real,
            is_held,
            sticks: collider.grip == Grip::Stick,
        },
        surface_velocity: to_real(face.surface_velocity),
        approach: face.relative.dot(face.normal) as Real,
        restitution: restitution as Real,
        distance: face.distance as Real,
        particle: 0,
        collider: 0,
    }
}
