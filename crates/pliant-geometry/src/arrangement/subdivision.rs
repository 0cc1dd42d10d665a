//! A triangle in parts along segments: a constrained Delaunay triangulation in its plane.

use pliant_math::DVec3;

use super::{Arrangement, NotGeneric};
use crate::planar::{Flat, axes_across, triangulated};

/// A triangle that curves go through.
pub(super) struct Triangle<'a> {
    pub arrangement: &'a Arrangement,
    /// Which mesh it is of.
    pub mesh: usize,
    /// Points before the vertices of that.
    pub before: u32,
    /// Its corners, by numbers of points.
    pub corners: [u32; 3],
}

impl Triangle<'_> {
    /// The parts, turned as the triangle is.
    ///
    /// * `segments` — the curves in it, by numbers of points
    pub fn subdivided(&self, segments: &[[u32; 2]]) -> Result<Vec<[u32; 3]>, NotGeneric> {
        let mut points: Vec<u32> = segments.as_flattened().to_vec();
        points.sort_unstable();
        points.dedup();
        let mut outline = Vec::new();
        for k in 0..3 {
            self.add_edge(
                &points,
                [self.corners[k], self.corners[(k + 1) % 3]],
                &mut outline,
            );
        }
        let [a, b, c] = self.corners.map(|corner| self.place(corner));
        let ([right, up], is_turned) = axes_across((b - a).cross(c - a));
        let flat = |&number: &u32| {
            let place = self.place(number);
            Flat {
                number,
                place: [place[right], place[up]],
            }
        };
        let all = self.corners.iter().chain(&points).map(flat);
        let parts = triangulated(all, &outline, segments).ok_or(NotGeneric)?;
        let turned = |[a, b, c]: [u32; 3]| if is_turned { [a, c, b] } else { [a, b, c] };
        Ok(parts.into_iter().map(turned).collect())
    }

    fn place(&self, number: u32) -> DVec3 {
        self.arrangement.points[number as usize]
    }

    /// Adds an edge of the triangle, divided where the other mesh crosses it.
    fn add_edge(&self, points: &[u32], [from, to]: [u32; 2], outline: &mut Vec<[u32; 2]>) {
        let edge = [from.min(to) - self.before, from.max(to) - self.before];
        let is_on = |point: &&u32| {
            let crossing = self.arrangement.crossing(**point);
            crossing.is_some_and(|crossing| crossing.mesh == self.mesh && crossing.edge == edge)
        };
        let mut on: Vec<u32> = points.iter().filter(is_on).copied().collect();
        // Measured from the same end in both triangles of the edge.
        let start = self.place(from.min(to));
        let along = |point: &u32| self.place(*point).distance_squared(start);
        on.sort_by(|a, b| along(a).total_cmp(&along(b)).then(a.cmp(b)));
        if from > to {
            on.reverse();
        }
        let mut last = from;
        for point in on.into_iter().chain([to]) {
            outline.push([last, point]);
            last = point;
        }
    }
}
