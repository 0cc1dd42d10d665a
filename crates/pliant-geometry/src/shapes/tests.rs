//! What every shape promises, checked on examples of each kind.

mod refusals;
mod samples;

use std::f64::consts::PI;
use std::sync::Arc;

use pliant_math::{DVec3, RandomStream};
use pliant_parameters::{Value, Values};
use proptest::prelude::*;

use self::samples::{
    BODY, BallFile, COLLIDER, ball, cube, cup, list, named, outline, placed, tree,
};
use super::{KINDS, build};
use crate::triangle::Triangle;
use crate::{Aabb, Shape, TriangleMesh, integration, topology};

/// Shapes whose distance is exact everywhere, and whose volume is known.
fn exact_examples() -> Vec<(Values, f64)> {
    let n = Value::Number;
    vec![
        (
            named("box", [("size", list(&[1.0, 0.6, 0.8]))]),
            1.0 * 0.6 * 0.8,
        ),
        (ball(0.5), PI / 6.0),
        (
            named("ellipsoid", [("radii", list(&[0.5, 0.3, 0.2]))]),
            4.0 / 3.0 * PI * 0.5 * 0.3 * 0.2,
        ),
        (
            named("cylinder", [("radius", n(0.3)), ("height", n(0.9))]),
            PI * 0.09 * 0.9,
        ),
        (
            named("capsule", [("radius", n(0.2)), ("height", n(0.6))]),
            PI * 0.04 * 0.6 + 4.0 / 3.0 * PI * 0.008,
        ),
        (
            named("cone", [("radius", n(0.4)), ("height", n(0.9))]),
            PI * 0.16 * 0.9 / 3.0,
        ),
        (
            named("torus", [("radius", n(0.4)), ("tube_radius", n(0.15))]),
            2.0 * PI * PI * 0.4 * 0.0225,
        ),
        (cup(), frustum(0.4, 0.5, 0.6) - frustum(0.33, 0.42, 0.5)),
    ]
}

fn frustum(low: f64, high: f64, height: f64) -> f64 {
    PI / 3.0 * height * (low * low + low * high + high * high)
}

/// Shapes whose distance is a bound in places, and whose volume is known.
fn bounded_examples() -> Vec<(Values, f64)> {
    let far = |shape, x| placed(shape, [x, 0.0, 0.0], [0.0; 3]);
    // So many that they are searched through a tree.
    let six = |shape: &Values| {
        (0..6)
            .map(|i| far(shape.clone(), 0.2 * f64::from(i) - 0.5))
            .collect()
    };
    let mut sieve: Vec<Value> = six(&ball(0.08));
    let slab = named("box", [("size", list(&[1.3, 0.4, 0.4]))]);
    sieve.insert(0, far(slab, 0.0));
    let grain = 4.0 / 3.0 * PI * 0.08 * 0.08 * 0.08;
    let lens = PI * 0.3 * 0.3 * (1.5 - 0.3) / 3.0 * 2.0;
    vec![
        (
            named(
                "mesh",
                [
                    ("file", Value::Text("ball.obj".into())),
                    ("scale", Value::Number(1.0)),
                ],
            ),
            PI / 6.0,
        ),
        (
            named(
                "tetrahedra",
                [
                    ("file", Value::Text("cube.vtk".into())),
                    ("scale", Value::Number(0.8)),
                ],
            ),
            0.512,
        ),
        (tree("union", six(&ball(0.08))), 6.0 * grain),
        (tree("difference", sieve), 1.3 * 0.4 * 0.4 - 6.0 * grain),
        (
            tree("union", vec![far(ball(0.3), -0.5), far(cube(0.4), 0.5)]),
            0.064 + 4.0 / 3.0 * PI * 0.027,
        ),
        (
            tree(
                "intersection",
                vec![far(ball(0.5), -0.2), far(ball(0.5), 0.2)],
            ),
            lens,
        ),
        (
            tree(
                "difference",
                vec![
                    placed(cube(0.8), [0.0; 3], [0.0, 30.0, 0.0]),
                    far(ball(0.3), 0.0),
                ],
            ),
            0.512 - 4.0 / 3.0 * PI * 0.027,
        ),
    ]
}

fn built(values: &Values) -> Arc<dyn Shape> {
    build(values, &BallFile, BODY).unwrap()
}

fn name(values: &Values) -> &str {
    values.named_item().0
}

fn points_in(bounds: Aabb, count: u64) -> impl Iterator<Item = DVec3> {
    let random = RandomStream::new(11, 0);
    (0..count).map(move |i| {
        let unit = |axis| random.unit(3 * i + axis);
        bounds.min + bounds.extent() * DVec3::new(unit(0), unit(1), unit(2))
    })
}

fn distance_to(mesh: &TriangleMesh, point: DVec3) -> f64 {
    let square = |t| Triangle::new(mesh.corners(t)).distance_squared(point);
    (0..mesh.triangles.len())
        .map(square)
        .fold(f64::INFINITY, f64::min)
        .sqrt()
}

#[test]
fn every_registered_shape_is_checked_here() {
    let examples = exact_examples().into_iter().chain(bounded_examples());
    let mut names: Vec<String> = examples.map(|(v, _)| name(&v).to_string()).collect();
    // Those without end, without inside, without a surface of their own, without a form of their own.
    names.extend(["plane", "sheet", "particles", "mesh-sequence"].map(String::from));
    for kind in KINDS {
        assert!(names.iter().any(|n| n == kind.name), "{}", kind.name);
    }
}

#[test]
fn a_point_moved_by_its_distance_along_the_normal_lands_on_the_surface() {
    for (values, _) in exact_examples() {
        let shape = built(&values);
        let reach = shape.bounds().unwrap().grown(0.3);
        for point in points_in(reach, 2000) {
            let on_surface = point - shape.signed_distance(point) * shape.normal(point);
            let left = shape.signed_distance(on_surface).abs();
            assert!(left < 1e-9, "{}: {left} at {point}", name(&values));
        }
    }
}

#[test]
fn normals_are_the_gradient_of_the_distance_and_have_norm_one() {
    for (values, _) in exact_examples() {
        let shape = built(&values);
        let reach = shape.bounds().unwrap().grown(0.3);
        let outside = |p: &DVec3| shape.signed_distance(*p) > 0.0;
        for point in points_in(reach, 2000).filter(outside) {
            let normal = shape.normal(point);
            assert!((normal.length() - 1.0).abs() < 1e-12);
            let step = 1e-6;
            let slope = (shape.signed_distance(point + step * normal)
                - shape.signed_distance(point - step * normal))
                / (2.0 * step);
            // Inside a cup the nearest point jumps from wall to wall across a thin set.
            let is_ridge = slope < 0.9 && name(&values) == "revolution";
            assert!(
                (slope - 1.0).abs() < 1e-6 || is_ridge,
                "{}: {slope}",
                name(&values)
            );
        }
    }
}

#[test]
fn exact_distances_equal_those_to_the_triangles_of_the_surface() {
    for (values, _) in exact_examples() {
        let shape = built(&values);
        let surface = shape.surface(1.0);
        for point in points_in(shape.bounds().unwrap().grown(0.2), 150) {
            let brute = distance_to(&surface, point);
            let distance = shape.signed_distance(point);
            let error = (distance.abs() - brute).abs();
            assert!(error < 1.5e-3, "{}: {distance} {brute}", name(&values));
        }
    }
}

#[test]
fn bounded_distances_never_exceed_those_to_the_triangles_of_the_surface() {
    for (values, _) in bounded_examples() {
        let shape = built(&values);
        let surface = shape.surface(1.0);
        for point in points_in(shape.bounds().unwrap().grown(0.2), 40) {
            let brute = distance_to(&surface, point);
            let distance = shape.signed_distance(point);
            assert!(
                distance.abs() < brute + 4e-3,
                "{distance} {brute} at {point}"
            );
        }
    }
}

#[test]
fn volumes_are_those_of_elementary_geometry() {
    for (values, expected) in exact_examples() {
        let volume = built(&values).volume().unwrap();
        assert!((volume / expected - 1.0).abs() < 1e-12, "{}", name(&values));
    }
    for (values, expected) in bounded_examples() {
        let volume = built(&values).volume().unwrap();
        let tolerance = if name(&values) == "mesh" { 5e-3 } else { 1e-3 };
        let error = (volume / expected - 1.0).abs();
        assert!(error < tolerance, "{values:?}: {volume}, not {expected}");
    }
}

#[test]
fn integrated_volumes_agree_with_closed_forms() {
    for (values, expected) in exact_examples() {
        let shape = built(&values);
        let volume = integration::volume(&*shape, shape.bounds().unwrap());
        let error = (volume / expected - 1.0).abs();
        assert!(error < 1e-3, "{}: {volume}, not {expected}", name(&values));
    }
}

#[test]
fn surfaces_are_closed_and_outward_and_hold_the_volume() {
    for (values, expected) in exact_examples().into_iter().chain(bounded_examples()) {
        let surface = built(&values).surface(1.0);
        let volume = surface.volume();
        let error = (volume / expected - 1.0).abs();
        assert!(error < 0.01, "{values:?}: {volume}, not {expected}");
        assert!(topology::closed(&surface).is_ok(), "{}", name(&values));
    }
}

#[test]
fn bounds_are_tight_around_the_surface() {
    for (values, _) in exact_examples() {
        let shape = built(&values);
        let (bounds, seen) = (shape.bounds().unwrap(), shape.surface(1.0).bounds());
        let gap = (seen.min - bounds.min)
            .abs()
            .max((seen.max - bounds.max).abs());
        assert!(gap.max_element() < 1e-3, "{}: {gap}", name(&values));
    }
}

#[test]
fn a_plane_is_solid_below_and_has_no_end() {
    let values = named("plane", [("normal", list(&[0.0, 2.0, 0.0]))]);
    let plane = build(&values, &BallFile, COLLIDER).unwrap();
    assert_eq!(plane.signed_distance(DVec3::new(3.0, -0.5, 1.0)), -0.5);
    assert_eq!(plane.normal(DVec3::ZERO), DVec3::Y);
    assert!(plane.bounds().is_none() && plane.volume().is_none());
    let surface = plane.surface(1.0);
    let [a, b, c] = surface.corners(0);
    assert!((b - a).cross(c - a).dot(DVec3::Y) > 0.0);
}

#[test]
fn a_smooth_union_adds_a_fillet_and_stays_a_lower_bound() {
    let operands = || {
        vec![
            placed(ball(0.3), [-0.25, 0.0, 0.0], [0.0; 3]),
            placed(ball(0.3), [0.25, 0.0, 0.0], [0.0; 3]),
        ]
    };
    let sharp = built(&tree("union", operands()));
    let values = named(
        "sdf",
        [
            ("smooth-union", Value::List(operands())),
            ("radius", Value::Number(0.1)),
        ],
    );
    let smooth = built(&values);
    assert!(smooth.volume().unwrap() > sharp.volume().unwrap());
    let surface = smooth.surface(1.0);
    assert!(
        smooth
            .bounds()
            .unwrap()
            .grown(1e-3)
            .contains(surface.bounds().max)
    );
    for point in points_in(smooth.bounds().unwrap().grown(0.2), 60) {
        let distance = smooth.signed_distance(point);
        assert!(distance <= sharp.signed_distance(point));
        assert!(distance.abs() < distance_to(&surface, point) + 2e-3);
    }
}

#[test]
fn positions_and_rotations_of_operands_are_applied_in_that_order() {
    let bar = named("box", [("size", list(&[1.0, 0.1, 0.1]))]);
    let turned = tree(
        "union",
        vec![placed(bar, [0.0, 1.0, 0.0], [0.0, 0.0, 90.0])],
    );
    let shape = built(&turned);
    assert!(shape.signed_distance(DVec3::new(0.0, 1.45, 0.0)) < 0.0);
    assert!(shape.signed_distance(DVec3::new(0.45, 1.0, 0.0)) > 0.0);
}

proptest! {
    #[test]
    fn ellipsoids_of_any_proportion_have_exact_distances(
        radii in prop::array::uniform3(0.001..10.0f64),
        point in prop::array::uniform3(-20.0..20.0f64),
        zeroed in 0..8u32,
    ) {
        let shape = super::Ellipsoid { radii: radii.into() };
        let kept = DVec3::from(std::array::from_fn(|i| f64::from(zeroed >> i & 1)));
        let point = DVec3::from(point) * kept;
        let distance = shape.signed_distance(point);
        let nearest = point - distance * shape.normal(point);
        let off = (nearest / shape.radii).length_squared() - 1.0;
        prop_assert!(off.abs() < 1e-6, "{off} at {point}");
    }

    #[test]
    fn turned_outlines_do_not_depend_on_the_order_of_their_corners(
        radii in prop::collection::vec(0.2..1.0f64, 3..12),
        start in 0..12usize,
        probe in prop::array::uniform3(-1.5..1.5f64),
    ) {
        let count = radii.len();
        let corner = |(i, r): (usize, &f64)| {
            let angle = 2.0 * PI * i as f64 / count as f64;
            [1.2 + r * libm::cos(angle), r * libm::sin(angle)]
        };
        let points: Vec<[f64; 2]> = radii.iter().enumerate().map(corner).collect();
        let mut other = points.clone();
        other.reverse();
        other.rotate_left(start % count);
        let (a, b) = (built(&outline(&points)), built(&outline(&other)));
        let probe = DVec3::from(probe);
        prop_assert!((a.volume().unwrap() / b.volume().unwrap() - 1.0).abs() < 1e-12);
        prop_assert!((a.signed_distance(probe) - b.signed_distance(probe)).abs() < 1e-12);
    }
}
