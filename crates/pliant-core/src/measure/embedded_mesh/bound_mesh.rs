//! Meshes at rest of which each vertex knows the particles that carry it.

use std::collections::BTreeMap;

use pliant_geometry::TriangleMesh;
use pliant_geometry::topology::DisjointSets;
use pliant_math::DVec3;

use super::crack_sides::Bound;
use super::division::sorted;
use super::welded::Welded;

/// A mesh at rest that knows what carries each vertex.
#[derive(Debug, Default)]
pub(super) struct BoundMesh {
    /// The vertices of the mesh that was cut come first, in their order.
    pub mesh: TriangleMesh,
    /// What carries each vertex; nothing where nothing is near.
    pub bound: Vec<Bound>,
    /// How many vertices the mesh had.
    pub skin: usize,
    /// The first triangle that is a face of a cut: all that follow are.
    pub faces: usize,
}

impl BoundMesh {
    /// Gives each fan of triangles around a vertex one of its own, from a vertex on: where two sheets end in one
    /// point, the surface touches itself there.
    pub fn separate_fans(&mut self, from: u32) {
        let corners = self.mesh.triangles.as_flattened();
        let mut sides: Vec<([u32; 2], [u32; 2])> = Vec::new();
        for first in (0..corners.len() as u32).step_by(3) {
            for [one, other] in [[0, 1], [1, 2], [2, 0]].map(|side| side.map(|k| first + k)) {
                let [a, b] = [one, other].map(|corner| corners[corner as usize]);
                if a.max(b) >= from {
                    sides.push((
                        sorted([a, b]),
                        if a < b { [one, other] } else { [other, one] },
                    ));
                }
            }
        }
        sides.sort_unstable();
        let mut sets = DisjointSets::new(corners.len());
        for pair in sides.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            sets.join(pair[0].1[0], pair[1].1[0]);
            sets.join(pair[0].1[1], pair[1].1[1]);
        }
        let mut fan_of: BTreeMap<u32, u32> = BTreeMap::new();
        let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
        for (k, corner) in (0..).zip(self.mesh.triangles.as_flattened_mut()) {
            let (vertex, fan) = (*corner, sets.root(k));
            if vertex < from || *fan_of.entry(vertex).or_insert(fan) == fan {
                continue;
            }
            *corner = *numbers.entry(fan).or_insert_with(|| {
                self.mesh.vertices.push(self.mesh.vertices[vertex as usize]);
                self.bound.push(self.bound[vertex as usize].clone());
                self.mesh.vertices.len() as u32 - 1
            });
        }
    }

    /// Moves the faces of cuts into what they bound, so that those on both sides do not touch: by a distance [m], or
    /// less at the mesh, where triangles are so small that they would turn over.
    pub fn draw_apart(&mut self, distance: f64) {
        const SHARE: f64 = 0.25;
        let vertices = self.mesh.vertices.len();
        let mut inward = vec![DVec3::ZERO; vertices];
        let mut area = vec![0.0; vertices];
        let mut most = vec![distance; vertices];
        let mut is_skin = vec![false; vertices];
        for (number, triangle) in self.mesh.triangles.iter().enumerate() {
            let corners = self.mesh.corners(number);
            let [a, b, c] = corners;
            if number < self.faces {
                triangle
                    .iter()
                    .for_each(|&vertex| is_skin[vertex as usize] = true);
            } else {
                let normal = (b - a).cross(c - a);
                for &vertex in triangle {
                    inward[vertex as usize] -= normal;
                    area[vertex as usize] += normal.length();
                }
            }
            if triangle.iter().any(|&vertex| is_skin[vertex as usize]) {
                for (&vertex, height) in triangle.iter().zip(heights(corners)) {
                    let most = &mut most[vertex as usize];
                    *most = most.min(SHARE * height);
                }
            }
        }
        for (vertex, x) in self.mesh.vertices.iter_mut().enumerate() {
            // Next to nothing where the cut ends, whose faces look against each other.
            if area[vertex] > 0.0 {
                *x += inward[vertex] / area[vertex] * most[vertex];
            }
        }
    }

    /// Lets the vertices of the original be carried as the first at their place is.
    pub fn unweld(&mut self, welded: &Welded<'_>) {
        for vertex in 0..welded.mesh.vertices.len() {
            let first = welded.first(vertex);
            if first != vertex {
                self.bound[vertex] = self.bound[first].clone();
            }
        }
    }
}

/// Distances of the corners of a triangle from the opposite sides [m].
fn heights([a, b, c]: [DVec3; 3]) -> [f64; 3] {
    let area = (b - a).cross(c - a).length();
    [[b, c], [c, a], [a, b]].map(|[from, to]| area / from.distance(to))
}
