//! The nearest point that several sets have in common, found on their tangent planes, which are
//! renewed at each point that is found (sequential quadratic programming): exact for flat faces,
//! and for others where they are smooth on the scale of the distance.

use pliant_math::DVec3;

/// Most sets of tangent planes. Flat faces need one, and one more to be sure.
const ROUNDS: usize = 6;
/// Sweeps over the planes (Hildreth 1957): sharp angles take many.
const SWEEPS: usize = 100;

/// A half space `normal . x <= offset`.
struct HalfSpace {
    normal: DVec3,
    offset: f64,
}

/// The point nearest to `point` that lies in all of `count` sets up to `tolerance` [m]; `None` if it
/// is not found.
///
/// `set(i, x)` is the signed distance of `x` to the set `i`, negative inside; `gradient(i, x)` its
/// unit gradient.
pub(super) fn nearest_common_point(
    point: DVec3,
    count: usize,
    tolerance: f64,
    set: impl Fn(usize, DVec3) -> f64,
    gradient: impl Fn(usize, DVec3) -> DVec3,
) -> Option<DVec3> {
    let mut x = point;
    let mut reach = f64::INFINITY;
    for round in 0..ROUNDS {
        let mut planes = Vec::new();
        let mut greatest = f64::NEG_INFINITY;
        for i in 0..count {
            let distance = set(i, x);
            greatest = greatest.max(distance);
            // What lies further inside cannot be left on the way.
            if distance > -reach {
                let normal = gradient(i, x);
                let offset = normal.dot(x) - distance;
                planes.push(HalfSpace { normal, offset });
            }
        }
        let next = nearest_in(point, &planes, 0.1 * tolerance);
        if round > 0 && greatest <= tolerance && next.distance(x) <= tolerance {
            return Some(x);
        }
        x = next;
        reach = 2.0 * point.distance(x);
    }
    None
}

/// The point nearest to `point` in all half spaces: each is given a push until none has to be
/// changed.
fn nearest_in(point: DVec3, planes: &[HalfSpace], tolerance: f64) -> DVec3 {
    let mut pushes = vec![0.0f64; planes.len()];
    let mut x = point;
    for _ in 0..SWEEPS {
        let mut change = 0.0f64;
        for (plane, push) in planes.iter().zip(&mut pushes) {
            let wanted = (*push + plane.normal.dot(x) - plane.offset).max(0.0);
            x -= (wanted - *push) * plane.normal;
            change = change.max((wanted - *push).abs());
            *push = wanted;
        }
        if change <= tolerance {
            break;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner(point: DVec3, normals: &[DVec3]) -> Option<DVec3> {
        let set = |i: usize, x: DVec3| normals[i].dot(x);
        nearest_common_point(point, normals.len(), 1e-6, set, |i, _| normals[i])
    }

    #[test]
    fn corners_of_any_angle_are_found_exactly() {
        for angle in [0.5f64, 1.0, 1.3, 1.6, 2.6] {
            // A wedge with its edge along z and its faces `angle` apart, seen from the far side.
            let turned = |a: f64| DVec3::new(libm::cos(a), libm::sin(a), 0.0);
            let right = std::f64::consts::FRAC_PI_2;
            let normals = [turned(0.5 * angle + right), turned(-0.5 * angle - right)];
            let point = normals[0] + 0.7 * normals[1] + 2.0 * DVec3::Z;
            let found = corner(point, &normals).unwrap();
            assert!(found.distance(2.0 * DVec3::Z) < 1e-4, "{angle}: {found}");
        }
        let found = corner(DVec3::ONE, &[DVec3::X, DVec3::Y, DVec3::Z]).unwrap();
        assert!(found.length() < 1e-9);
    }

    #[test]
    fn the_circle_where_two_balls_meet_is_found() {
        // Balls of radius 5 about x = -3 and 3 meet in a circle of radius 4 in the plane x = 0.
        let center = |i: usize| DVec3::X * if i == 0 { -3.0 } else { 3.0 };
        let set = |i: usize, x: DVec3| x.distance(center(i)) - 5.0;
        let gradient = |i: usize, x: DVec3| (x - center(i)).normalize();
        let point = DVec3::new(0.1, 4.5, 0.0);
        let found = nearest_common_point(point, 2, 1e-5, set, gradient).unwrap();
        assert!(found.distance(4.0 * DVec3::Y) < 1e-4, "{found}");
    }

    #[test]
    fn sets_that_have_nothing_in_common_give_no_point() {
        let set = |i: usize, x: DVec3| if i == 0 { x.y } else { 1.0 - x.y };
        let gradient = |i: usize, _: DVec3| if i == 0 { DVec3::Y } else { DVec3::NEG_Y };
        let found = nearest_common_point(DVec3::Y * 0.5, 2, 1e-3, set, gradient);
        assert_eq!(found, None);
    }
}
