//! Which of the triangles near a particle it has contact with.
//!
//! A particle over a flat sheet is nearest to one triangle, and beside that to edges and corners of
//! its neighbours, whose slanted normals it would stumble over. What counts is a nearest point that no
//! triangle around it comes nearer than: inside a triangle, or on an edge or a corner that is the
//! nearest point of all triangles there, once.

use super::nearest::Nearest;
use super::simplices::Candidate;

/// A triangle near a particle, and the corners that its nearest point lies between.
#[derive(Clone, Copy, Debug)]
pub struct TriangleHit {
    /// The particle and the triangle.
    pub candidate: Candidate,
    /// Their nearest points.
    pub nearest: Nearest,
}

impl TriangleHit {
    /// True if the nearest point is between all of some corners.
    fn has(&self, corner: u32) -> bool {
        let corners = self.candidate.points[1..].iter();
        let mut weights = corners.zip(&self.nearest.weights[1..]);
        weights.any(|(&c, &w)| c == corner && w != 0.0)
    }

    /// The corners that the nearest point is between.
    fn feature(&self) -> impl Iterator<Item = u32> + '_ {
        let corners = self.candidate.points[1..].iter();
        let weighted = corners.zip(&self.nearest.weights[1..]);
        weighted.filter(|(_, w)| **w != 0.0).map(|(&c, _)| c)
    }
}

/// Whether a particle has contact with the triangle at `place` among those near it.
pub fn is_nearest_feature(place: usize, of_particle: &[TriangleHit]) -> bool {
    let own = &of_particle[place];
    let count = own.feature().count();
    if count == 3 {
        return true;
    }
    for (other_place, other) in of_particle.iter().enumerate() {
        let corners = &other.candidate.points[1..];
        let shares = other_place != place && own.feature().all(|c| corners.contains(&c));
        if !shares {
            continue;
        }
        let is_same = other.feature().count() == count && own.feature().all(|c| other.has(c));
        if !is_same || other_place < place {
            return false;
        }
    }
    true
}
