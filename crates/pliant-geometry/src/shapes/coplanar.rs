//! Cuts with a face coplanar with a face of what they cut: a face of zero thickness is left there, which no
//! particle passes and no picture shows.

use pliant_math::DVec3;
use pliant_parameters::Problem;

use super::sdf::{Operator, Placed, Tree};
use crate::TriangleMesh;

/// Faces nearer than this part of the size of the shapes are coplanar.
const COPLANAR: f64 = 1e-6;
/// Greatest distance of the ends of unit normals that point the same way.
const SAME_DIRECTION: f64 = 1e-4;
/// Samples of a cut that are tested, about.
const MAX_SAMPLES: usize = 4000;
/// Most rows of samples in a triangle.
const MAX_ROWS: usize = 12;
/// Extent of a sample as a part of its distance to the corners of its triangle.
const SAMPLE_EXTENT: f64 = 0.02;

/// Warnings about a tree and the trees in it: cuts with faces coplanar with what they cut.
pub(super) fn warnings(tree: &Tree) -> Vec<Problem> {
    let mut found = Vec::new();
    for (number, operand) in tree.operands.iter().enumerate() {
        let key = format!("{}[{number}]", tree.operator.key());
        if tree.operator == Operator::Difference && number > 0 {
            found.extend(shared_face_point(tree, number).map(|point| warning(&key, point)));
        }
        found.extend(operand.shape.warnings().into_iter().map(|inner| Problem {
            key: Some(match inner.key {
                Some(below) => format!("{key}.sdf.{below}"),
                None => key.clone(),
            }),
            ..inner
        }));
    }
    found
}

fn warning(key: &str, point: DVec3) -> Problem {
    let [x, y, z] = point.to_array().map(|x| (x * 1e5).round() / 1e5);
    Problem::at(
        key,
        format!(
            "this cut has a face coplanar with a face of what it cuts, which leaves a face of zero thickness near [{x}, {y}, {z}]"
        ),
        "let it stick out there by a spacing or more",
    )
}

/// A point on a face that a cut shares with what the other cuts leave of the first operand.
fn shared_face_point(tree: &Tree, number: usize) -> Option<DVec3> {
    let (first, cut) = (&tree.operands[0], &tree.operands[number]);
    let size = first.bounds().or(cut.bounds())?.extent().max_element();
    let others = |i: &usize| *i != 0 && *i != number;
    let is_in_other_cut = |x: DVec3| {
        let mut others = (0..tree.operands.len()).filter(others);
        others.any(|i| tree.operands[i].signed_distance(x) < COPLANAR * size)
    };
    let is_shared = |x: DVec3| {
        first.signed_distance(x).abs() <= COPLANAR * size
            && first.normal(x).distance(cut.normal(x)) <= SAME_DIRECTION
            && !is_in_other_cut(x)
    };
    let mesh = cut.surface(size);
    samples(&mesh)
        .map(|sample| sample.map(|x| on_surface(cut, x)))
        .find(|sample| sample.iter().all(|&x| is_shared(x)))
        .map(|sample| sample[0])
}

/// Samples of the triangles of a mesh, three points each: surfaces that touch in a point, not in a face,
/// have no sample in common.
fn samples(mesh: &TriangleMesh) -> impl Iterator<Item = [DVec3; 3]> {
    let count = mesh.triangles.len().max(1);
    let rows = (MAX_SAMPLES / count).isqrt().clamp(1, MAX_ROWS);
    let stride = count.div_ceil(MAX_SAMPLES);
    let triangles = (0..mesh.triangles.len()).step_by(stride);
    triangles.flat_map(move |triangle| {
        let [a, b, c] = mesh.corners(triangle);
        let cells = (0..rows).flat_map(move |i| (0..rows - i).map(move |j| [i, j]));
        cells.map(move |cell| {
            let [u, v] = cell.map(|k| (k as f64 + 1.0 / 3.0) / rows as f64);
            let middle = a + (b - a) * u + (c - a) * v;
            [
                middle,
                middle.lerp(b, SAMPLE_EXTENT),
                middle.lerp(c, SAMPLE_EXTENT),
            ]
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
        let keys = tree.warnings().into_iter().map(|warning| warning.key);
        keys.map(|key| key.expect("a cut")).collect()
    }

    #[test]
    fn a_hollow_as_high_as_its_cup_has_a_coplanar_face() {
        for (top, is_coplanar) in [(0.5, true), (0.5 + 1e-8, true), (0.52, false), (0.4, false)] {
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
            let expected: &[&str] = if is_coplanar { &["difference[1]"] } else { &[] };
            assert_eq!(keys(&cup), expected, "{top}");
        }
    }

    #[test]
    fn a_notch_is_coplanar_only_with_faces_of_the_same_orientation() {
        let notch = |position: DVec3| difference(vec![cube(1.0, DVec3::ZERO), cube(0.5, position)]);
        // Coplanar with the top and out at a side by a part; at the top and a side; standing on top.
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
    fn a_coplanar_face_removed_by_another_cut_is_not_reported() {
        let through = cube(0.6, DVec3::Y * 0.5);
        let pocket = cube(0.4, DVec3::Y * 0.3);
        let tree = difference(vec![cube(1.0, DVec3::ZERO), pocket.clone(), through]);
        assert!(keys(&tree).is_empty());
        let alone = difference(vec![cube(1.0, DVec3::ZERO), pocket]);
        assert_eq!(keys(&alone), ["difference[1]"]);
    }

    #[test]
    fn surfaces_touching_in_a_point_or_line_are_not_coplanar_and_equal_ones_are() {
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
    fn cuts_in_nested_trees_are_named_by_their_full_path() {
        let inner = difference(vec![cube(1.0, DVec3::ZERO), cube(0.5, DVec3::Y * 0.25)]);
        let operands = vec![cube(1.0, DVec3::X * 3.0), placed(inner, DVec3::ZERO)];
        let tree = Tree::new(Operator::Union, operands, 0.1);
        assert_eq!(keys(&tree), ["union[1].sdf.difference[1]"]);
    }
}
