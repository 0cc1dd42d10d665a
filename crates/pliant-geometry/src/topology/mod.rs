//! Whether a triangle mesh encloses a volume, and where it leaks if not; what is connected.

mod disjoint_sets;
mod edges;
mod fault;
mod meeting;
mod weld;

pub use disjoint_sets::DisjointSets;
pub(crate) use edges::{of_edges, sides};
pub use fault::MeshFault;
pub use meeting::MeetingTriangles;

use pliant_math::DVec3;

use crate::TriangleMesh;

/// The closed surface that a mesh from a file describes, its triangles counter-clockwise from
/// outside.
///
/// Vertices at the same place (within a millionth of the mesh's diagonal) become one, triangles
/// that collapse or stand there twice are dropped, and a mesh that is inside out as a whole is
/// turned. Several shells are accepted, one inside another being a cavity if it is oriented the
/// other way; so are edges where an even number of triangles meet, as many from either side.
///
/// # Errors
/// [`MeshFault`] for a mesh that has open edges, edges with too many triangles, neighbours that
/// are oriented against each other, or no volume.
pub fn closed(mesh: &TriangleMesh) -> Result<TriangleMesh, MeshFault> {
    closed_with_origins(mesh).map(|(closed, _)| closed)
}

/// The same, and for each of its vertices the first of the mesh's that it stands for.
///
/// # Errors
/// As for [`closed`].
pub fn closed_with_origins(mesh: &TriangleMesh) -> Result<(TriangleMesh, Vec<u32>), MeshFault> {
    let (mut welded, origins) = surface_with_origins(mesh)?;
    edges::check(&welded)?;
    let volume = welded.volume();
    let size = welded.bounds().extent().max_element();
    if volume.abs() <= 1e-12 * size * size * size {
        return Err(MeshFault::NoVolume);
    }
    if volume < 0.0 {
        for triangle in &mut welded.triangles {
            triangle.swap(1, 2);
        }
    }
    Ok((welded, origins))
}

/// For each vertex of a mesh the first one at its place, within a millionth of the mesh's diagonal.
pub fn first_at_place(mesh: &TriangleMesh) -> Vec<u32> {
    weld::representatives(&mesh.vertices, mesh.bounds().extent().length())
}

/// Whether each edge of a mesh has as many triangles from one side as from the other.
pub fn is_closed(mesh: &TriangleMesh) -> bool {
    edges::check(mesh).is_ok()
}

/// The surface that a mesh from a file describes, closed or not: vertices at the same place become one,
/// triangles that collapse or stand there twice are dropped.
///
/// # Errors
/// [`MeshFault`] for a mesh of which no triangle is left, or with numbers that are none.
pub fn surface(mesh: &TriangleMesh) -> Result<TriangleMesh, MeshFault> {
    surface_with_origins(mesh).map(|(surface, _)| surface)
}

/// The same, and for each of its vertices the first of the mesh's that it stands for.
///
/// # Errors
/// As for [`surface`].
pub fn surface_with_origins(mesh: &TriangleMesh) -> Result<(TriangleMesh, Vec<u32>), MeshFault> {
    check_numbers(mesh)?;
    let (welded, origins) = weld::welded(mesh);
    if welded.triangles.is_empty() {
        return Err(MeshFault::NoVolume);
    }
    Ok((welded, origins))
}

/// The rim of a surface: its edges with a triangle on one side alone, the lesser vertex first, and behind
/// them the third corner of that triangle. A closed surface has none.
pub fn rim(mesh: &TriangleMesh) -> Vec<[u32; 3]> {
    edges::open(mesh)
}

fn check_numbers(mesh: &TriangleMesh) -> Result<(), MeshFault> {
    if mesh.triangles.is_empty() {
        return Err(MeshFault::Empty);
    }
    let is_valid = |p: &DVec3| p.is_finite();
    if let Some(vertex) = mesh.vertices.iter().position(|p| !is_valid(p)) {
        return Err(MeshFault::NotFinite { vertex });
    }
    let count = mesh.vertices.len();
    let is_known = |t: &[u32; 3]| t.iter().all(|i| (*i as usize) < count);
    match mesh.triangles.iter().position(|t| !is_known(t)) {
        Some(triangle) => Err(MeshFault::UnknownVertex { triangle, count }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
