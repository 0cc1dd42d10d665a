//! Long edges of a mesh divided.

use std::collections::BTreeMap;

use crate::TriangleMesh;

/// The same surface without edges longer than `longest` [m], > 0: of each triangle that has one its
/// longest edge is halved (Rivara 1984), until none is left. Vertices keep their numbers, new ones
/// follow, and triangles side by side fit.
pub fn refined(mesh: &TriangleMesh, longest: f64) -> TriangleMesh {
    let mut mesh = mesh.clone();
    loop {
        let mut middles = BTreeMap::new();
        for number in 0..mesh.triangles.len() {
            let ends = longest_edge(&mesh, number);
            let [from, to] = ends.map(|k| mesh.vertices[k as usize]);
            if from.distance_squared(to) > longest * longest {
                middles.entry(ends).or_insert_with(|| {
                    mesh.vertices.push(0.5 * (from + to));
                    mesh.vertices.len() as u32 - 1
                });
            }
        }
        if middles.is_empty() {
            return mesh;
        }
        let mut triangles = Vec::with_capacity(2 * mesh.triangles.len());
        for &triangle in &mesh.triangles {
            let edges = [0, 1, 2].map(|k| sorted([triangle[k], triangle[(k + 1) % 3]]));
            let middle = edges.map(|edge| middles.get(&edge).copied());
            divide(triangle, middle, &mut triangles);
        }
        mesh.triangles = triangles;
    }
}

/// The ends of the longest edge of a triangle, the lesser number first.
fn longest_edge(mesh: &TriangleMesh, triangle: usize) -> [u32; 2] {
    let corners = mesh.triangles[triangle];
    let edges = [0, 1, 2].map(|k| sorted([corners[k], corners[(k + 1) % 3]]));
    let squared = |[a, b]: [u32; 2]| {
        let [a, b] = [a, b].map(|k| mesh.vertices[k as usize]);
        a.distance_squared(b)
    };
    let longer = |a: [u32; 2], b: [u32; 2]| if squared(b) > squared(a) { b } else { a };
    longer(longer(edges[0], edges[1]), edges[2])
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// Adds the parts of a triangle; each middle is that of the edge from the corner of its number on.
fn divide([a, b, c]: [u32; 3], middle: [Option<u32>; 3], parts: &mut Vec<[u32; 3]>) {
    match middle {
        [None, None, None] => parts.push([a, b, c]),
        [Some(m), None, None] => parts.extend([[a, m, c], [m, b, c]]),
        [None, Some(m), None] => parts.extend([[b, m, a], [m, c, a]]),
        [None, None, Some(m)] => parts.extend([[c, m, b], [m, a, b]]),
        [Some(m), Some(n), None] => parts.extend([[m, b, n], [a, m, n], [a, n, c]]),
        [None, Some(m), Some(n)] => parts.extend([[m, c, n], [b, m, n], [b, n, a]]),
        [Some(n), None, Some(m)] => parts.extend([[m, a, n], [c, m, n], [c, n, b]]),
        [Some(m), Some(n), Some(o)] => {
            parts.extend([[a, m, o], [m, b, n], [o, n, c], [m, n, o]]);
        }
    }
}

#[cfg(test)]
mod tests {
    use pliant_math::DVec3;

    use super::*;
    use crate::Shape;
    use crate::shapes::Box;
    use crate::topology;

    #[test]
    fn a_box_stays_the_same_closed_box_without_long_edges() {
        let half_size = DVec3::new(1.0, 0.4, 0.13);
        let mesh = Box { half_size }.surface(1.0);
        for longest in [0.1, 0.3, 1.7, 9.0] {
            let fine = refined(&mesh, longest);
            assert!((fine.volume() - mesh.volume()).abs() < 1e-12);
            assert!(topology::closed(&fine).is_ok());
            assert_eq!(fine.vertices[..mesh.vertices.len()], mesh.vertices);
            let lengths = (0..fine.triangles.len()).flat_map(|t| {
                let [a, b, c] = fine.corners(t);
                [a.distance(b), b.distance(c), c.distance(a)]
            });
            assert!(lengths.fold(0.0, f64::max) <= longest);
        }
        assert_eq!(refined(&mesh, 9.0), mesh);
    }
}
