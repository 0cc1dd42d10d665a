//! A fixed order of the vertices and triangles of a mesh.

use std::cmp::Ordering;

use pliant_geometry::TriangleMesh;
use pliant_math::DVec3;
use rayon::prelude::*;

/// A mesh with its triangles in the order of their corners' positions and its vertices in the order
/// in which triangles name them: the same for the same surface, in whatever order it comes.
///
/// Vertices at one place stay apart. They have the same rank, and it is the triangles around them that
/// tell which comes first.
pub(crate) fn in_fixed_order(mesh: &TriangleMesh) -> TriangleMesh {
    let rank = ranks(&mesh.vertices);
    let start_first = |corners: &[u32; 3]| {
        let [a, b, c] = *corners;
        let turns = [[a, b, c], [b, c, a], [c, a, b]].into_iter();
        let ranked = turns.map(|turn| (turn.map(|v| rank[v as usize]), turn));
        ranked.min().unwrap_or(([0; 3], *corners))
    };
    let mut triangles: Vec<([u32; 3], [u32; 3])> =
        mesh.triangles.par_iter().map(start_first).collect();
    triangles.par_sort_unstable_by_key(|(ranks, _)| *ranks);
    let mut number = vec![u32::MAX; mesh.vertices.len()];
    let mut ordered = TriangleMesh::default();
    for (_, corners) in triangles {
        let corners = corners.map(|corner| {
            let number = &mut number[corner as usize];
            if *number == u32::MAX {
                *number = ordered.vertices.len() as u32;
                ordered.vertices.push(mesh.vertices[corner as usize]);
            }
            *number
        });
        ordered.triangles.push(corners);
    }
    ordered
}

/// The rank of each position among all, equal for equal ones.
fn ranks(positions: &[DVec3]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..positions.len() as u32).collect();
    let at = |i: u32| positions[i as usize];
    order.par_sort_unstable_by(|&a, &b| compare(at(a), at(b)));
    let mut rank = vec![0; positions.len()];
    let mut last = 0;
    for (place, &i) in order.iter().enumerate() {
        if place > 0 && compare(at(order[place - 1]), at(i)).is_ne() {
            last = place as u32;
        }
        rank[i as usize] = last;
    }
    rank
}

fn compare(a: DVec3, b: DVec3) -> Ordering {
    let by = |axis: usize| a[axis].total_cmp(&b[axis]);
    by(0).then(by(1)).then(by(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_does_not_depend_on_the_order_of_vertices_and_triangles() {
        let corner = DVec3::new(0.0, 1.0, 2.0);
        let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, corner, corner];
        let triangles = vec![[0, 1, 2], [3, 1, 4], [5, 2, 0], [3, 2, 1]];
        let mesh = TriangleMesh {
            vertices,
            triangles,
        };
        let turned = TriangleMesh {
            vertices: mesh.vertices.iter().rev().copied().collect(),
            triangles: (mesh.triangles.iter().rev())
                .map(|&[a, b, c]| [5 - c, 5 - a, 5 - b])
                .collect(),
        };
        assert_eq!(in_fixed_order(&mesh), in_fixed_order(&turned));
        assert_eq!(in_fixed_order(&mesh).vertices.len(), 6);
    }
}
