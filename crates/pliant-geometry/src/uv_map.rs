//! Texture coordinates of surfaces that come from a mesh that has some.

use pliant_math::DVec3;

use crate::TriangleMesh;
use crate::nearest_triangle::NearestTriangle;
use crate::triangle::Triangle;

/// Texture coordinates u and v at the corners of a triangle: v points up in the picture.
pub type TriangleUv = [[f32; 2]; 3];

/// A mesh with texture coordinates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TexturedMesh {
    /// The mesh, as its file has it: vertices may stand at one place where coordinates differ.
    pub mesh: TriangleMesh,
    /// One a triangle; empty if it has none.
    pub uv: Vec<TriangleUv>,
}

impl TexturedMesh {
    /// The same, each vertex moved.
    pub fn moved(&self, to: impl Fn(DVec3) -> DVec3) -> Self {
        let mut moved = self.clone();
        for vertex in &mut moved.mesh.vertices {
            *vertex = to(*vertex);
        }
        moved
    }
}

impl From<TriangleMesh> for TexturedMesh {
    fn from(mesh: TriangleMesh) -> Self {
        let uv = Vec::new();
        Self { mesh, uv }
    }
}

/// Finds the texture coordinates of triangles that lie on a mesh, however it was divided.
#[derive(Clone, Debug)]
pub struct UvMap {
    textured: TexturedMesh,
    nearest: NearestTriangle,
}

impl UvMap {
    /// Of a mesh with texture coordinates.
    pub fn new(textured: TexturedMesh) -> Self {
        Self {
            nearest: NearestTriangle::new(&textured.mesh),
            textured,
        }
    }

    /// Those of a triangle, by its corners [m]: of the triangle of the mesh that is nearest to its middle, continued to
    /// the corners.
    pub fn of_triangle(&self, corners: [DVec3; 3]) -> TriangleUv {
        let [a, b, c] = corners;
        let Some((number, _)) = self.nearest.of((a + b + c) / 3.0).feature else {
            return TriangleUv::default();
        };
        let triangle = Triangle::new(self.textured.mesh.corners(number as usize));
        let known = self.textured.uv[number as usize].map(|uv| uv.map(f64::from));
        corners.map(|corner| {
            let weights = triangle.weights(corner);
            [0, 1].map(|axis| (0..3).map(|k| weights[k] * known[k][axis]).sum::<f64>() as f32)
        })
    }
}

#[cfg(test)]
mod tests {
    use pliant_math::RandomStream;

    use super::*;
    use crate::refined;

    /// A roof of two squares whose pictures are on different sides of a seam, moved and turned in no way.
    fn roof() -> TexturedMesh {
        let ridge = [DVec3::new(0.0, 1.0, 0.0), DVec3::new(0.0, 1.0, 2.0)];
        let left = [DVec3::new(-1.0, 0.0, 0.0), DVec3::new(-1.0, 0.0, 2.0)];
        let right = [DVec3::new(1.0, 0.0, 0.0), DVec3::new(1.0, 0.0, 2.0)];
        let uv = |x: f32| {
            let [a, b, c, d] = [[x, 0.0], [x, 0.5], [x + 0.25, 0.5], [x + 0.25, 0.0]];
            [[a, b, c], [a, c, d]]
        };
        TexturedMesh {
            mesh: TriangleMesh {
                vertices: [left, ridge, right].concat(),
                triangles: vec![[0, 1, 3], [0, 3, 2], [2, 3, 5], [2, 5, 4]],
            },
            uv: [uv(0.0), uv(0.5)].concat(),
        }
    }

    /// What the picture of the roof has at a point: linear on each side.
    fn expected(x: DVec3, is_left: bool) -> [f64; 2] {
        let along = if is_left {
            0.25 * (1.0 + x.x)
        } else {
            0.5 + 0.25 * x.x
        };
        [along, 0.25 * x.z]
    }

    #[test]
    fn parts_of_triangles_have_the_coordinates_of_what_they_are_parts_of() {
        let roof = roof();
        let fine = refined(&roof.mesh, 0.2);
        let map = UvMap::new(roof);
        for number in 0..fine.triangles.len() {
            let corners = fine.corners(number);
            let is_left = corners.iter().map(|x| x.x).sum::<f64>() < 0.0;
            for (uv, x) in map.of_triangle(corners).into_iter().zip(corners) {
                for (found, expected) in uv.into_iter().zip(expected(x, is_left)) {
                    assert!((f64::from(found) - expected).abs() < 1e-6, "{x} {uv:?}");
                }
            }
        }
    }

    #[test]
    fn surfaces_beside_the_mesh_continue_it() {
        let map = UvMap::new(roof());
        let random = RandomStream::new(3, 0);
        for k in 0..200 {
            let [u, v] = [0, 1].map(|c| random.unit(2 * k + c));
            let on_left = DVec3::new(-0.9 + 0.8 * u, 0.0, 0.1 + 1.8 * v);
            let up = DVec3::new(0.0, 1.0 + on_left.x, 0.0);
            let normal = DVec3::new(-1.0, 1.0, 0.0).normalize();
            let middle = on_left + up + 0.05 * normal;
            let corners = [DVec3::ZERO, 1e-3 * DVec3::Z, DVec3::new(1e-3, 1e-3, 0.0)];
            let corners = corners.map(|offset| middle + offset);
            let found = map.of_triangle(corners)[0].map(f64::from);
            let on_roof = middle - 0.05 * normal;
            let expected = expected(on_roof, true);
            assert!((0..2).all(|c| (found[c] - expected[c]).abs() < 1e-6));
        }
    }

    #[test]
    fn triangles_without_area_have_finite_coordinates() {
        let mut flat = roof();
        flat.mesh.vertices.iter_mut().for_each(|x| *x = DVec3::X);
        let map = UvMap::new(flat);
        let uv = map.of_triangle([DVec3::ZERO, DVec3::Y, DVec3::Z]);
        assert!(uv.as_flattened().iter().all(|c| c.is_finite()));
        let none = UvMap::new(TexturedMesh::default());
        assert_eq!(none.of_triangle([DVec3::ZERO; 3]), TriangleUv::default());
    }
}
