//! The edges of a mesh: each must have as many triangles from one side as from the other.

use pliant_math::DVec3;

use super::{DisjointSets, MeshFault};
use crate::TriangleMesh;

/// Checks that every edge is used equally often in both directions.
pub(super) fn check(mesh: &TriangleMesh) -> Result<(), MeshFault> {
    let mut sides = sides(mesh);
    sides.sort_unstable();
    let same_edge = |a: &Side, b: &Side| a.ends == b.ends;
    let unbalanced: Vec<&[Side]> = sides
        .chunk_by(same_edge)
        .filter(|edge| 2 * edge.iter().filter(|side| side.is_forward).count() != edge.len())
        .collect();
    let of_size = |accept: fn(usize) -> bool| -> Vec<&[Side]> {
        let chosen = unbalanced.iter().filter(|edge| accept(edge.len()));
        chosen.copied().collect()
    };
    let open = of_size(|n| n == 1);
    if let Some(first) = open.first() {
        let ends: Vec<[u32; 2]> = open.iter().map(|edge| edge[0].ends).collect();
        return Err(MeshFault::Open {
            edges: open.len(),
            loops: connected_parts(&ends, mesh.vertices.len()),
            at: places(mesh, first[0].ends),
        });
    }
    let crowded = of_size(|n| n > 2);
    if let Some(first) = crowded.first() {
        return Err(MeshFault::NotManifold {
            edges: crowded.len(),
            triangles: first.len(),
            at: places(mesh, first[0].ends),
        });
    }
    match unbalanced.first() {
        Some(first) => Err(MeshFault::Inconsistent {
            edges: unbalanced.len(),
            at: places(mesh, first[0].ends),
        }),
        None => Ok(()),
    }
}

/// The edges that one triangle alone has, increasing, each with the third corner of that.
pub(super) fn open(mesh: &TriangleMesh) -> Vec<[u32; 3]> {
    let of_triangle = |&[a, b, c]: &[u32; 3]| {
        [[a, b, c], [b, c, a], [c, a, b]]
            .map(|[from, to, third]| [from.min(to), from.max(to), third])
    };
    let mut edges: Vec<[u32; 3]> = mesh.triangles.iter().flat_map(of_triangle).collect();
    edges.sort_unstable();
    let edges = edges.chunk_by(|a, b| a[..2] == b[..2]);
    edges
        .filter(|edge| edge.len() == 1)
        .map(|edge| edge[0])
        .collect()
}

/// One side of a triangle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    /// The lesser vertex first.
    ends: [u32; 2],
    /// True if the triangle runs from the lesser vertex to the greater.
    is_forward: bool,
}

fn sides(mesh: &TriangleMesh) -> Vec<Side> {
    let of_triangle = |&[a, b, c]: &[u32; 3]| {
        [[a, b], [b, c], [c, a]].map(|[from, to]| Side {
            ends: [from.min(to), from.max(to)],
            is_forward: from < to,
        })
    };
    mesh.triangles.iter().flat_map(of_triangle).collect()
}

fn places(mesh: &TriangleMesh, ends: [u32; 2]) -> [DVec3; 2] {
    ends.map(|i| mesh.vertices[i as usize])
}

/// Number of connected parts of a graph of edges.
fn connected_parts(edges: &[[u32; 2]], vertex_count: usize) -> usize {
    let parts = DisjointSets::of_edges(vertex_count, edges).members();
    parts.filter(|part| part.len() > 1).count()
}
