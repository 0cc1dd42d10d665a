//! Cuts that end where the shape they cut ends: a lid of no thickness is left there, which no particle
//! passes and no picture shows.

use pliant_math::DVec3;
use pliant_parameters::Problem;

use super::sdf::{Operator, Placed, Tree};
use crate::TriangleMesh;

/// Faces nearer than this part of the size of the shapes are one.
const SAME: f64 = 1e-6;
/// Greatest distance of the ends of unit normals that point the same way.
const SAME_DIRECTION: f64 = 1e-4;
/// Spots of a cut that are looked at, about.
const MOST_SPOTS: usize = 4000;
/// Most rows of spots in a triangle.
const MOST_ROWS: usize = 12;
/// Extent of a spot as a part of its way to the corners of its triangle.
const SPREAD: f64 = 0.02;

/// What is doubtful in a tree and in the trees in it: cuts that end flush with what they cut.
pub(super) fn doubts(tree: &Tree) -> Vec<Problem> {
    let mut found = Vec::new();
    for (number, operand) in tree.operands.iter().enumerate() {
        let key = format!("{}[{number}]", tree.operator.key());
        if tree.operator == Operator::Difference && number > 0 {
            found.extend(lid(tree, number).map(|place| flush(&key, place)));
        }
        found.extend(operand.shape.doubts().into_iter().map(|inner| Problem {
            key: Some(match inner.key {
                Some(below) => format!("{key}.sdf.{below}"),
                None => key.clone(),
            }),
            ..inner
        }));
    }
    found
}

fn flush(key: &str, place: DVec3) -> Problem {
    let [x, y, z] = place.to_array().map(|x| (x * 1e5).round() / 1e5);
    Problem::at(
        key,
        format!(
            "this cut ends flush with what it cuts, and leaves a lid of no thickness near [{x}, {y}, {z}]"
        ),
        "let it stick out there by a spacing or more",
    )
}

/// A place on a face that a cut shares with what is left of the first operand by the other cuts.
fn lid(tree: &Tree, number: usize) -> Option<DVec3> {
    let (first, cut) = (&tree.operands[0], &tree.operands[number]);
    let size = first.bounds().or(cut.bounds())?.extent().max_element();
    let others = |i: &usize| *i != 0 && *i != number;
    let is_in_other_cut = |x: DVec3| {
        let mut others = (0..tree.operands.len()).filter(others);
        others.any(|i| tree.operands[i].signed_distance(x) < SAME * size)
    };
    let is_shared = |x: DVec3| {
        first.signed_distance(x).abs() <= SAME * size
            && first.normal(x).distance(cut.normal(x)) <= SAME_DIRECTION
            && !is_in_other_cut(x)
    };
    let mesh = cut.surface(size);
    spots(&mesh)
        .map(|spot| spot.map(|x| on_surface(cut, x)))
        .find(|spot| spot.iter().all(|&x| is_shared(x)))
        .map(|spot| spot[0])
}

/// Spots spread over the triangles of a mesh, three points each: surfaces that touch in a point, and
/// not along a face, have no spot in common.
fn spots(mesh: &TriangleMesh) -> impl Iterator<Item = [DVec3; 3]> {
    let count = mesh.triangles.len().max(1);
    let rows = (MOST_SPOTS / count).isqrt().clamp(1, MOST_ROWS);
    let stride = count.div_ceil(MOST_SPOTS);
    let triangles = (0..mesh.triangles.len()).step_by(stride);
    triangles.flat_map(move |triangle| {
        let [a, b, c] = mesh.corners(triangle);
        let cells = (0..rows).flat_map(move |i| (0..rows - i).map(move |j| [i, j]));
        cells.map(move |cell| {
            let [u, v] = cell.map(|k| (k as f64 + 1.0 / 3.0) / rows as f64);
            let middle = a + (b - a) * u + (c - a) * v;
            [middle, middle.lerp(b, SPREAD), middle.lerp(c, SPREAD)]
        })
    })
}

/// The point of a curved surface next to that of a triangle.
fn on_surface(shape: &Placed, x: DVec3) -> DVec3 {
    x - shape.normal(x) * shape.signed_distance(x)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pliant_math::Pose;

    use super::*;
    use crate::Shape;
    use crate::shapes::{Box, Cylinder, Sphere};

    fn placed(shape: impl Shape + 'static, position: DVec3) -> Placed {
        Placed {
            shape: Arc::new(shape),
            pose: Pose::from_euler(position, DVec3::ZERO),
        }
    }

    fn cube(size: f64, position: DVec3) -> Placed {
        let half_size = DVec3::splat(0.5 * size);
        placed(Box { half_size }, position)
    }

    fn difference(operands: Vec<Placed>) -> Tree {
        Tree::new(Operator::Difference, operands, 0.1)
    }

    fn keys(tree: &Tree) -> Vec<String> {
        let keys = tree.doubts().into_iter().map(|doubt| doubt.key);
        keys.map(|key| key.expect("a cut")).collect()
    }

    #[test]
    fn a_cup_whose_hollow_ends_at_its_rim_has_a_lid() {
        for (top, is_flush) in [(0.5, true), (0.5 + 1e-8, true), (0.52, false), (0.4, false)] {
            let hollow = placed(
                Cylinder {
                    radius: 0.4,
                    height: 0.8,
                },
                DVec3::Y * (top - 0.4),
            );
            let cup = difference(vec![
                placed(
                    Cylinder {
                        radius: 0.5,
                        height: 1.0,
                    },
                    DVec3::ZERO,
                ),
                hollow,
            ]);
            let expected: &[&str] = if is_flush { &["difference[1]"] } else { &[] };
            assert_eq!(keys(&cup), expected, "{top}");
        }
    }

    #[test]
    fn a_notch_is_flush_where_its_face_lies_in_one_of_what_it_cuts_the_same_way_round() {
        let notch = |position: DVec3| difference(vec![cube(1.0, DVec3::ZERO), cube(0.5, position)]);
        // Flush with the top and out at a side by a part; at the top and a side; standing on top.
        assert_eq!(keys(&notch(DVec3::new(0.45, 0.25, 0.0))).len(), 1);
        assert_eq!(keys(&notch(DVec3::new(0.25, 0.25, 0.0))).len(), 1);
        assert!(keys(&notch(DVec3::new(0.0, 0.75, 0.0))).is_empty());
        // Turned it is the same.
        let turned = |size: f64, y: f64| {
            let turn = Pose::from_euler(DVec3::ZERO, DVec3::new(0.3, 0.5, 0.7));
            let mut part = cube(size, DVec3::ZERO);
            part.pose = turn;
            part.pose.translation = turn.direction_to_world(DVec3::Y * y);
            part
        };
        assert_eq!(
            keys(&difference(vec![turned(1.0, 0.0), turned(0.5, 0.25)])).len(),
            1
        );
    }

    #[test]
    fn a_face_that_another_cut_takes_away_leaves_no_lid() {
        let through = cube(0.6, DVec3::Y * 0.5);
        let pocket = cube(0.4, DVec3::Y * 0.3);
        let tree = difference(vec![cube(1.0, DVec3::ZERO), pocket.clone(), through]);
        assert!(keys(&tree).is_empty());
        let alone = difference(vec![cube(1.0, DVec3::ZERO), pocket]);
        assert_eq!(keys(&alone), ["difference[1]"]);
    }

    #[test]
    fn surfaces_that_touch_in_a_point_or_a_line_are_no_lid_but_equal_ones_are() {
        let ball = |radius: f64, y: f64| placed(Sphere { radius }, DVec3::Y * y);
        let inside = difference(vec![cube(1.0, DVec3::ZERO), ball(0.5, 0.0)]);
        assert!(keys(&inside).is_empty());
        assert!(keys(&difference(vec![ball(0.5, 0.0), ball(0.3, 0.2)])).is_empty());
        assert_eq!(
            keys(&difference(vec![ball(0.5, 0.0), ball(0.5, 0.0)])).len(),
            1
        );
    }

    #[test]
    fn cuts_in_a_tree_of_a_tree_are_named_by_the_whole_way() {
        let inner = difference(vec![cube(1.0, DVec3::ZERO), cube(0.5, DVec3::Y * 0.25)]);
        let operands = vec![cube(1.0, DVec3::X * 3.0), placed(inner, DVec3::ZERO)];
        let tree = Tree::new(Operator::Union, operands, 0.1);
        assert_eq!(keys(&tree), ["union[1].sdf.difference[1]"]);
    }
}
