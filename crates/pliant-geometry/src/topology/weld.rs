//! Joining vertices at the same place, and dropping triangles that collapse by it.

use pliant_math::DVec3;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::TriangleMesh;

/// Vertices closer than this part of the mesh's diagonal are one.
const TOLERANCE: f64 = 1e-6;

/// The mesh with each place a single vertex, without unused vertices, triangles without three
/// different corners, and triangles that stand there twice.
///
/// Beside it, for each vertex that is left the first of those that it stands for.
pub(super) fn welded(mesh: &TriangleMesh) -> (TriangleMesh, Vec<u32>) {
    let representative = representatives(&mesh.vertices, mesh.bounds().extent().length());
    let mut result = TriangleMesh::default();
    let mut origins = Vec::new();
    let mut new_index = vec![u32::MAX; mesh.vertices.len()];
    let mut seen = FxHashSet::default();
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|i| representative[i as usize]);
        if a == b || b == c || c == a || !seen.insert(from_least([a, b, c])) {
            continue;
        }
        result.triangles.push([a, b, c].map(|i| {
            let index = &mut new_index[i as usize];
            if *index == u32::MAX {
                *index = result.vertices.len() as u32;
                result.vertices.push(mesh.vertices[i as usize]);
                origins.push(i);
            }
            *index
        }));
    }
    (result, origins)
}

/// For each vertex the first one at its place, found through a hashed grid of cells twice the
/// tolerance wide, so that all candidates lie in the eight cells nearest to the vertex.
pub(super) fn representatives(vertices: &[DVec3], diagonal: f64) -> Vec<u32> {
    let tolerance = TOLERANCE * diagonal;
    let cell = (2.0 * tolerance).max(f64::MIN_POSITIVE);
    let mut grid: FxHashMap<[i64; 3], Vec<u32>> = FxHashMap::default();
    let mut result = Vec::with_capacity(vertices.len());
    for (i, vertex) in vertices.iter().enumerate() {
        let corner = (*vertex / cell - DVec3::splat(0.5)).floor();
        let is_same = |j: &&u32| vertices[**j as usize].distance(*vertex) <= tolerance;
        let nearby = (0..8).filter_map(|k| {
            let offset = DVec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64);
            grid.get(&key(corner + offset))?.iter().find(is_same)
        });
        let found = nearby.min().copied();
        if found.is_none() {
            let own = key((*vertex / cell).floor());
            grid.entry(own).or_default().push(i as u32);
        }
        result.push(found.unwrap_or(i as u32));
    }
    result
}

fn key(cell: DVec3) -> [i64; 3] {
    cell.to_array().map(|c| c as i64)
}

/// The same cycle of corners, written from its least.
fn from_least(mut triangle: [u32; 3]) -> [u32; 3] {
    let least = (0..3).min_by_key(|i| triangle[*i]).unwrap_or(0);
    triangle.rotate_left(least);
    triangle
}
