//! Where a triangle mesh meets itself, decided by exact predicates (Shewchuk 1997).

use pliant_math::DVec3;
use robust::{Coord, Coord3D, orient2d, orient3d};

use crate::triangle_tree::TriangleTree;
use crate::work::Loop;
use crate::{Aabb, TriangleMesh};

/// Pairs of triangles of a mesh that have a point in common but no vertex, ascending, found in the pieces of a loop.
/// Triangles without area are left out: their edges are those of others.
pub fn self_intersections(mesh: &TriangleMesh, run: Loop) -> Vec<[u32; 2]> {
    self_intersections_among(mesh, 0..mesh.triangles.len() as u32, run)
}

/// The same among some triangles of a mesh.
pub fn self_intersections_among(
    mesh: &TriangleMesh,
    triangles: impl IntoIterator<Item = u32>,
    run: Loop,
) -> Vec<[u32; 2]> {
    let meet = |[one, other]: [u32; 2]| {
        let of = [one, other].map(|t| mesh.triangles[t as usize]);
        of[0].iter().all(|corner| !of[1].contains(corner))
            && triangles_meet([one, other].map(|t| mesh.corners(t as usize)))
    };
    TriangleTree::new(mesh, triangles).pairs(0.0, meet, run)
}

/// Whether two triangles have a point in common, exactly. One without area meets none.
fn triangles_meet([one, other]: [[DVec3; 3]; 2]) -> bool {
    let is_apart =
        |heights: [f64; 3]| heights.iter().all(|h| *h > 0.0) || heights.iter().all(|h| *h < 0.0);
    let of_one = one.map(|x| height(other, x));
    if is_apart(of_one) {
        return false;
    }
    let of_other = other.map(|x| height(one, x));
    if is_apart(of_other) || has_no_area(one) || has_no_area(other) {
        return false;
    }
    let sides = |corners, heights, of| {
        [[0, 1], [1, 2], [2, 0]].iter().any(|side: &[usize; 2]| {
            let at = |all: &[f64; 3]| side.map(|k| all[k]);
            let ends: [DVec3; 2] = side.map(|k| {
                let corners: [DVec3; 3] = corners;
                corners[k]
            });
            segment_meets(ends, at(heights), of)
        })
    };
    sides(one, &of_one, other) || sides(other, &of_other, one)
}

/// Whether a segment, its ends at heights with these signs above the plane of a triangle, meets that.
fn segment_meets(ends: [DVec3; 2], heights: [f64; 2], triangle: [DVec3; 3]) -> bool {
    let [from, to] = heights;
    if from == 0.0 && to == 0.0 {
        return segment_meets_in_plane(ends, triangle);
    }
    if (from > 0.0 && to > 0.0) || (from < 0.0 && to < 0.0) {
        return false;
    }
    let [a, b, c] = triangle;
    let turns = [[a, b], [b, c], [c, a]].map(|[p, q]| height([ends[0], ends[1], p], q));
    turns.iter().all(|turn| *turn >= 0.0) || turns.iter().all(|turn| *turn <= 0.0)
}

/// The same in the plane of the triangle.
fn segment_meets_in_plane([from, to]: [DVec3; 2], triangle: [DVec3; 3]) -> bool {
    let [a, b, c] = triangle;
    let size = (b - a).cross(c - a).abs();
    let drop = size.max_position();
    let flat = |x: DVec3| Coord {
        x: x[(drop + 1) % 3],
        y: x[(drop + 2) % 3],
    };
    let turn = |p: DVec3, q: DVec3, r: DVec3| orient2d(flat(p), flat(q), flat(r));
    let sides = [[a, b], [b, c], [c, a]];
    let is_inside = |x: DVec3| {
        let turns = sides.map(|[p, q]| turn(p, q, x));
        turns.iter().all(|turn| *turn >= 0.0) || turns.iter().all(|turn| *turn <= 0.0)
    };
    let crosses = |[p, q]: [DVec3; 2]| {
        let apart = |one: f64, other: f64| (one > 0.0 && other > 0.0) || (one < 0.0 && other < 0.0);
        let boxes = [[p, q], [from, to]].map(Aabb::around);
        boxes[0].overlaps(&boxes[1])
            && !apart(turn(p, q, from), turn(p, q, to))
            && !apart(turn(from, to, p), turn(from, to, q))
    };
    is_inside(from) || is_inside(to) || sides.into_iter().any(crosses)
}

/// Whether corners are in one line, exactly: they are in each projection.
fn has_no_area([a, b, c]: [DVec3; 3]) -> bool {
    (0..3).all(|drop| {
        let flat = |x: DVec3| Coord {
            x: x[(drop + 1) % 3],
            y: x[(drop + 2) % 3],
        };
        orient2d(flat(a), flat(b), flat(c)) == 0.0
    })
}

/// Six times the volume of the tetrahedron of a triangle and a point; its sign is exact.
fn height([a, b, c]: [DVec3; 3], x: DVec3) -> f64 {
    let exact = |x: DVec3| Coord3D {
        x: x.x,
        y: x.y,
        z: x.z,
    };
    orient3d(exact(a), exact(b), exact(c), exact(x))
}

#[cfg(test)]
mod tests {
    use pliant_math::RandomStream;

    use super::*;
    use crate::work::in_order;
    use crate::{Shape, shapes};

    type Whole = [i64; 3];

    fn cross(a: Whole, b: Whole) -> Whole {
        [0, 1, 2].map(|k| a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3])
    }

    fn sides([a, b, c]: [Whole; 3]) -> [Whole; 3] {
        [[a, b], [b, c], [c, a]].map(|[p, q]| [0, 1, 2].map(|k| q[k] - p[k]))
    }

    /// Whether no axis separates two triangles, in whole numbers (Gottschalk et al. 1996).
    fn meet_by_axes(triangles: [[Whole; 3]; 2]) -> bool {
        let sides = triangles.map(sides);
        let normals = sides.map(|[a, b, _]| cross(a, b));
        let mut axes = normals.to_vec();
        for one in sides[0] {
            axes.extend(sides[1].map(|other| cross(one, other)));
        }
        for k in 0..2 {
            axes.extend(sides[k].map(|side| cross(normals[k], side)));
        }
        axes.iter().all(|axis| {
            let along = |x: Whole| x[0] * axis[0] + x[1] * axis[1] + x[2] * axis[2];
            let [one, other] = triangles.map(|corners| corners.map(along));
            one.iter().max() >= other.iter().min() && other.iter().max() >= one.iter().min()
        })
    }

    #[test]
    fn triangles_meet_if_no_axis_separates_them() {
        // On so few places that many touch, by corners, edges and in one plane.
        let random = RandomStream::new(3, 0);
        let (mut meeting, mut tested) = (0, 0);
        for round in 0..20_000 {
            let reach = [3.0, 5.0, 9.0][round as usize % 3];
            let number = |k: u64| (random.unit(18 * round + k) * reach) as i64;
            let triangles: [[Whole; 3]; 2] = [0, 9]
                .map(|from| [0, 3, 6].map(|corner| [0, 1, 2].map(|k| number(from + corner + k))));
            let has_area = |corners: [Whole; 3]| {
                let [a, b, _] = sides(corners);
                cross(a, b) != [0; 3]
            };
            if !triangles.into_iter().all(has_area) {
                continue;
            }
            let places = triangles.map(|of| of.map(|x| DVec3::from(x.map(|c| c as f64))));
            assert_eq!(
                triangles_meet(places),
                meet_by_axes(triangles),
                "{triangles:?}"
            );
            meeting += u32::from(meet_by_axes(triangles));
            tested += 1;
        }
        assert!(
            meeting > 3000 && tested - meeting > 3000,
            "{meeting} {tested}"
        );
    }

    #[test]
    fn triangles_without_area_meet_nothing() {
        let line = [0.0, 1.0, 3.0].map(|x| DVec3::X * (x - 1.0));
        let across = [DVec3::Y, -DVec3::Y + DVec3::Z, -DVec3::Y - DVec3::Z];
        assert!(!triangles_meet([line, across]));
        assert!(!triangles_meet([across, line]));
    }

    #[test]
    fn a_ball_meets_itself_only_if_it_is_pressed_through() {
        let mut ball = shapes::Sphere { radius: 1.0 }.surface(0.1);
        assert!(self_intersections(&ball, in_order).is_empty());
        // What is above comes out below.
        for x in &mut ball.vertices {
            x.y -= 2.4 * f64::max(0.0, x.y * x.y * x.y);
        }
        let pairs = self_intersections(&ball, in_order);
        assert!(pairs.len() > 20);
        assert!(pairs.is_sorted());
        for [one, other] in pairs {
            let [a, b] = [one, other].map(|t| ball.triangles[t as usize]);
            assert!(one < other && !a.iter().any(|corner| b.contains(corner)));
        }
    }
}
