//! What one task finds among the candidates, and what it makes of them.

use pliant_math::Real;
use pliant_math::simd::LANES;

use super::candidates::contact_margin;
use super::cull::{Four, Kind, Limit, keep_near};
use super::interior::Interior;
use super::surface::Surface;
use super::swept::Record;
use crate::contacts::broad::{Bounds, BoxRow};
use crate::contacts::narrow::{
    Candidate, RADII_SHARE, SurfaceSearch, TriangleHit, add_contact, add_exit, is_nearest_feature,
    is_touching, nearest_now, radii,
};
use crate::contacts::solve::ContactList;
use crate::particles::Particles;

/// Candidates, and what was found among them.
#[derive(Debug, Default)]
pub struct Task {
    /// A particle and the corners of a triangle; those of one particle stand together.
    pub triangles: Vec<Four>,
    /// The ends of two edges, the lesser ones first.
    pub edges: Vec<Four>,
    /// The contacts, until they are handed over.
    pub contacts: ContactList,
    /// Those that meet on their trajectories.
    pub impacts: Vec<Candidate>,
    /// Triangles, then edges that may meet for velocities like those of the last check.
    pub close: [Vec<Four>; 2],
    /// Whether these are listed.
    pub is_listed: bool,
    /// Patches that the one at hand may meet, then rows of their edges.
    pub near: Vec<u32>,
    /// The one or the other, while it is not at hand.
    pub near_rows: Vec<u32>,
    /// The boxes of these.
    pub near_boxes: Vec<BoxRow>,
    /// Candidates of particles whose velocities have changed.
    pub open: Vec<Four>,
    /// Candidates that are looked at one by one.
    pub kept: Vec<Four>,
    /// Triangles near a particle.
    hits: Vec<TriangleHit>,
}

impl Task {
    /// Puts the boxes of what is near side by side.
    pub fn box_near(&mut self, bounds: impl Fn(u32) -> Bounds) {
        self.near_boxes.clear();
        for near in self.near.chunks(LANES) {
            let mut row = BoxRow::NOWHERE;
            for (lane, &number) in near.iter().enumerate() {
                row.set(lane, &bounds(number));
            }
            self.near_boxes.push(row);
        }
    }

    /// Leaves out candidates where bodies are tied, and what is too close at rest.
    pub fn leave_out(&mut self, surface: &Surface) {
        let tied = &surface.tied;
        if !tied.is_empty() {
            self.triangles.retain(|p| !tied.are_tied(&p[..1], &p[1..]));
            self.edges.retain(|p| !tied.are_tied(&p[..2], &p[2..]));
        }
        for (first, close) in &surface.close_at_rest {
            let are_close =
                |(ones, others): (&[u32], &[u32])| close.are_close(*first, ones, others);
            self.triangles.retain(|p| !are_close(p.split_at(1)));
            self.edges.retain(|p| !are_close(p.split_at(2)));
        }
    }

    /// Finds the contacts among the candidates.
    pub fn find_contacts(
        &mut self,
        records: &[Record],
        particles: &Particles,
        search: &SurfaceSearch<'_>,
        interior: &Interior,
    ) {
        self.contacts.clear();
        let limit = Limit::Contact {
            radii: RADII_SHARE as Real,
            margin: contact_margin(search.acceleration, search.dt),
        };
        let mut kept = std::mem::take(&mut self.kept);
        keep_near(
            (Kind::PointTriangle, &self.triangles),
            records,
            limit,
            &mut kept,
        );
        for of_particle in kept.chunk_by(|a, b| a[0] == b[0]) {
            self.meet_triangles(of_particle, particles, (search, interior));
        }
        keep_near((Kind::EdgeEdge, &self.edges), records, limit, &mut kept);
        for &points in &kept {
            let candidate = Candidate {
                points,
                is_triangle: false,
            };
            if interior.is_inside(&candidate) {
                continue;
            }
            let nearest = nearest_now(&candidate, particles);
            // Nearest at an end, a corner of one surface meets the other: that is a contact of its own.
            if nearest.weights.iter().all(|&w| w != 0.0) {
                add_contact(candidate, &nearest, particles, search, &mut self.contacts);
            }
        }
        self.kept = kept;
    }

    /// Adds the contacts of one particle with triangles.
    fn meet_triangles(
        &mut self,
        near: &[Four],
        particles: &Particles,
        (search, interior): (&SurfaceSearch<'_>, &Interior),
    ) {
        self.hits.clear();
        let candidates = near.iter().map(|&points| Candidate {
            points,
            is_triangle: true,
        });
        let candidates = candidates.filter(|candidate| !interior.is_inside(candidate));
        self.hits.extend(candidates.map(|candidate| TriangleHit {
            candidate,
            nearest: nearest_now(&candidate, particles),
        }));
        self.hits.sort_unstable_by_key(|hit| hit.candidate.points);
        for (place, hit) in self.hits.iter().enumerate() {
            if !is_nearest_feature(place, &self.hits) {
                continue;
            }
            let TriangleHit { candidate, nearest } = *hit;
            let touches = is_touching(nearest.between.length(), radii(candidate, particles));
            match interior.is_inverted(candidate.points[1]) {
                Some(is_inverted) if touches => {
                    let exit = (candidate, is_inverted);
                    add_exit(exit, &nearest, particles, search, &mut self.contacts);
                }
                _ => add_contact(candidate, &nearest, particles, search, &mut self.contacts),
            }
        }
    }
}
