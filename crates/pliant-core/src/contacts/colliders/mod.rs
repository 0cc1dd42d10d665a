//! Contacts of particles with colliders.
//!
//! Distances and normals are taken once, at the start of the substep. A particle's contacts change
//! its own velocity only, so particles are projected in parallel, each with its contacts in order.
//! What contacts frozen at the start may miss, because neighbours have pushed a particle far within
//! the substep or a wall is thin, the last check of `passage` stops. Rigid bodies are searched as
//! colliders too, but answer what touches them: those contacts are handed on to `rigid`.

mod search;

use self::search::Candidate;
pub use search::{ContactSearch, FeelsWalls};

use pliant_math::{DVec3, Real, Vec3, to_double};

use super::ccd::{LEVEL, Paths, Stop};
use super::rigid::{Backing, ParticleBodyContact};
use super::solve::{Before, ContactMultiplier, ContactRule, Extrapolation};
use crate::boundaries::ColliderReactions;
use crate::parallel::{self, CHUNK};
use crate::particles::Particles;

/// Room [radii] that the search leaves for what neighbours push.
const PUSHED: f64 = 0.2;

/// Cosine between the normals of a rigid body and a collider below which one is behind the other.
const FACING: Real = -0.5;

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

/// The contacts of consecutive particles.
#[derive(Debug, Default)]
struct Chunk {
    /// Each particle's contacts stand together, in order of the colliders.
    contacts: Vec<Contact>,
    /// Those with rigid bodies.
    of_rigid: Vec<Contact>,
    /// Particles that the last check has stopped.
    stops: Vec<Stop>,
    /// Velocities [m/s] with which it has found that nothing stops them; of the others numbers that are none.
    free: Vec<Vec3>,
    /// Colliders near a group.
    near: Vec<Candidate>,
    /// Those of them that are near a few of its particles.
    nearer: Vec<Candidate>,
    /// What contacts that are accelerated were.
    before: Before,
}

impl Chunk {
    /// The collider that faces a contact of one of its particles with a rigid body most squarely.
    fn backing(&self, contact: &Contact) -> Option<Backing> {
        let first = self
            .contacts
            .partition_point(|c| c.particle < contact.particle);
        let of_particle = self.contacts[first..].iter();
        let of_particle = of_particle.take_while(|c| c.particle == contact.particle);
        let facing = of_particle.map(|c| (c.rule.normal.dot(contact.rule.normal), c));
        let (opposed, behind) = facing.min_by(|a, b| a.0.total_cmp(&b.0))?;
        (opposed < FACING).then(|| Backing {
            normal: behind.rule.normal,
            least: behind.rule.target + behind.surface_velocity.dot(behind.rule.normal),
        })
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
        let chunks = self.chunks.iter();
        let contacts = chunks.flat_map(|chunk| chunk.contacts.iter().chain(&chunk.of_rigid));
        contacts.map(|contact| WallFace {
            particle: contact.particle,
            collider: contact.collider,
            normal: contact.rule.normal,
            distance: contact.distance,
            surface_velocity: contact.surface_velocity,
        })
    }

    /// The contacts with rigid bodies that were found, in order of the particles.
    ///
    /// * `first_rigid` — index of the first collider that is one
    pub fn touches(&self, first_rigid: usize) -> impl Iterator<Item = ParticleBodyContact> {
        let contacts = self.chunks.iter().flat_map(|chunk| {
            let of_rigid = chunk.of_rigid.iter();
            of_rigid.map(move |contact| (contact, chunk.backing(contact)))
        });
        contacts.map(move |(contact, backing)| ParticleBodyContact {
            particle: contact.particle,
            body: contact.collider - first_rigid as u32,
            normal: contact.rule.normal,
            target: contact.rule.target,
            friction: contact.rule.friction,
            grain: contact.rule.grain,
            drag: contact.rule.drag,
            approach: contact.approach,
            restitution: contact.restitution,
            backing,
        })
    }

    /// Slower approaches than this [m/s] are resting weight.
    pub fn resting_approach(&self) -> Real {
        self.threshold
    }

    /// What the last check has stopped at rigid bodies: the place of the particle, the number of the body,
    /// and the change of the particle's velocity [m/s].
    pub fn stopped_at_rigid(
        &self,
        first_rigid: usize,
    ) -> impl Iterator<Item = (usize, usize, DVec3)> {
        let stops = self.chunks.iter().flat_map(|chunk| &chunk.stops);
        let of_rigid = stops.filter(move |stop| stop.collider as usize >= first_rigid);
        of_rigid.map(move |stop| {
            let body = stop.collider as usize - first_rigid;
            (stop.particle as usize, body, stop.change)
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
            chunk.of_rigid.clear();
            chunk.stops.clear();
            chunk.free.clear();
            if search.colliders.is_empty() {
                return;
            }
            let end = ((number + 1) * CHUNK).min(search.particle_count);
            chunk.find_all(number * CHUNK..end, particles, search);
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
    pub fn extrapolate(
        &mut self,
        velocity: &mut [Vec3],
        inverse_mass: &[Real],
        extrapolation: &Extrapolation,
    ) {
        parallel::for_chunks_with(velocity, &mut self.chunks, |first, velocity, chunk| {
            let Chunk {
                contacts, before, ..
            } = chunk;
            let concerned = contacts.iter().map(|contact| {
                let is_free = inverse_mass[contact.particle as usize] > 0.0;
                let is_concerned = is_free && extrapolation.concerns(contact.particle);
                (is_concerned, contact.multiplier)
            });
            before.start(extrapolation, concerned);
            for (number, before) in &mut before.0 {
                let contact = &mut contacts[*number as usize];
                let share = extrapolation.momentum();
                let change = contact.multiplier.extrapolate(before, share, &contact.rule);
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
                    contact.multiplier.normal += missing.max(0.0);
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
        let paths = Paths {
            colliders: search.colliders,
            steps: search.steps,
            position,
            radius,
            is_tied: &|i, collider| search.is_tied(i, collider),
            inverse_mass,
            dt: search.dt,
        };
        parallel::for_chunks_with(velocity, chunks, |first, velocity, chunk| {
            let Chunk {
                contacts,
                of_rigid,
                stops,
                free,
                ..
            } = chunk;
            let met = search.particle_count.saturating_sub(first);
            let end = met.min(velocity.len());
            let velocity = &mut velocity[..end];
            let mut is_suspect = [false; CHUNK];
            mark_pushed(first, velocity, start_velocity, paths, &mut is_suspect);
            mark_fast(first, velocity, contacts, paths, &mut is_suspect);
            mark_fast(first, velocity, of_rigid, paths, &mut is_suspect);
            free.resize(end, Vec3::NAN);
            for (k, v) in velocity.iter_mut().enumerate() {
                if is_suspect[k] && free[k] != *v && paths.stop(first + k, v, stops) {
                    free[k] = *v;
                }
            }
        });
        chunks.iter().map(|chunk| chunk.stops.len()).sum()
    }

    /// Adds what particles have given each collider in this substep.
    pub fn add_impulses(&self, mass: &[Real], reactions: &mut ColliderReactions) {
        for contact in self.chunks.iter().flat_map(|chunk| &chunk.contacts) {
            let change = to_double(contact.multiplier.change(&contact.rule));
            let impulse = -change * f64::from(mass[contact.particle as usize]);
            let velocity = to_double(contact.surface_velocity);
            reactions.push(contact.collider as usize, impulse, velocity);
        }
        for stop in self.chunks.iter().flat_map(|chunk| &chunk.stops) {
            let impulse = -stop.change * f64::from(mass[stop.particle as usize]);
            reactions.push(stop.collider as usize, impulse, stop.velocity);
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
    paths: Paths<'_>,
    is_suspect: &mut [bool; CHUNK],
) {
    for (k, v) in velocity.iter().enumerate() {
        let i = first + k;
        let room = (1.0 + PUSHED as Real - LEVEL as Real) * paths.radius[i];
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
    paths: Paths<'_>,
    is_suspect: &mut [bool; CHUNK],
) {
    for contact in contacts {
        let i = contact.particle as usize;
        let radius = paths.radius[i];
        let room = contact.distance - LEVEL as Real * radius.min(contact.distance);
        let way = (velocity[i - first] - contact.surface_velocity).length() * paths.dt as Real;
        is_suspect[i - first] |= way > room;
    }
}
