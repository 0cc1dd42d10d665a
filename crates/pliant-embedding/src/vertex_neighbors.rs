//! The vertices beside each vertex of a mesh.

use pliant_geometry::TriangleMesh;

/// Which vertices have an edge in common.
pub(super) struct VertexNeighbors {
    /// Both ways of each edge, by where they begin.
    edges: Vec<[u32; 2]>,
    /// Where those of each vertex begin, and the end.
    starts: Vec<usize>,
}

impl VertexNeighbors {
    /// Those of a mesh.
    pub fn of(mesh: &TriangleMesh) -> Self {
        let mut edges: Vec<[u32; 2]> = Vec::with_capacity(6 * mesh.triangles.len());
        for &[a, b, c] in &mesh.triangles {
            edges.extend([[a, b], [b, a], [b, c], [c, b], [c, a], [a, c]]);
        }
        edges.sort_unstable();
        edges.dedup();
        let vertices = 0..=mesh.vertices.len() as u32;
        let starts = vertices.map(|vertex| edges.partition_point(|[from, _]| *from < vertex));
        Self {
            starts: starts.collect(),
            edges,
        }
    }

    /// Those of a vertex, increasing.
    pub fn of_vertex(&self, vertex: u32) -> impl Iterator<Item = u32> {
        let vertex = vertex as usize;
        let of = &self.edges[self.starts[vertex]..self.starts[vertex + 1]];
        of.iter().map(|[_, to]| *to)
    }
}
