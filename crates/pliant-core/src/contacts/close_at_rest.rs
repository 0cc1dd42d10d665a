//! Parts of a surface that are nearer to each other at rest than contacts let them be, since triangles between them are
//! slivers: they are no contacts of each other.

use pliant_math::DVec3;

use super::lists::Lists;
use super::narrow::{Candidate, nearest_of};
use crate::parallel;

/// So many vertices and sides are looked around by a thread at a time.
const PART: usize = 512;

/// Which vertices of a surface are too close to each other at rest.
#[derive(Clone, Debug, Default)]
pub struct CloseAtRest(Lists);

/// A surface at rest.
struct AtRest<'a> {
    position: &'a [DVec3],
    triangles: &'a [[u32; 3]],
    /// The triangles around each vertex.
    around: Lists,
}

/// Triangles that a walk has come to, in its order.
struct Seen {
    order: Vec<u32>,
    /// The last walk that has come to each triangle.
    walk_of: Vec<u32>,
    walk: u32,
}

impl Seen {
    fn new(triangles: usize) -> Self {
        Self {
            order: Vec::new(),
            walk_of: vec![0; triangles],
            walk: 0,
        }
    }

    fn start(&mut self) {
        self.order.clear();
        self.walk += 1;
    }

    fn add(&mut self, triangle: u32) {
        let walk_of = &mut self.walk_of[triangle as usize];
        if *walk_of != self.walk {
            *walk_of = self.walk;
            self.order.push(triangle);
        }
    }
}

impl CloseAtRest {
    /// Looks along the surface from each vertex and each side, as far as it stays within a distance.
    ///
    /// * `position` — of the vertices at rest [m]
    /// * `surfaces` — triangles of bodies, and the distance for each [m]
    pub fn new<'a>(
        position: &[DVec3],
        surfaces: impl Iterator<Item = (&'a [[u32; 3]], f64)>,
    ) -> Self {
        let mut pairs = Vec::new();
        for (triangles, distance) in surfaces {
            let surface = AtRest::new(position, triangles);
            let features = surface.features();
            let mut parts: Vec<Vec<(u32, u32)>> = vec![Vec::new(); features.len().div_ceil(PART)];
            parallel::for_items(&mut parts, |number, close| {
                let mut seen = Seen::new(triangles.len());
                let end = features.len().min((number + 1) * PART);
                for feature in &features[number * PART..end] {
                    surface.add_close(*feature, distance, &mut seen, close);
                }
            });
            pairs.extend(parts.into_iter().flatten());
        }
        Self(Lists::new(position.len(), pairs))
    }

    /// True if nothing is too close.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether what is made of some vertices is too close to what is made of others: each to each.
    ///
    /// * `first` — the place of the first vertex; places before it are others', as are those behind the last
    #[inline]
    pub fn are_close(&self, first: u32, ones: &[u32], others: &[u32]) -> bool {
        ones.iter().all(|one| {
            let close = self.0.get(one.wrapping_sub(first));
            !close.is_empty()
                && others.iter().all(|other| {
                    let other = other.wrapping_sub(first);
                    close.binary_search(&other).is_ok()
                })
        })
    }
}

impl<'a> AtRest<'a> {
    fn new(position: &'a [DVec3], triangles: &'a [[u32; 3]]) -> Self {
        let corners = (0..).zip(triangles);
        let around = corners.flat_map(|(number, of)| of.map(|corner| (corner, number)));
        Self {
            position,
            triangles,
            around: Lists::new(position.len(), around.collect()),
        }
    }

    /// The vertices, each twice in the place of a side, and the sides, each once.
    fn features(&self) -> Vec<[u32; 2]> {
        let of_one = |&[a, b, c]: &[u32; 3]| {
            let sides = [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)]);
            let [d, e, f] = sides;
            [[a, a], [b, b], [c, c], d, e, f]
        };
        let mut features: Vec<[u32; 2]> = self.triangles.iter().flat_map(of_one).collect();
        features.sort_unstable();
        features.dedup();
        features
    }

    /// Adds the pairs of vertices by which a vertex or a side is too close to others.
    fn add_close(
        &self,
        [a, b]: [u32; 2],
        distance: f64,
        seen: &mut Seen,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        if a == b {
            self.walk(&[a], seen, |other| {
                let is_close = self.is_close(&[a], other, distance);
                if is_close && !other.contains(&a) {
                    pairs.extend(other.iter().flat_map(|&c| [(a, c), (c, a)]));
                }
                is_close
            });
            return;
        }
        self.walk(&[a, b], seen, |other| {
            let mut is_near = false;
            for [c, d] in [[0, 1], [1, 2], [2, 0]].map(|side| side.map(|k| other[k])) {
                let is_close = self.is_close(&[a, b], &[c, d], distance);
                is_near |= is_close;
                if is_close && c != a && c != b && d != a && d != b {
                    let ends = [(a, c), (a, d), (b, c), (b, d)];
                    pairs.extend(ends.iter().flat_map(|&(x, y)| [(x, y), (y, x)]));
                }
            }
            is_near
        });
    }

    /// Goes from triangle to triangle as long as `goes_on` says so of their corners.
    fn walk(&self, from: &[u32], seen: &mut Seen, mut goes_on: impl FnMut(&[u32; 3]) -> bool) {
        seen.start();
        from.iter()
            .flat_map(|&v| self.around.of(v))
            .for_each(|&triangle| seen.add(triangle));
        let mut at = 0;
        while let Some(&number) = seen.order.get(at) {
            at += 1;
            let corners = &self.triangles[number as usize];
            if goes_on(corners) {
                let next = corners.iter().flat_map(|&c| self.around.of(c));
                next.for_each(|&triangle| seen.add(triangle));
            }
        }
    }

    /// Whether a vertex is as near to a triangle, or an edge to an edge; those that share a vertex are.
    fn is_close(&self, ones: &[u32], others: &[u32], distance: f64) -> bool {
        if ones.iter().any(|one| others.contains(one)) {
            return true;
        }
        let mut points = [0; 4];
        points[..ones.len()].copy_from_slice(ones);
        points[ones.len()..].copy_from_slice(others);
        let candidate = Candidate {
            points,
            is_triangle: ones.len() == 1,
        };
        let corners = points.map(|vertex| self.position[vertex as usize]);
        nearest_of(&candidate, &corners).between.length() < distance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A strip of triangles along x with a sliver in its middle, 1 mm high, and a strip 1 mm above it that does not
    /// hang together with it.
    #[test]
    fn what_a_sliver_parts_is_close_and_what_lies_above_is_not() {
        let x = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
        let position = [
            x(0.0, 0.0, 0.0),
            x(1.0, 0.0, 0.0),
            x(0.5, 1e-3, 0.0),
            x(0.5, -1.0, 0.0),
            x(0.0, 1.0, 0.0),
            x(1.0, 1.0, 0.0),
            x(0.4, 0.4, 1e-3),
            x(0.6, 0.4, 1e-3),
            x(0.5, 0.6, 1e-3),
        ];
        let triangles = [
            [0, 1, 2],
            [0, 3, 1],
            [0, 2, 4],
            [2, 1, 5],
            [2, 5, 4],
            [6, 7, 8],
        ];
        let close = CloseAtRest::new(&position, [(&triangles[..], 0.01)].into_iter());
        // The tip of the sliver, and the triangle on the other side of its base.
        assert!(close.are_close(0, &[2], &[0, 3, 1]) && close.are_close(7, &[9], &[7, 10, 8]));
        assert!(!close.are_close(0, &[6], &[2, 5, 4]) && !close.are_close(0, &[2], &[6, 7, 8]));
        assert!(!close.are_close(0, &[3], &[2, 5, 4]));
        assert!(CloseAtRest::new(&position, [(&triangles[1..2], 0.01)].into_iter()).is_empty());
    }
}
