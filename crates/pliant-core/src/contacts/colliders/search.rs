//! Which faces of which colliders a particle may touch.

use std::ops::Range;

use pliant_math::{DVec3, Real, to_double, to_real};

use super::{Chunk, Contact, PUSHED};
use crate::boundaries::{Collider, ColliderStep, Grip, Near};
use crate::contacts::TiedParticles;
use crate::contacts::solve::{ContactMultiplier, ContactRule, Grain, GrainAt, target_speed};
use crate::particles::Particles;

/// Consecutive particles for which one distance to their middle may rule out a collider, and the few
/// among them for which another one may rule out what is left.
const GROUP: usize = 64;
const FEW: usize = 8;

/// A particle nearer to a surface than this share of its radius touches it.
const TOUCHING: f64 = 0.1;

/// What sees surfaces from afar keeps off them by its pressure, and contacts stop it at this share of its
/// radius, where a lattice at rest has its first layer. Nearer, that layer would thin out against the wall,
/// and a pool would sink by a fortieth.
const HELD_OFF: f64 = 0.95;

/// Faces of one collider that a particle may touch at once.
const MOST_FACES: usize = 3;

/// Faces whose normals have a greater cosine are one: they would be 18 degrees apart.
const SAME_FACE: f64 = 0.95;

/// What the search for contacts needs to know.
#[derive(Clone, Copy)]
pub struct ContactSearch<'a> {
    /// The colliders.
    pub colliders: &'a [Collider],
    /// Their poses in this substep.
    pub steps: &'a [ColliderStep],
    /// Index of the first collider that is a rigid body; all after it are too.
    pub first_rigid: usize,
    /// Places from here on belong to rigid bodies themselves, and meet no collider as particles.
    pub particle_count: usize,
    /// Greatest acceleration [m/s2] by gravity, forces and loads.
    pub acceleration: f64,
    /// Size of the acceleration of free fall [m/s2].
    pub gravity: f64,
    /// Greatest speed at which overlaps are undone [m/s].
    pub push_out_speed: f64,
    /// Coefficient of Coulomb friction of each body, where it meets rigid bodies.
    pub friction_of_body: &'a (dyn Fn(u32) -> f64 + Sync),
    /// The grain of the particle at a place, of bodies that have one; `None` if there are none.
    pub grain: GrainAt<'a>,
    /// The grain of each rigid body, as it points now.
    pub grain_of_rigid: &'a [Option<Grain>],
    /// What is tied to whom; `None` if nothing is.
    pub tied: Option<&'a TiedParticles>,
    /// Fluids, which feel walls from afar; `None` if there are none.
    pub fluids: Option<&'a (dyn FeelsWalls + Sync)>,
    /// The substep [s].
    pub dt: f64,
}

/// Fluids as the search for contacts sees them.
pub trait FeelsWalls {
    /// Distance of a particle's centre [m] within which faces are listed in any case; 0 for bodies of other
    /// methods.
    fn reach(&self, body: u32) -> f64;

    /// How fast a particle at a distance [m] from a wall is dragged along with it [1/s].
    fn drag(&self, body: u32, distance: f64) -> f64;
}

impl ContactSearch<'_> {
    /// Whether a particle, by its place, is tied to the rigid body that a collider is.
    pub(super) fn is_tied(&self, place: usize, collider: usize) -> bool {
        let rigid = collider.checked_sub(self.first_rigid);
        let tied = self.tied.zip(rigid);
        tied.is_some_and(|(tied, rigid)| tied.is_tied_to_rigid(place, rigid as u32))
    }

    /// Distance of a particle's centre [m] within which faces are listed in any case.
    fn sight(&self, body: u32) -> f64 {
        self.fluids.map_or(0.0, |fluids| fluids.reach(body))
    }
}

impl Chunk {
    /// The contacts of its particles.
    pub(super) fn find_all(
        &mut self,
        places: Range<usize>,
        particles: &Particles,
        search: ContactSearch<'_>,
    ) {
        for first in places.clone().step_by(GROUP) {
            let group = first..(first + GROUP).min(places.end);
            let all = (0..search.colliders.len() as u32).map(Candidate::of);
            find_near(group.clone(), particles, search, all, &mut self.near);
            if !self.near.is_empty() {
                self.find_group(group, particles, search);
            }
        }
    }

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
                for k in 0..self.nearer.len() {
                    self.nearer[k] = self.find_of(i, self.nearer[k], particles, search);
                }
            }
        }
    }

    /// The contacts of a particle with a collider near it. Returns that with the part nearest to the particle.
    fn find_of(
        &mut self,
        i: usize,
        candidate: Candidate,
        particles: &Particles,
        search: ContactSearch<'_>,
    ) -> Candidate {
        let number = candidate.collider;
        if (number as usize) < search.first_rigid {
            let near = find_contacts(i, particles, candidate, search, &mut self.contacts);
            return Candidate { near, ..candidate };
        }
        if search.is_tied(i, number as usize) {
            return candidate;
        }
        let first = self.of_rigid.len();
        find_contacts(i, particles, candidate, search, &mut self.of_rigid);
        let own = (search.friction_of_body)(particles.body[i]);
        let grain = search.grain_of_rigid[number as usize - search.first_rigid];
        for contact in &mut self.of_rigid[first..] {
            // As of two bodies of particles: the geometric mean.
            let both = f64::from(contact.rule.friction) * own;
            contact.rule.friction = both.sqrt() as Real;
            contact.rule.grain = Grain::stronger(contact.rule.grain, grain);
        }
        candidate
    }
}

/// A collider that may be near.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// Its index.
    collider: u32,
    /// The part of it that was near last.
    near: Near,
}

impl Candidate {
    fn of(collider: u32) -> Self {
        Self {
            collider,
            near: Near::default(),
        }
    }
}

/// Lists the colliders among some that a particle of a group may touch.
fn find_near(
    group: Range<usize>,
    particles: &Particles,
    search: ContactSearch<'_>,
    candidates: impl Iterator<Item = Candidate>,
    near: &mut Vec<Candidate>,
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
    for candidate in candidates {
        let collider = &search.colliders[candidate.collider as usize];
        let step = &search.steps[candidate.collider as usize];
        if !step.is_present {
            continue;
        }
        let turning = step.spin_speed() * half_size + collider.deformation_speed();
        let speed = fastest + step.velocity_at(middle).length() + turning;
        let reach = half_size + margin(f64::from(widest), speed, search);
        let nearest = collider.nearest(step.start.to_local(middle), candidate.near);
        if nearest.distance <= (reach + f64::from(widest)).max(half_size + sight) {
            near.push(Candidate {
                near: nearest.near(),
                ..candidate
            });
        }
    }
}

/// How far [m] a particle may be from a surface and still reach it within the substep.
fn margin(radius: f64, relative_speed: f64, search: ContactSearch<'_>) -> f64 {
    // What it moves, twice what gravity and forces add, and room for what neighbours push.
    PUSHED * radius + search.dt * (relative_speed + 2.0 * search.acceleration * search.dt)
}

/// The contacts of a particle with the faces of a collider near it: one, two in a groove, three in a
/// corner. Returns the part of it that is nearest.
///
/// The distance knows the nearest face only. Seen from a point drawn back from that by a radius, another
/// face may be the nearest; and so on.
fn find_contacts(
    i: usize,
    particles: &Particles,
    candidate: Candidate,
    search: ContactSearch<'_>,
    contacts: &mut Vec<Contact>,
) -> Near {
    let number = candidate.collider;
    let collider = &search.colliders[number as usize];
    let step = &search.steps[number as usize];
    let position = particles.position[i];
    let sight = search.sight(particles.body[i]);
    let share = if sight > 0.0 { HELD_OFF } else { 1.0 };
    let radius = share * f64::from(particles.radius[i]);
    let start = step.start.to_local(position);
    let mut nearest = collider.nearest(start, candidate.near);
    let near = nearest.near();
    let surface_velocity = nearest.velocity(step, position);
    let relative = to_double(particles.velocity[i]) - surface_velocity;
    let margin = margin(radius, relative.length(), search);
    let margin = margin.max(sight - radius);
    let mut faces = [DVec3::ZERO; MOST_FACES];
    let mut point = start;
    for count in 0..MOST_FACES {
        if count > 0 {
            nearest = collider.nearest(point, near);
        }
        let distance_there = nearest.distance;
        let is_drawn_back_into_another = count > 0 && distance_there <= 0.0;
        if distance_there > margin + 2.0 * radius || is_drawn_back_into_another {
            return near;
        }
        let normal = nearest.normal(collider, point);
        let distance = distance_there - (point - start).dot(normal);
        let is_known = |face: &DVec3| face.dot(normal) > SAME_FACE;
        if distance - radius > margin || faces[..count].iter().any(is_known) {
            return near;
        }
        faces[count] = normal;
        point += normal * radius;
        let face = Face {
            distance,
            normal: step.start.direction_to_world(normal),
            surface_velocity,
            relative,
        };
        let mut contact = Contact {
            particle: i as u32,
            collider: number,
            ..contact(face, radius, collider, search)
        };
        if let Some(fluids) = search.fluids.filter(|_| sight > 0.0) {
            // Dry friction is between solids. The first layer of a fluid at rest touches, and would hold it.
            contact.rule.friction = 0.0;
            if collider.friction > 0.0 {
                let drag = fluids.drag(particles.body[i], distance);
                contact.rule.drag = (drag * search.dt) as Real;
            }
        }
        contact.rule.grain = search.grain.and_then(|grain| grain(i));
        contacts.push(contact);
    }
    near
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
            drag: 0.0,
            grain: None,
        },
        surface_velocity: to_real(face.surface_velocity),
        approach: face.relative.dot(face.normal) as Real,
        restitution: restitution as Real,
        distance: face.distance as Real,
        particle: 0,
        collider: 0,
    }
}
