//! Places in which a surface is deformed evenly, as it does not cross itself then.

use pliant_geometry::topology::DisjointSets;
use pliant_math::{DMat3, DVec3};

use super::super::vertex_neighbors::VertexNeighbors;
use super::RestSurface;
use super::disc::Disc;

/// Only where so many spacings at rest are enough.
const WIDEST: f64 = 3.0;

/// Deforms places around pairs of triangles that cross as they are on average.
///
/// * `beyond` — how far around them [m]
pub(super) fn flatten(
    surface: &RestSurface<'_>,
    neighbors: &VertexNeighbors,
    crossing: &[[u32; 2]],
    beyond: f64,
    vertices: &mut [DVec3],
) {
    let mut disc = Disc::new(surface, neighbors);
    for corners in clusters(surface, crossing) {
        let place = |vertex: &u32| surface.vertices[*vertex as usize];
        let middle = corners.iter().map(place).sum::<DVec3>() / corners.len() as f64;
        let radius = corners
            .iter()
            .map(|k| place(k).distance(middle))
            .fold(0.0, f64::max)
            + beyond;
        if 2.0 * radius > WIDEST * surface.spacing {
            continue;
        }
        let (mut sum, mut gradient, mut total) = (DVec3::ZERO, DMat3::ZERO, 0.0);
        let mut parts = Vec::new();
        disc.for_each(&corners, middle, radius, |vertex, part| {
            let own = surface.gradients[vertex as usize];
            sum += (vertices[vertex as usize] + own * (middle - place(&vertex))) * part;
            gradient += own * part;
            total += part;
            parts.push((vertex, part));
        });
        let (there, gradient) = (sum / total, gradient * (1.0 / total));
        for (vertex, part) in parts {
            let even = there + gradient * (place(&vertex) - middle);
            let x = &mut vertices[vertex as usize];
            *x = x.lerp(even, part);
        }
    }
}

/// The corners of triangles that cross, of those together that are in common.
fn clusters(surface: &RestSurface<'_>, crossing: &[[u32; 2]]) -> Vec<Vec<u32>> {
    let mut sets = DisjointSets::new(surface.vertices.len());
    let mut corners = Vec::new();
    for pair in crossing {
        for corner in pair.map(|t| surface.triangles[t as usize]).as_flattened() {
            sets.join(surface.triangles[pair[0] as usize][0], *corner);
            corners.push(*corner);
        }
    }
    let mut by_set: Vec<(u32, u32)> = corners.into_iter().map(|k| (sets.root(k), k)).collect();
    by_set.sort_unstable();
    by_set.dedup();
    by_set
        .chunk_by(|a, b| a.0 == b.0)
        .map(|of| of.iter().map(|(_, corner)| *corner).collect())
        .collect()
}
