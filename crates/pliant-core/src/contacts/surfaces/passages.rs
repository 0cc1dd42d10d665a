//! The last check of a substep: no way of a particle leads through a triangle, none of an edge through
//! another edge.
//!
//! Where one would, its four particles get an impulse that leaves them apart (Bridson et al. 2002, sec.
//! 7.4); after a few rounds, what still meets moves as one body. Momentum is kept by both.

use pliant_math::{DVec3, Real, to_double, to_real};

use super::SurfaceContacts;
use super::candidates::{Candidate, Surface};
use super::contact::nearest_of;
use super::sweep::{Meeting, Ways};
use crate::parallel;
use crate::particles::Particles;

/// Share of the distance at the start that is left at least at any time.
pub const LEAST_SHARE: f64 = 0.1;
/// Share of it that an impulse leaves at the end.
const KEPT_SHARE: f64 = 0.5;
/// Rounds of impulses; after these, zones.
const IMPULSE_ROUNDS: usize = 8;
/// Rounds in all.
const MOST_ROUNDS: usize = 60;

impl SurfaceContacts {
    /// Changes velocities so that in a substep of `dt` [s] nothing passes a surface. Returns true if
    /// there was anything to change.
    pub fn stop_passages(&mut self, surface: &Surface, particles: &mut Particles, dt: f64) -> bool {
        if surface.triangles.is_empty() || !particles.velocity.iter().all(|v| v.is_finite()) {
            return false;
        }
        self.zones.clear(particles.len());
        for round in 0..MOST_ROUNDS {
            self.candidates.follow(surface, particles, dt);
            let mut meetings = meetings(&self.candidates.all, particles, dt);
            meetings.sort_unstable_by_key(|candidate| (!candidate.is_triangle, candidate.points));
            if meetings.is_empty() {
                return round > 0;
            }
            if round < IMPULSE_ROUNDS {
                for candidate in &meetings {
                    separate(candidate, particles, dt);
                }
            } else {
                for candidate in &meetings {
                    self.zones.join(candidate.points);
                }
                self.zones.stiffen(particles);
            }
        }
        true
    }
}

/// The candidates that meet on their ways.
pub(super) fn meetings(candidates: &[Candidate], particles: &Particles, dt: f64) -> Vec<Candidate> {
    parallel::ordered_fold(
        candidates.len(),
        Vec::new(),
        |range| {
            let of_chunk = candidates[range].iter();
            let meet = |c: &&Candidate| meeting(c, particles, dt).is_some();
            of_chunk.filter(meet).copied().collect()
        },
        |mut all: Vec<_>, more| {
            all.extend(more);
            all
        },
    )
}

fn meeting(candidate: &Candidate, particles: &Particles, dt: f64) -> Option<Meeting> {
    let places = candidate.points.map(|p| p as usize);
    let is_held = |&i: &usize| particles.inverse_mass[i] == 0.0;
    if places.iter().all(is_held) {
        return None;
    }
    let ways = Ways {
        start: places.map(|i| particles.position[i]),
        way: places.map(|i| to_double(particles.velocity[i]) * dt),
        split: if candidate.is_triangle { 1 } else { 2 },
    };
    ways.meeting(|corners| nearest_of(candidate, corners), LEAST_SHARE)
}

/// Gives four particles that meet an impulse along the normal where they meet; others may have
/// separated them already.
fn separate(candidate: &Candidate, particles: &mut Particles, dt: f64) {
    let Some(meeting) = meeting(candidate, particles, dt) else {
        return;
    };
    let Some(normal) = meeting.nearest.between.try_normalize() else {
        return;
    };
    let places = candidate.points.map(|p| p as usize);
    let weights = meeting.nearest.weights;
    let (mut relative, mut start, mut inverse) = (DVec3::ZERO, DVec3::ZERO, 0.0);
    for (&i, &c) in places.iter().zip(&weights) {
        relative += to_double(particles.velocity[i]) * c;
        start += particles.position[i] * c;
        inverse += f64::from(particles.inverse_mass[i]) * c * c;
    }
    let kept = KEPT_SHARE * meeting.start_distance;
    let missing = (kept - start.dot(normal)) / dt - relative.dot(normal);
    if missing <= 0.0 || inverse == 0.0 {
        return;
    }
    let impulse = to_real(normal * (missing / inverse));
    for (&i, &c) in places.iter().zip(&weights) {
        particles.velocity[i] += impulse * (c as Real * particles.inverse_mass[i]);
    }
}
