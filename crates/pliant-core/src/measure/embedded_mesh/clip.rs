//! The part of a mesh where a value is not negative.

use std::collections::BTreeMap;

use pliant_geometry::TriangleMesh;

/// The part of a mesh where a value, given at its vertices and linear on its triangles, is not negative.
/// Vertices that stay keep their order, those on the border follow.
pub(super) fn clipped(mesh: &TriangleMesh, value: &[f64]) -> TriangleMesh {
    clipped_with_sources(mesh, value).0
}

/// The same, and of which vertex each is, twice, or between which two, the one that stays first.
pub(super) fn clipped_with_sources(
    mesh: &TriangleMesh,
    value: &[f64],
) -> (TriangleMesh, Vec<[u32; 2]>) {
    let mut clip = Clip {
        mesh,
        value,
        number: vec![None; mesh.vertices.len()],
        border: BTreeMap::new(),
        kept: TriangleMesh::default(),
        sources: Vec::new(),
    };
    for triangle in &mesh.triangles {
        for &corner in triangle {
            clip.keep(corner);
        }
    }
    for &triangle in &mesh.triangles {
        clip.add(triangle);
    }
    (clip.kept, clip.sources)
}

struct Clip<'a> {
    mesh: &'a TriangleMesh,
    value: &'a [f64],
    /// Numbers of the vertices that stay.
    number: Vec<Option<u32>>,
    /// Numbers of those between two vertices.
    border: BTreeMap<[u32; 2], u32>,
    kept: TriangleMesh,
    sources: Vec<[u32; 2]>,
}

impl Clip<'_> {
    fn keep(&mut self, vertex: u32) {
        let place = vertex as usize;
        if self.value[place] >= 0.0 && self.number[place].is_none() {
            self.number[place] = Some(self.kept.vertices.len() as u32);
            self.kept.vertices.push(self.mesh.vertices[place]);
            self.sources.push([vertex; 2]);
        }
    }

    /// The vertex between one that stays and one that does not.
    fn between(&mut self, one: u32, other: u32) -> u32 {
        let [a, b] = [one.min(other), one.max(other)];
        let (kept, mesh, value) = (&mut self.kept, self.mesh, self.value);
        let sources = &mut self.sources;
        *self.border.entry([a, b]).or_insert_with(|| {
            let [at_a, at_b] = [a, b].map(|k| value[k as usize]);
            let [from, to] = [a, b].map(|k| mesh.vertices[k as usize]);
            kept.vertices
                .push(from + (to - from) * (at_a / (at_a - at_b)));
            sources.push(if at_a >= 0.0 { [a, b] } else { [b, a] });
            kept.vertices.len() as u32 - 1
        })
    }

    fn add(&mut self, triangle: [u32; 3]) {
        let mut corners = Vec::with_capacity(4);
        for k in 0..3 {
            let (own, next) = (triangle[k], triangle[(k + 1) % 3]);
            let stays = self.number[own as usize];
            corners.extend(stays);
            if stays.is_some() != self.number[next as usize].is_some() {
                corners.push(self.between(own, next));
            }
        }
        for k in 2..corners.len() {
            let corners = [corners[0], corners[k - 1], corners[k]];
            self.kept.triangles.push(corners);
        }
    }
}

#[cfg(test)]
mod tests {
    use pliant_math::DVec3;

    use super::*;

    #[test]
    fn a_square_is_clipped_along_a_line() {
        let corner = |x: i32, y: i32| DVec3::new(x.into(), y.into(), 0.0);
        let mesh = TriangleMesh {
            vertices: vec![corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        };
        let value: Vec<f64> = mesh
            .vertices
            .iter()
            .map(|x| 0.7 - x.x - 0.2 * x.y)
            .collect();
        let area = |mesh: &TriangleMesh| -> f64 {
            let corners = (0..mesh.triangles.len()).map(|t| mesh.corners(t));
            corners.map(|[a, b, c]| 0.5 * (b - a).cross(c - a).z).sum()
        };
        let (kept, rest) = (
            clipped(&mesh, &value),
            clipped(&mesh, &value.iter().map(|v| -v).collect::<Vec<_>>()),
        );
        assert!((area(&kept) - 0.6).abs() < 1e-12);
        assert!((area(&rest) - 0.4).abs() < 1e-12);
        assert_eq!(kept.vertices[..2], [corner(0, 0), corner(0, 1)]);
        assert!(kept.vertices.iter().all(|x| x.x + 0.2 * x.y < 0.7 + 1e-12));
        assert_eq!(clipped(&mesh, &[1.0; 4]), mesh);
        assert_eq!(clipped(&mesh, &[-1.0; 4]), TriangleMesh::default());
    }
}
