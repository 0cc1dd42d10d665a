//! The last check of a substep: no way of a particle leads through a triangle, none of an edge through
//! another edge.
//!
//! Where one would, its four particles get an impulse that leaves them apart (Bridson et al. 2002, sec.
//! 7.4); after a few rounds, what still meets moves as one body. Momentum is kept by both.

use pliant_math::{DVec3, Real, Vec3, to_double, to_real};

use super::SurfaceContacts;
use super::cull::{Kind, Limit, keep_near};
use super::interior::Interior;
use super::surface::Surface;
use super::swept::Record;
use super::task::Task;
use crate::contacts::ccd::{Impact, Trajectories};
use crate::contacts::narrow::{Candidate, is_touching, nearest_of, radii};
use crate::parallel;
use crate::particles::Particles;

/// Share of the distance at the start that is left at least at any time.
pub const LEAST_SHARE: f64 = 0.1;
/// Share of it that an impulse leaves at the end.
const KEPT_SHARE: f64 = 0.5;
/// Share of the radii that an impulse leaves at least. What is pressed together for long would come
/// nearer and nearer by [`KEPT_SHARE`], until every way along the other surface looks like one through it.
const LEAST_KEPT: f64 = 1e-3;
/// Part of a way by which the rounding of velocities may change it.
const ROUNDING: f64 = 4.0 * Real::EPSILON as f64;
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
        self.impact_zones.clear(particles.len());
        let mut round = 0;
        while round < MOST_ROUNDS {
            self.candidates.follow(surface, particles, dt);
            self.find_impacts(particles, dt);
            if self.impacts.is_empty() {
                return round > 0;
            }
            let zones = &mut self.impact_zones;
            if round < IMPULSE_ROUNDS {
                let mut is_changed = false;
                for candidate in &self.impacts {
                    is_changed |= separate(candidate, particles, dt);
                }
                // Without a change, the next rounds would find the same.
                round = if is_changed {
                    round + 1
                } else {
                    IMPULSE_ROUNDS
                };
            } else {
                let joined = self.impacts.iter().filter(|of| zones.join(of.points));
                if joined.count() == 0 {
                    // What only grazes another part of its own zone does not cross it.
                    return true;
                }
                zones.project_to_rigid_motion(particles);
                round += 1;
            }
        }
        true
    }

    /// Lists the candidates that meet on their ways, in order.
    pub(super) fn find_impacts(&mut self, particles: &Particles, dt: f64) {
        let Self {
            candidates,
            interior,
            checked,
            impacts,
            ..
        } = self;
        checked.start(&particles.velocity);
        let records = &candidates.swept.records;
        parallel::for_items(&mut candidates.tasks, |_, task| {
            task.find_impacts(records, (checked, interior), (particles, dt));
        });
        impacts.clear();
        impacts.extend(candidates.tasks.iter().flat_map(|task| &task.impacts));
        impacts.sort_unstable_by_key(|candidate| (!candidate.is_triangle, candidate.points));
        checked.end(impacts, &particles.velocity);
    }
}

impl Task {
    /// Lists the candidates that meet on their ways, of those that are to be checked.
    fn find_impacts(
        &mut self,
        records: &[Record],
        (checked, interior): (&Checked, &Interior),
        (particles, dt): (&Particles, f64),
    ) {
        self.impacts.clear();
        let both = [
            (Kind::PointTriangle, &self.triangles),
            (Kind::EdgeEdge, &self.edges),
        ];
        for (kind, candidates) in both {
            let mut open = &candidates[..];
            if !checked.is_all_open {
                self.open.clear();
                let is_open = candidates.iter().filter(|points| checked.is_open(points));
                self.open.extend(is_open);
                open = &self.open;
            }
            let limit = Limit::Passage(LEAST_SHARE as Real);
            keep_near((kind, open), records, limit, &mut self.kept);
            let candidates = self.kept.iter().map(|&points| Candidate {
                points,
                is_triangle: kind == Kind::PointTriangle,
            });
            // What is inside a solid may come out.
            let meet = |candidate: &Candidate| {
                !interior.is_inside(candidate) && impact(candidate, particles, dt).is_some()
            };
            self.impacts.extend(candidates.filter(meet));
        }
    }
}

/// What has been checked in a substep: four particles whose velocities have not changed since they were
/// found to pass each other pass each other still.
#[derive(Debug, Default)]
pub struct Checked {
    /// Velocities at the last check [m/s]; none before the first in a substep.
    velocity: Vec<Vec3>,
    /// Whether candidates with each particle are to be checked.
    is_open: Vec<bool>,
    /// True if all are.
    is_all_open: bool,
}

impl Checked {
    /// Forgets all: for the start of a substep.
    pub fn clear(&mut self) {
        self.velocity.clear();
    }

    /// Opens what has changed since the last check.
    fn start(&mut self, velocity: &[Vec3]) {
        self.is_all_open = self.velocity.len() != velocity.len();
        if self.is_all_open {
            self.is_open.clear();
            self.is_open.resize(velocity.len(), true);
            return;
        }
        let pairs = self.velocity.iter().zip(velocity);
        for (is_open, (then, now)) in self.is_open.iter_mut().zip(pairs) {
            *is_open |= then != now;
        }
    }

    /// Leaves open only what still meets.
    fn end(&mut self, impacts: &[Candidate], velocity: &[Vec3]) {
        self.velocity.clear();
        self.velocity.extend_from_slice(velocity);
        self.is_open.fill(false);
        for point in impacts.iter().flat_map(|candidate| candidate.points) {
            self.is_open[point as usize] = true;
        }
    }

    fn is_open(&self, points: &[u32; 4]) -> bool {
        points.iter().any(|&p| self.is_open[p as usize])
    }
}

fn impact(candidate: &Candidate, particles: &Particles, dt: f64) -> Option<Impact> {
    let places = candidate.points.map(|p| p as usize);
    let is_held = |&i: &usize| particles.inverse_mass[i] == 0.0;
    if places.iter().all(is_held) {
        return None;
    }
    let way = places.map(|i| to_double(particles.velocity[i]) * dt);
    let ways = Trajectories {
        start: places.map(|i| particles.position[i]),
        way,
        split: if candidate.is_triangle { 1 } else { 2 },
    };
    let impact = ways.impact(|corners| nearest_of(candidate, corners), LEAST_SHARE)?;
    // What touches at the start has no side to be kept on; nor has what is nearer than velocities,
    // rounded to single precision, tell apart.
    let longest = way.iter().map(|way| way.length()).fold(0.0, f64::max);
    let start = impact.start_distance;
    let has_side = !is_touching(start, radii(*candidate, particles)) && start > ROUNDING * longest;
    has_side.then_some(impact)
}

/// Gives four particles that meet an impulse along the normal where they meet; others may have
/// separated them already. Returns whether it did.
fn separate(candidate: &Candidate, particles: &mut Particles, dt: f64) -> bool {
    let Some(impact) = impact(candidate, particles, dt) else {
        return false;
    };
    let Some(normal) = impact.nearest.between.try_normalize() else {
        return false;
    };
    let places = candidate.points.map(|p| p as usize);
    let weights = impact.nearest.weights;
    let (mut relative, mut start, mut inverse) = (DVec3::ZERO, DVec3::ZERO, 0.0);
    for (&i, &c) in places.iter().zip(&weights) {
        relative += to_double(particles.velocity[i]) * c;
        start += particles.position[i] * c;
        inverse += f64::from(particles.inverse_mass[i]) * c * c;
    }
    let least = LEAST_KEPT * radii(*candidate, particles);
    let kept = (KEPT_SHARE * impact.start_distance).max(least);
    let missing = (kept - start.dot(normal)) / dt - relative.dot(normal);
    if missing <= 0.0 || inverse == 0.0 {
        return false;
    }
    let impulse = to_real(normal * (missing / inverse));
    for (&i, &c) in places.iter().zip(&weights) {
        particles.velocity[i] += impulse * (c as Real * particles.inverse_mass[i]);
    }
    true
}
