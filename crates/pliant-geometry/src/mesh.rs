//! Triangle meshes.

use pliant_math::DVec3;

use crate::Aabb;

/// A triangle mesh; triangles are counter-clockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriangleMesh {
    /// Corner positions [m].
    pub vertices: Vec<DVec3>,
    /// Three vertex indices a triangle, each less than `vertices.len()`.
    pub triangles: Vec<[u32; 3]>,
}

/// A mesh whose vertices move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshSeries {
    /// The first frame.
    pub mesh: TriangleMesh,
    /// Where the vertices are in each frame, the first with it [m].
    pub places: Vec<Vec<DVec3>>,
}

impl TriangleMesh {
    /// The corners of a triangle.
    pub fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|i| self.vertices[i as usize])
    }

    /// The smallest box around the vertices.
    pub fn bounds(&self) -> Aabb {
        Aabb::around(self.vertices.iter().copied())
    }

    /// Enclosed volume of a closed mesh [m3], positive if triangles are counter-clockwise from outside.
    pub fn volume(&self) -> f64 {
        let origin = self.bounds().center();
        (0..self.triangles.len())
            .map(|t| {
                let [a, b, c] = self.corners(t).map(|p| p - origin);
                a.dot(b.cross(c)) / 6.0
            })
            .sum()
    }
}
