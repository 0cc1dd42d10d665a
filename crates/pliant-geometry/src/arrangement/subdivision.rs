//! A triangle in parts along segments: a constrained Delaunay triangulation in its plane.

use std::collections::{BTreeMap, BTreeSet};

use pliant_math::DVec3;
use spade::handles::FixedVertexHandle;
use spade::{ConstrainedDelaunayTriangulation, HasPosition, Point2, Triangulation};

use super::{Arrangement, NotGeneric};

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

/// A point in the plane of the triangle.
#[derive(Clone, Copy)]
struct Flat {
    number: u32,
    place: Point2<f64>,
}

impl HasPosition for Flat {
    type Scalar = f64;

    fn position(&self) -> Point2<f64> {
        self.place
    }
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
        let (axes, is_turned) = self.plane();
        let mut plane = ConstrainedDelaunayTriangulation::<Flat>::new();
        let mut handles: BTreeMap<u32, FixedVertexHandle> = BTreeMap::new();
        for &number in self.corners.iter().chain(&points) {
            let place = self.place(number);
            let place = Point2::new(place[axes[0]], place[axes[1]]);
            let handle = plane
                .insert(Flat { number, place })
                .map_err(|_| NotGeneric)?;
            if plane.num_vertices() != handles.len() + 1 {
                return Err(NotGeneric);
            }
            handles.insert(number, handle);
        }
        for ends in outline.iter().chain(segments) {
            let [from, to] = ends.map(|number| handles[&number]);
            if plane.try_add_constraint(from, to).is_empty() && !plane.exists_constraint(from, to) {
                return Err(NotGeneric);
            }
        }
        let parts = plane.inner_faces().map(|face| {
            let [a, b, c] = face.vertices().map(|vertex| vertex.data().number);
            if is_turned { [a, c, b] } else { [a, b, c] }
        });
        Ok(within(&outline, parts.collect()))
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

    /// The axes that the triangle is seen along least distorted, and whether it is turned there.
    fn plane(&self) -> ([usize; 2], bool) {
        let [a, b, c] = self.corners.map(|corner| self.place(corner));
        let normal = (b - a).cross(c - a);
        let size = normal.abs();
        let axis = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        ([(axis + 1) % 3, (axis + 2) % 3], normal[axis] < 0.0)
    }
}

/// Those of the triangles that cover the convex hull of an outline that are inside of it: an outline that is
/// straight but for rounding may be dented.
fn within(outline: &[[u32; 2]], triangles: Vec<[u32; 3]>) -> Vec<[u32; 3]> {
    let sorted = |[a, b]: [u32; 2]| [a.min(b), a.max(b)];
    let outline: BTreeSet<[u32; 2]> = outline.iter().copied().map(sorted).collect();
    let edges = |[a, b, c]: [u32; 3]| [[a, b], [b, c], [c, a]].map(sorted);
    let mut at_edge: BTreeMap<[u32; 2], Vec<usize>> = BTreeMap::new();
    for (number, &triangle) in triangles.iter().enumerate() {
        for edge in edges(triangle) {
            at_edge.entry(edge).or_default().push(number);
        }
    }
    let mut is_outside = vec![false; triangles.len()];
    let open = at_edge
        .iter()
        .filter(|(edge, of)| of.len() == 1 && !outline.contains(*edge));
    let mut waiting: Vec<usize> = open.map(|(_, of)| of[0]).collect();
    while let Some(number) = waiting.pop() {
        if std::mem::replace(&mut is_outside[number], true) {
            continue;
        }
        let free = edges(triangles[number]);
        for edge in free.iter().filter(|edge| !outline.contains(*edge)) {
            waiting.extend(&at_edge[edge]);
        }
    }
    let all = triangles.into_iter().zip(is_outside);
    all.filter_map(|(triangle, is_outside)| (!is_outside).then_some(triangle))
        .collect()
}
