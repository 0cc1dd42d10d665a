//! Meshes at rest of which each vertex knows the particles that carry it.

use std::collections::BTreeMap;

use pliant_geometry::TriangleMesh;
use pliant_geometry::topology::DisjointSets;
use pliant_math::DVec3;

use super::crack_sides::Bound;
use super::crossing;
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
    /// less at the mesh, where triangles are so small that they would turn over, and where faces would cross.
    pub fn draw_apart(&mut self, distance: f64) {
        const ROUNDS: usize = 16;
        let undrawn = self.mesh.vertices.clone();
        let mut moves = self.inward(distance);
        for _ in 0..ROUNDS {
            let vertices = self.mesh.vertices.iter_mut();
            for ((x, from), way) in vertices.zip(&undrawn).zip(&moves) {
                *x = *from + *way;
            }
            let crossing = self.crossing_faces();
            if crossing.is_empty() {
                break;
            }
            let corners = |t: &u32| self.mesh.triangles[*t as usize];
            let mut corners: Vec<u32> = crossing.as_flattened().iter().flat_map(corners).collect();
            corners.sort_unstable();
            corners.dedup();
            for corner in corners {
                moves[corner as usize] *= 0.5;
            }
        }
    }

    /// How far [m] each vertex of a face may be moved into what is bound, by a distance [m] or less.
    fn inward(&self, distance: f64) -> Vec<DVec3> {
        const SHARE: f64 = 0.25;
        let vertices = self.mesh.vertices.len();
        let mut most = vec![distance; vertices];
        let mut is_skin = vec![false; vertices];
        let mut normals: Vec<(u32, DVec3, DVec3)> = Vec::new();
        for (number, triangle) in self.mesh.triangles.iter().enumerate() {
            let corners = self.mesh.corners(number);
            let [a, b, c] = corners;
            if number < self.faces {
                triangle
                    .iter()
                    .for_each(|&vertex| is_skin[vertex as usize] = true);
            } else {
                let normal = (b - a).cross(c - a);
                let middle = (a + b + c) / 3.0;
                normals.extend(triangle.iter().map(|&vertex| (vertex, normal, middle)));
            }
            if triangle.iter().any(|&vertex| is_skin[vertex as usize]) {
                for (&vertex, height) in triangle.iter().zip(heights(corners)) {
                    let most = &mut most[vertex as usize];
                    *most = most.min(SHARE * height);
                }
            }
        }
        normals.sort_by_key(|(vertex, ..)| *vertex);
        let mut moves = vec![DVec3::ZERO; vertices];
        for of in normals.chunk_by(|a, b| a.0 == b.0) {
            let vertex = of[0].0 as usize;
            let way = behind(of.iter().map(|(_, normal, _)| *normal));
            moves[vertex] = match way {
                Some(way) => way * most[vertex],
                // Two cuts may end in one point, each in a vertex of its own.
                None => {
                    let middle =
                        of.iter().map(|(.., middle)| *middle).sum::<DVec3>() / of.len() as f64;
                    (middle - self.mesh.vertices[vertex]).clamp_length_max(most[vertex])
                }
            };
        }
        moves
    }

    /// Pairs of faces of cuts that cross.
    fn crossing_faces(&self) -> Vec<[u32; 2]> {
        let faces = self.faces as u32..self.mesh.triangles.len() as u32;
        crossing(&self.mesh, faces)
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

/// A vector no longer than 1 behind all triangles with some normals, weighted by area; `None` if there is none, as
/// where a cut ends, whose faces look against each other.
fn behind(normals: impl Iterator<Item = DVec3> + Clone) -> Option<DVec3> {
    const STEPS: usize = 100;
    const LEAST: f64 = 0.02;
    let area: f64 = normals.clone().map(DVec3::length).sum();
    let units = normals.clone().filter_map(DVec3::try_normalize);
    let mut way = -normals.sum::<DVec3>() / area;
    // Towards those that it is least behind (the perceptron of Rosenblatt 1958).
    for step in 1..=STEPS {
        let least = |a: DVec3, b: DVec3| if b.dot(way) > a.dot(way) { b } else { a };
        let worst = units.clone().reduce(least)?;
        if worst.dot(way) < -LEAST {
            return Some(way.clamp_length_max(1.0));
        }
        way -= worst * (step as f64).recip();
    }
    None
}
