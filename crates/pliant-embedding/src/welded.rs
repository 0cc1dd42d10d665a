//! A mesh of which no two vertices stand at one place, and how it came of one where they do, as they must where
//! coordinates of textures differ.

use pliant_geometry::TriangleMesh;
use pliant_geometry::topology::first_at_place;
use pliant_math::{DVec3, RandomStream};

/// A mesh to be cut.
#[derive(Debug)]
pub(super) struct Welded<'a> {
    /// The mesh as it was given.
    original: &'a TriangleMesh,
    /// For each of its vertices the first at its place.
    first: Vec<u32>,
    /// All vertices, and triangles between the first at each place that have three corners.
    pub mesh: TriangleMesh,
    /// For each of these the triangle of the original.
    source: Vec<u32>,
}

impl<'a> Welded<'a> {
    /// Welds a mesh.
    pub fn new(original: &'a TriangleMesh) -> Self {
        let first = first_at_place(original);
        let of_firsts = |&(_, corners): &(u32, &[u32; 3])| corners.map(|k| first[k as usize]);
        let all = (0..).zip(&original.triangles).filter(|triangle| {
            let [a, b, c] = of_firsts(triangle);
            a != b && b != c && c != a
        });
        Self {
            original,
            mesh: TriangleMesh {
                vertices: original.vertices.clone(),
                triangles: all.clone().map(|triangle| of_firsts(&triangle)).collect(),
            },
            source: all.map(|(number, _)| number).collect(),
            first,
        }
    }

    /// Moves each vertex by no more than a distance [m].
    pub fn shake(&mut self, distance: f64, seed: u64) {
        let random = RandomStream::new(seed, 1);
        for (k, x) in (0..).zip(&mut self.mesh.vertices) {
            let noise = [0, 1, 2].map(|c| random.unit(3 * k + c) - 0.5);
            *x += DVec3::from(noise) * distance;
        }
    }

    /// The vertex of the original at a corner of a triangle that is welded.
    pub fn original(&self, triangle: u32, vertex: u32) -> u32 {
        let corners = self.original.triangles[self.source[triangle as usize] as usize];
        let own = corners
            .into_iter()
            .find(|&k| self.first[k as usize] == vertex);
        own.unwrap_or(vertex)
    }

    /// The vertex of the welded mesh that stands for one of the original.
    pub fn first(&self, vertex: usize) -> usize {
        self.first[vertex] as usize
    }
}
