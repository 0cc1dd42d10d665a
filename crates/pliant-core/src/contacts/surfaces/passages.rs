//! The last check of a substep: no way of a particle leads through a triangle, none of an edge through
//! another edge.
//!
//! Where one would, its four particles get an impulse that leaves them apart (Bridson et al. 2002, sec.
//! 7.4); after a few rounds, what still meets moves as one body. Momentum is kept by both.

use std::ops::Range;

use pliant_math::{DVec3, Real, Vec3, to_double, to_real};

use super::SurfaceContacts;
use super::cull::{Four, Kind, Limit, keep_near};
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
        let mut met = self.candidates.met.iter().cloned();
        let are_finite = |met: Range<usize>| particles.velocity[met].iter().all(|v| v.is_finite());
        if surface.triangles.is_empty() || !met.all(are_finite) {
            return false;
        }
        let mut round = 0;
        while round < MOST_ROUNDS {
            self.candidates.follow(surface, particles, dt);
            self.find_impacts(particles, dt);
            if self.impacts.is_empty() {
                return round > 0;
            }
            let zones = &mut self.impact_zones;
            if round == 0 {
                zones.clear(particles.len());
            }
            if round < IMPULSE_ROUNDS {
                let mut is_changed = false;
                for candidate in &self.impacts {
                    is_changed |= separate(candidate, particles, dt, &mut self.on_held);
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
                zones.project_to_rigid_motion(particles, &mut self.on_held);
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
        checked.start(&particles.velocity, &candidates.met, dt);
        let records = &candidates.swept.records;
        parallel::for_items(&mut candidates.tasks, |_, task| {
            task.find_impacts(records, (checked, interior), (particles, dt));
        });
        impacts.clear();
        impacts.extend(candidates.tasks.iter().flat_map(|task| &task.impacts));
        impacts.sort_unstable_by_key(|candidate| (!candidate.is_triangle, candidate.points));
        checked.end(impacts, &particles.velocity, &candidates.met);
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
        let is_listed = std::mem::replace(&mut self.is_listed, true) && !checked.is_all_open;
        for ((kind, candidates), close) in both.into_iter().zip(&mut self.close) {
            let limit = |changed: f64| Limit::Passage {
                share: LEAST_SHARE as Real,
                changed: changed as Real,
            };
            // From one end of the room to the other.
            let close_limit = limit(2.0 * checked.room);
            if !is_listed {
                keep_near((kind, candidates), records, close_limit, close);
            } else if checked.have_some_strayed {
                list_marked(candidates, &checked.has_strayed, &mut self.open);
                keep_near((kind, &self.open), records, close_limit, &mut self.kept);
                close.retain(|points| !is_marked(points, &checked.has_strayed));
                close.extend_from_slice(&self.kept);
            }
            let mut open = &close[..];
            if !checked.is_all_open {
                list_marked(close, &checked.open, &mut self.open);
                open = &self.open;
            }
            keep_near((kind, open), records, limit(0.0), &mut self.kept);
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
    /// Whether there has been a check in this substep.
    is_begun: bool,
    /// Velocities at the last check [m/s].
    velocity: Vec<Vec3>,
    /// Not zero where candidates with a particle are to be checked.
    open: Vec<u8>,
    /// True if all are.
    is_all_open: bool,
    /// Velocities like which those are that close candidates are listed for [m/s]...
    listed_for: Vec<Vec3>,
    /// ...up to this difference of the displacements [m].
    room: f64,
    /// Not zero where that has become larger since the last check.
    has_strayed: Vec<u8>,
    /// True if it has anywhere.
    have_some_strayed: bool,
}

impl Checked {
    /// Forgets all: for the start of a substep.
    ///
    /// * `room` — of displacements that are alike [m]
    pub fn restart(&mut self, room: f64) {
        self.is_begun = false;
        self.room = room;
    }

    /// Opens what has changed since the last check.
    ///
    /// * `met` — places of the particles that may meet something
    fn start(&mut self, velocity: &[Vec3], met: &[Range<usize>], dt: f64) {
        let is_first = !self.is_begun || self.velocity.len() != velocity.len();
        (self.is_begun, self.is_all_open, self.have_some_strayed) = (true, is_first, false);
        if is_first {
            let count = velocity.len();
            self.open.resize(count, 0);
            self.has_strayed.resize(count, 0);
            self.listed_for.resize(count, Vec3::ZERO);
            self.velocity.resize(count, Vec3::ZERO);
            for met in met.iter().cloned() {
                self.listed_for[met.clone()].copy_from_slice(&velocity[met]);
            }
            return;
        }
        let most = (self.room / dt).powi(2);
        for place in met.iter().cloned().flatten() {
            let (now, listed) = (velocity[place], &mut self.listed_for[place]);
            self.has_strayed[place] = 0;
            if self.velocity[place] != now {
                self.open[place] = 1;
                if f64::from((now - *listed).length_squared()) > most {
                    *listed = now;
                    self.has_strayed[place] = 1;
                    self.have_some_strayed = true;
                }
            }
        }
    }

    /// Leaves open only what still meets.
    fn end(&mut self, impacts: &[Candidate], velocity: &[Vec3], met: &[Range<usize>]) {
        for met in met.iter().cloned() {
            self.velocity[met.clone()].copy_from_slice(&velocity[met.clone()]);
            self.open[met].fill(0);
        }
        for point in impacts.iter().flat_map(|candidate| candidate.points) {
            self.open[point as usize] = 1;
        }
    }
}

/// Lists the candidates with a particle that has a mark: most have none, and which is hard to foretell, so there are
/// few branches.
fn list_marked(candidates: &[Four], marks: &[u8], listed: &mut Vec<Four>) {
    listed.clear();
    for row in candidates.chunks(u32::BITS as usize) {
        let mut bits = 0;
        for (lane, points) in row.iter().enumerate() {
            bits |= u32::from(is_marked(points, marks)) << lane;
        }
        while bits != 0 {
            listed.push(row[bits.trailing_zeros() as usize]);
            bits &= bits - 1;
        }
    }
}

#[inline(always)]
fn is_marked(points: &Four, marks: &[u8]) -> bool {
    let [a, b, c, d] = points.map(|point| marks[point as usize]);
    a | b | c | d != 0
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
///
/// * `on_held` — takes what particles that are held get of it: place and impulse [N s]
fn separate(
    candidate: &Candidate,
    particles: &mut Particles,
    dt: f64,
    on_held: &mut Vec<(u32, DVec3)>,
) -> bool {
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
    let impulse = normal * (missing / inverse);
    for (&i, &c) in places.iter().zip(&weights) {
        if particles.inverse_mass[i] == 0.0 {
            on_held.push((i as u32, impulse * c));
        }
    }
    let impulse = to_real(impulse);
    for (&i, &c) in places.iter().zip(&weights) {
        particles.velocity[i] += impulse * (c as Real * particles.inverse_mass[i]);
    }
    true
}
