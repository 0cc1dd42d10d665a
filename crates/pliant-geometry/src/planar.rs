//! Polygons with holes in triangles: a constrained Delaunay triangulation in their plane.

use std::collections::{BTreeMap, BTreeSet};

use pliant_math::DVec3;
use spade::handles::FixedVertexHandle;
use spade::{ConstrainedDelaunayTriangulation, HasPosition, Point2, Triangulation};

/// A point in a plane.
#[derive(Clone, Copy)]
pub struct Flat {
    /// Its number among points in space.
    pub number: u32,
    /// Where it is in the plane.
    pub place: [f64; 2],
}

impl HasPosition for Flat {
    type Scalar = f64;

    fn position(&self) -> Point2<f64> {
        let [x, y] = self.place;
        Point2::new(x, y)
    }
}

/// The axes along which something across a normal is seen least distorted, and whether its way round is turned there.
pub fn axes_across(normal: DVec3) -> ([usize; 2], bool) {
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

/// Triangles inside of an outline between the points, none added, counter-clockwise in the plane; `None` if points
/// coincide or edges cross.
///
/// * `outline` — edges of a polygon and of its holes, whichever way round
/// * `segments` — further edges
pub fn triangulated(
    points: impl Iterator<Item = Flat>,
    outline: &[[u32; 2]],
    segments: &[[u32; 2]],
) -> Option<Vec<[u32; 3]>> {
    let mut plane = ConstrainedDelaunayTriangulation::<Flat>::new();
    let mut handles: BTreeMap<u32, FixedVertexHandle> = BTreeMap::new();
    for point in points {
        let handle = plane.insert(point).ok()?;
        if plane.num_vertices() != handles.len() + 1 {
            return None;
        }
        handles.insert(point.number, handle);
    }
    for ends in outline.iter().chain(segments) {
        let [from, to] = ends.map(|number| handles[&number]);
        if plane.try_add_constraint(from, to).is_empty() && !plane.exists_constraint(from, to) {
            return None;
        }
    }
    let triangles = plane.inner_faces();
    let triangles = triangles.map(|face| face.vertices().map(|vertex| vertex.data().number));
    Some(within(outline, triangles.collect()))
}

/// Those of the triangles that cover the convex hull of an outline that are inside of it: an odd number of its edges is
/// between them and what is outside of all. An outline that is straight but for rounding may be dented.
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
    let is_inside_beyond = |edge: &[u32; 2], is_inside: bool| is_inside != outline.contains(edge);
    let mut is_inside: Vec<Option<bool>> = vec![None; triangles.len()];
    let hull = at_edge.iter().filter(|(_, of)| of.len() == 1);
    let mut waiting: Vec<(usize, bool)> = hull
        .map(|(edge, of)| (of[0], is_inside_beyond(edge, false)))
        .collect();
    while let Some((number, is_in)) = waiting.pop() {
        if is_inside[number].is_some() {
            continue;
        }
        is_inside[number] = Some(is_in);
        for edge in edges(triangles[number]) {
            let beyond = is_inside_beyond(&edge, is_in);
            waiting.extend(at_edge[&edge].iter().map(|&other| (other, beyond)));
        }
    }
    let all = triangles.into_iter().zip(is_inside);
    all.filter_map(|(triangle, is_inside)| (is_inside == Some(true)).then_some(triangle))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Corners of a square around the middle, with numbers from `first` on, and its sides.
    fn square(half: f64, first: u32) -> (Vec<Flat>, Vec<[u32; 2]>) {
        let corners = [[-half, -half], [half, -half], [half, half], [-half, half]];
        let flat = |(k, place): (u32, [f64; 2])| Flat {
            number: first + k,
            place,
        };
        let edges = (0..4).map(|k| [first + k, first + (k + 1) % 4]);
        ((0..).zip(corners).map(flat).collect(), edges.collect())
    }

    fn doubled_area(points: &[Flat], triangles: &[[u32; 3]]) -> f64 {
        let place = |number: u32| points.iter().find(|p| p.number == number).map(|p| p.place);
        let area = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|k| place(k).expect("a point"));
            (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        };
        triangles.iter().map(area).sum()
    }

    #[test]
    fn holes_are_left_out_and_islands_in_them_are_not() {
        let (mut points, mut outline) = square(3.0, 0);
        for (half, first) in [(2.0, 4), (1.0, 8)] {
            let (more, edges) = square(half, first);
            points.extend(more);
            outline.extend(edges);
        }
        let triangles = triangulated(points.iter().copied(), &outline, &[]).expect("triangles");
        let area = doubled_area(&points, &triangles);
        assert!((area - 2.0 * (36.0 - 16.0 + 4.0)).abs() < 1e-12, "{area}");
    }

    #[test]
    fn points_at_one_place_and_edges_that_cross_are_refused() {
        let (mut points, outline) = square(1.0, 0);
        assert!(triangulated(points.iter().copied(), &outline, &[[0, 2], [1, 3]]).is_none());
        points.push(Flat {
            number: 9,
            ..points[0]
        });
        assert!(triangulated(points.iter().copied(), &outline, &[]).is_none());
    }
}
