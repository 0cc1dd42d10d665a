//! The edges of a mesh: each must have as many triangles from one side as from the other.

use pliant_math::DVec3;

use super::{DisjointSets, MeshFault};
use crate::TriangleMesh;

/// Checks that every edge is used equally often in both directions.
pub(super) fn check(mesh: &TriangleMesh) -> Result<(), MeshFault> {
    let sides = sides(mesh);
    let unbalanced: Vec<&[Side]> = of_edges(&sides)
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
    let with_third = |side: &Side| {
        let corners = mesh.triangles[side.triangle as usize];
        let third = corners
            .into_iter()
            .find(|corner| !side.ends.contains(corner));
        [side.ends[0], side.ends[1], third.unwrap_or(side.ends[1])]
    };
    let sides = sides(mesh);
    let alone = of_edges(&sides).filter(|edge| edge.len() == 1);
    alone.map(|edge| with_third(&edge[0])).collect()
}

/// One side of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Side {
    /// The lesser vertex first.
    pub(crate) ends: [u32; 2],
    /// Number of the triangle.
    pub(crate) triangle: u32,
    /// True if the triangle runs from the lesser vertex to the greater.
    pub(crate) is_forward: bool,
}

/// The sides of all triangles, those of an edge one after the other.
pub(crate) fn sides(mesh: &TriangleMesh) -> Vec<Side> {
    let of_triangle = |(triangle, &[a, b, c]): (u32, &[u32; 3])| {
        [[a, b], [b, c], [c, a]].map(|[from, to]| Side {
            ends: [from.min(to), from.max(to)],
            triangle,
            is_forward: from < to,
        })
    };
    let mut sides: Vec<Side> = (0..).zip(&mesh.triangles).flat_map(of_triangle).collect();
    sides.sort_unstable();
    sides
}

/// What [`sides`] has of each edge.
pub(crate) fn of_edges(sides: &[Side]) -> impl Iterator<Item = &[Side]> {
    sides.chunk_by(|a, b| a.ends == b.ends)
}

fn places(mesh: &TriangleMesh, ends: [u32; 2]) -> [DVec3; 2] {
    ends.map(|i| mesh.vertices[i as usize])
}

/// Number of connected parts of a graph of edges.
fn connected_parts(edges: &[[u32; 2]], vertex_count: usize) -> usize {
    let parts = DisjointSets::of_edges(vertex_count, edges).members();
    parts.filter(|part| part.len() > 1).count()
}
