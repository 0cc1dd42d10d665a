//! Smoothing that keeps volumes and thin parts.
//!
//! Laplacian smoothing moves each vertex towards the mean of its neighbours. It shrinks what is curved,
//! so the volume that a piece has lost is given back to it by moving its surface outwards, by the same
//! distance everywhere; and it wears off drops and threads, so vertices with few particles near them
//! move less (Löschner et al. 2023). A piece so small that it would lose most of its volume, as cavities of a few
//! triangles do, stays as it was made: there would be no surface left to move outwards.

use pliant_geometry::TriangleMesh;
use pliant_geometry::topology::DisjointSets;
use pliant_math::DVec3;
use rayon::prelude::*;

/// Part of the way to the mean of the neighbours in a pass; at 1 two neighbours may change places for ever.
const STEP: f64 = 0.5;

/// Crowding up to which vertices stay where they are, and from which they move all the way.
const STAYS: f64 = 0.3;
const MOVES: f64 = 0.8;

/// Least part of its volume that a piece may have left to be given back the rest.
const LEAST_LEFT: f64 = 0.5;

/// Times the volume is corrected; each time little of a little is left.
const CORRECTIONS: usize = 2;

/// Smooths a closed mesh; its pieces, and the cavities in them, keep their volumes.
///
/// * `crowding` — of each vertex: particles near it, 1 at a flat surface
pub(crate) fn smooth(mesh: &mut TriangleMesh, crowding: &[f64], passes: u32) {
    if passes == 0 {
        return;
    }
    let mobility: Vec<f64> = crowding.iter().map(|c| smooth_step(*c)).collect();
    let pieces = Pieces::of(mesh);
    let volumes = pieces.volumes(mesh);
    let neighbors = Neighbors::of(mesh);
    let made = mesh.vertices.clone();
    for _ in 0..passes {
        let moved = mesh.vertices.par_iter().enumerate().map(|(i, p)| {
            let around = neighbors.of_vertex(i);
            let sum: DVec3 = around.iter().map(|&n| mesh.vertices[n as usize]).sum();
            *p + STEP * mobility[i] * (sum / around.len().max(1) as f64 - *p)
        });
        mesh.vertices = moved.collect();
    }
    pieces.undo_collapses(mesh, &made, &volumes);
    for _ in 0..CORRECTIONS {
        pieces.restore(mesh, &volumes, &mobility);
    }
}

fn smooth_step(crowding: f64) -> f64 {
    let t = ((crowding - STAYS) / (MOVES - STAYS)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The vertices that share an edge with a vertex.
struct Neighbors {
    start: Vec<u32>,
    vertices: Vec<u32>,
}

impl Neighbors {
    /// Of a closed mesh, in which each edge is named once in each direction.
    fn of(mesh: &TriangleMesh) -> Self {
        let mut start = vec![0; mesh.vertices.len() + 1];
        for &corner in mesh.triangles.as_flattened() {
            start[corner as usize + 1] += 1;
        }
        for i in 1..start.len() {
            start[i] += start[i - 1];
        }
        let mut next = start.clone();
        let mut vertices = vec![0; mesh.triangles.len() * 3];
        for &[a, b, c] in &mesh.triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                vertices[next[from as usize] as usize] = to;
                next[from as usize] += 1;
            }
        }
        Self { start, vertices }
    }

    fn of_vertex(&self, i: usize) -> &[u32] {
        &self.vertices[self.start[i] as usize..self.start[i + 1] as usize]
    }
}

/// The connected pieces of a mesh.
struct Pieces {
    /// Of each vertex.
    piece: Vec<u32>,
    count: usize,
}

impl Pieces {
    fn of(mesh: &TriangleMesh) -> Self {
        let count = mesh.vertices.len();
        let mut sets = DisjointSets::new(count);
        for &[a, b, c] in &mesh.triangles {
            sets.join(a, b);
            sets.join(b, c);
        }
        let mut number = vec![u32::MAX; count];
        let mut pieces = 0;
        let piece = (0..count as u32).map(|vertex| {
            let number = &mut number[sets.root(vertex) as usize];
            if *number == u32::MAX {
                *number = pieces;
                pieces += 1;
            }
            *number
        });
        let piece = piece.collect();
        Self {
            piece,
            count: pieces as usize,
        }
    }

    /// Six times the volume of each [m3]; negative for a cavity.
    fn volumes(&self, mesh: &TriangleMesh) -> Vec<f64> {
        let mut origin = vec![None; self.count];
        let mut volumes = vec![0.0; self.count];
        for (t, corners) in mesh.triangles.iter().enumerate() {
            let piece = self.piece[corners[0] as usize] as usize;
            // Near the piece, or digits are lost.
            let origin = *origin[piece].get_or_insert(mesh.vertices[corners[0] as usize]);
            let [a, b, c] = mesh.corners(t).map(|p| p - origin);
            volumes[piece] += a.dot(b.cross(c));
        }
        volumes
    }

    /// Puts the pieces back that have lost most of their volume.
    fn undo_collapses(&self, mesh: &mut TriangleMesh, made: &[DVec3], volumes: &[f64]) {
        let now = self.volumes(mesh);
        let has_collapsed = |piece: u32| {
            let piece = piece as usize;
            now[piece] * volumes[piece].signum() < LEAST_LEFT * volumes[piece].abs()
        };
        let vertices = mesh.vertices.iter_mut().zip(made);
        for ((vertex, made), &piece) in vertices.zip(&self.piece) {
            if has_collapsed(piece) {
                *vertex = *made;
            }
        }
    }

    /// Moves the surface of each piece along its normals until its volume is what it was.
    fn restore(&self, mesh: &mut TriangleMesh, volumes: &[f64], mobility: &[f64]) {
        let areas = area_vectors(mesh);
        let now = self.volumes(mesh);
        // The area vector of a vertex is the gradient of six times the volume.
        let mut change = vec![0.0; self.count];
        for (i, area) in areas.iter().enumerate() {
            change[self.piece[i] as usize] += mobility[i] * area.length();
        }
        for (i, area) in areas.iter().enumerate() {
            let piece = self.piece[i] as usize;
            if change[piece] > 0.0 {
                let distance = (volumes[piece] - now[piece]) / change[piece];
                mesh.vertices[i] += distance * mobility[i] * area.normalize_or_zero();
            }
        }
    }
}

/// At each vertex the sum over its triangles of the product of two edges, which points outwards and is
/// twice their area long [m2].
pub(crate) fn area_vectors(mesh: &TriangleMesh) -> Vec<DVec3> {
    let mut areas = vec![DVec3::ZERO; mesh.vertices.len()];
    for (t, corners) in mesh.triangles.iter().enumerate() {
        let [a, b, c] = mesh.corners(t);
        let area = (b - a).cross(c - a);
        corners.iter().for_each(|&i| areas[i as usize] += area);
    }
    areas
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An octahedron with its corners so far from its middle [m].
    fn octahedron(radius: f64) -> TriangleMesh {
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        let vertices = axes
            .iter()
            .flat_map(|&axis| [axis * radius, -axis * radius]);
        let mut triangles = Vec::new();
        for octant in 0..8u32 {
            let corner = |axis: u32| 2 * axis + (octant >> axis & 1);
            let [x, y, z] = [0, 1, 2].map(corner);
            let is_turned = octant.count_ones() % 2 == 1;
            triangles.push(if is_turned { [x, z, y] } else { [x, y, z] });
        }
        TriangleMesh {
            vertices: vertices.collect(),
            triangles,
        }
    }

    #[test]
    fn a_piece_of_a_few_triangles_keeps_its_place_and_volume() {
        for turned in [false, true] {
            let mut mesh = octahedron(0.01);
            if turned {
                mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
            }
            let volume = Pieces::of(&mesh).volumes(&mesh)[0];
            smooth(&mut mesh, &[1.0; 6], 10);
            let now = Pieces::of(&mesh).volumes(&mesh)[0];
            assert!((now / volume - 1.0).abs() < 1e-6, "{now} of {volume}");
            assert!(mesh.vertices.iter().all(|x| x.length() < 0.011));
        }
    }
}
