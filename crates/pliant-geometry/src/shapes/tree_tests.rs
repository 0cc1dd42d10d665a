//! Distances of trees near their edges and thin walls.

use std::sync::Arc;

use pliant_math::{DVec3, RandomStream};
use pliant_parameters::{Value, Values};

use super::build;
use crate::triangle::Triangle;
use crate::work::tests::NoFiles;
use crate::{Shape, ShapeUse};

const SPACING: f64 = 0.04;
const COLLIDER: ShapeUse = ShapeUse {
    is_filled: false,
    is_shell: false,
    is_cloth: false,
    spacing: SPACING,
};

fn values(entries: Vec<(&str, Value)>) -> Values {
    let mut values = Values::default();
    for (key, value) in entries {
        values.insert(key, value);
    }
    values
}

fn list(numbers: &[f64]) -> Value {
    Value::List(numbers.iter().copied().map(Value::Number).collect())
}

fn at(name: &str, entries: Vec<(&str, Value)>, position: [f64; 3]) -> Value {
    Value::Table(values(vec![
        (name, Value::Table(values(entries))),
        ("position", list(&position)),
    ]))
}

fn cylinder(radius: f64, height: f64, y: f64) -> Value {
    let entries = vec![
        ("radius", Value::Number(radius)),
        ("height", Value::Number(height)),
    ];
    at("cylinder", entries, [0.0, y, 0.0])
}

fn tree(operator: &str, operands: Vec<Value>) -> Arc<dyn Shape> {
    let inner = values(vec![(operator, Value::List(operands))]);
    let table = values(vec![("sdf", Value::Table(inner))]);
    build(&table, &NoFiles, COLLIDER).unwrap()
}

/// A cup of radius 0.5 and height 0.6, its wall half a spacing and its floor a spacing thick.
fn cup() -> Arc<dyn Shape> {
    tree(
        "difference",
        vec![cylinder(0.5, 0.6, 0.3), cylinder(0.48, 0.8, 0.44)],
    )
}

/// The same cup as a turned outline, whose distance is exact.
fn turned_cup() -> Arc<dyn Shape> {
    let outline = [
        [0.0, 0.0],
        [0.5, 0.0],
        [0.5, 0.6],
        [0.48, 0.6],
        [0.48, 0.04],
        [0.0, 0.04],
    ];
    let points = outline.iter().map(|p| list(p)).collect();
    let inner = values(vec![("profile", Value::List(points))]);
    let table = values(vec![("revolution", Value::Table(inner))]);
    build(&table, &NoFiles, COLLIDER).unwrap()
}

/// Points whose distance from the wall, the rim or the floor is at most two spacings.
fn points_near(shape: &dyn Shape, count: u64) -> impl Iterator<Item = DVec3> {
    let random = RandomStream::new(8, 0);
    let bounds = shape.bounds().unwrap().grown(2.0 * SPACING);
    let unit = move |i| random.unit(i);
    let at = move |i| DVec3::new(unit(3 * i), unit(3 * i + 1), unit(3 * i + 2));
    (0..count).map(move |i| bounds.min + bounds.extent() * at(i))
}

#[test]
fn a_cup_cut_from_a_cylinder_has_the_distances_of_a_turned_one() {
    let (cup, turned) = (cup(), turned_cup());
    let mut near = 0;
    for point in points_near(&*turned, 40_000) {
        let exact = turned.signed_distance(point);
        if exact.abs() > 1.5 * SPACING {
            continue;
        }
        near += 1;
        let found = cup.signed_distance(point);
        assert!(
            (found - exact).abs() < 2e-3 * SPACING,
            "{found} {exact} at {point}"
        );
        let alignment = cup.normal(point).dot(turned.normal(point));
        // In the middle of the wall both sides are equally near.
        let is_between = exact < -0.24 * SPACING;
        assert!(
            alignment > 0.99 || is_between,
            "{alignment} {exact} at {point}"
        );
    }
    assert!(near > 5000, "{near}");
}

#[test]
fn distances_near_the_rim_are_those_to_the_triangles_of_the_cup() {
    let (cup, surface) = (cup(), turned_cup().surface(1.0));
    let triangles: Vec<Triangle> = (0..surface.triangles.len())
        .map(|t| Triangle::new(surface.corners(t)))
        .collect();
    for i in 0..60 {
        // Around the rim, at one place of its circle.
        let angle = 0.1 * f64::from(i);
        let (x, y) = (libm::cos(angle), libm::sin(angle));
        let point = DVec3::new(0.49 + 0.05 * x, 0.59 + 0.05 * y, 0.0);
        let squares = triangles.iter().map(|t| t.distance_squared(point));
        let brute = squares.fold(f64::INFINITY, f64::min).sqrt();
        let found = cup.signed_distance(point).abs();
        // The triangles of the circle lie up to half a millimetre inside of it.
        assert!((found - brute).abs() < 1e-3, "{found} {brute} at {point}");
    }
}

#[test]
fn normals_turn_steadily_around_an_edge() {
    let cube = |x| at("box", vec![("size", list(&[1.0, 1.0, 1.0]))], [x, 0.0, 0.0]);
    let both = tree("intersection", vec![cube(-0.25), cube(0.25)]);
    let edge = DVec3::new(0.25, 0.5, 0.1);
    for i in 0..=18 {
        let angle = (5.0 * f64::from(i)).to_radians();
        let away = DVec3::new(libm::cos(angle), libm::sin(angle), 0.0);
        let point = edge + 0.02 * away;
        assert!((both.signed_distance(point) - 0.02).abs() < 1e-4);
        assert!(both.normal(point).dot(away) > 0.9999, "{angle}");
    }
}

#[test]
fn inside_an_inner_edge_of_a_union_the_distance_is_that_to_the_edge() {
    let bar = |size: [f64; 3]| at("box", vec![("size", list(&size))], [0.0; 3]);
    let cross = tree("union", vec![bar([1.0, 0.2, 1.0]), bar([0.2, 1.0, 1.0])]);
    // From (0.09, 0.08) to the inner edge at (0.1, 0.1); either bar alone says less.
    let point = DVec3::new(0.09, 0.08, 0.0);
    let expected = -DVec3::new(0.01, 0.02, 0.0).length();
    assert!((cross.signed_distance(point) - expected).abs() < 1e-5);
    let towards = DVec3::new(0.01, 0.02, 0.0).normalize();
    assert!(cross.normal(point).dot(towards) > 0.9999);
}

#[test]
fn distances_do_not_jump() {
    let cup = cup();
    let step = 0.02 * SPACING;
    for start in points_near(&*cup, 300) {
        let mut before = cup.signed_distance(start);
        for i in 1..50 {
            let point = start + step * f64::from(i) * DVec3::new(0.6, 0.48, 0.64);
            let distance = cup.signed_distance(point);
            let is_in_reach = distance.abs() < 1.9 * SPACING && before.abs() < 1.9 * SPACING;
            let jump = (distance - before).abs();
            assert!(!is_in_reach || jump < 1.05 * step, "{jump} at {point}");
            before = distance;
        }
    }
}
