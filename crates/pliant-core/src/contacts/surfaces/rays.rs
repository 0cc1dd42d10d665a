//! Rays through triangles: where one leaves a solid, and how often its boundary winds around a point.

use pliant_math::DVec3;

use crate::contacts::narrow::Nearest;

/// Where a ray from the origin leaves through a triangle (Möller and Trumbore 1997).
///
/// * `outward` — the ray's direction, reversed if corners are clockwise from outside
pub fn hit([a, b, c]: [DVec3; 3], way: DVec3, outward: DVec3) -> Option<Nearest> {
    let (ab, ac) = (b - a, c - a);
    let normal = ab.cross(ac);
    let determinant = normal.dot(way);
    if normal.dot(outward) <= 0.0 {
        return None;
    }
    let turned = a.cross(way);
    let (u, v) = (ac.dot(turned) / determinant, -ab.dot(turned) / determinant);
    let distance = normal.dot(a) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance >= 0.0).then_some(Nearest {
        weights: [1.0, u + v - 1.0, -u, -v],
        between: way * -distance,
    })
}

/// Which triangles a ray along x from a point on meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Those beyond it.
    Beyond,
    /// Those on the other side, and those in which the point is: the ray goes the other way.
    Behind,
}

/// 1 if the line through a point along x leaves, on a side of the point, through a triangle whose corners are
/// counter-clockwise from outside, -1 if it enters, 0 if it passes by. Lines through an edge meet one of the
/// triangles there, so that those through closed surfaces are counted right.
pub fn crossing(point: DVec3, side: Side, corners: [u32; 3], position: &[DVec3]) -> i32 {
    let [a, b, c] = corners;
    let winding: i32 = [[a, b], [b, c], [c, a]]
        .map(|side| side_crossing(point, side, position))
        .iter()
        .sum();
    if winding == 0 {
        return 0;
    }
    let [a, b, c] = corners.map(|corner| position[corner as usize] - point);
    let normal = (b - a).cross(c - a);
    let is_beyond = normal.dot(a) * normal.x > 0.0;
    match is_beyond == (side == Side::Beyond) {
        true => winding,
        false => 0,
    }
}

/// What a side adds to how often a triangle, seen along x, winds around a point: 1 where it passes beyond it
/// along y on the way up z, -1 on the way down. The same side on its way back adds the opposite.
fn side_crossing(point: DVec3, [from, to]: [u32; 2], position: &[DVec3]) -> i32 {
    let (lesser, greater) = (from.min(to), from.max(to));
    let [a, b] = [lesser, greater].map(|corner| position[corner as usize] - point);
    let (a_above, b_above) = (a.z > 0.0, b.z > 0.0);
    if a_above == b_above {
        return 0;
    }
    let area = a.y * b.z - a.z * b.y;
    let is_beyond = (area > 0.0) == b_above;
    let up = if b_above { 1 } else { -1 };
    let along = if from == lesser { up } else { -up };
    if is_beyond { along } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_of_a_line_tell_alike_how_a_surface_winds_around_a_point() {
        let position = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let random = pliant_math::RandomStream::new(4, 0);
        let mut inside = 0;
        for k in 0..200 {
            let number = |n: u64| random.unit(3 * k + n);
            // Some of them straight beside corners and edges.
            let aligned = |x: f64| if k % 4 == 0 { x.round() } else { x };
            let point = DVec3::new(number(0), aligned(number(1)), aligned(number(2)));
            let [beyond, behind] = [Side::Beyond, Side::Behind].map(|side| {
                let crossings = triangles.map(|t| crossing(point, side, t, &position));
                crossings.iter().sum::<i32>()
            });
            assert_eq!(beyond, -behind, "{point}");
            if k % 4 != 0 {
                let is_inside = point.x + point.y + point.z < 1.0;
                assert_eq!(beyond, i32::from(is_inside), "{point}");
                inside += i32::from(is_inside);
            }
        }
        assert!(inside > 10, "{inside}");
    }

    #[test]
    fn a_ray_leaves_through_the_point_of_a_triangle_that_it_passes() {
        let corners = [
            DVec3::new(2.0, -1.0, -1.0),
            DVec3::new(3.0, 4.0, 0.0),
            DVec3::new(2.0, 0.0, 5.0),
        ];
        let weights = [0.2, 0.5, 0.3];
        let point: DVec3 = corners.iter().zip(weights).map(|(&x, w)| x * w).sum();
        let way = point.normalize();
        let found = hit(corners, way, way).expect("it passes");
        assert!((found.between + point).length() < 1e-12);
        for (found, weight) in found.weights[1..].iter().zip(weights) {
            assert!((found + weight).abs() < 1e-12);
        }
        assert_eq!(hit(corners, way, -way), None);
        assert_eq!(hit(corners, -way, -way), None);
        assert_eq!(hit(corners, DVec3::Y, way), None);
    }
}
