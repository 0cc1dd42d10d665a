//! From loose triangles to a connected surface.

use std::collections::HashMap;

use pliant_geometry::TriangleMesh;
use pliant_math::DVec3;

use super::MeshProblem;

/// Checks a mesh, joins vertices at exactly the same place, drops unused vertices and triangles
/// that have a corner twice (their edges cancel, so a closed surface stays closed). Vertices come
/// in the order in which the triangles first use them, each with the first of the mesh's that it stands for.
pub(super) fn weld_with_origins(
    mesh: &TriangleMesh,
) -> Result<(TriangleMesh, Vec<u32>), MeshProblem> {
    if mesh.vertices.len() > u32::MAX as usize {
        return Err(MeshProblem::TooLarge);
    }
    let mut welded = TriangleMesh::default();
    let mut origins = Vec::new();
    let mut index_of_place: HashMap<[u64; 3], u32> = HashMap::new();
    for (t, triangle) in mesh.triangles.iter().enumerate() {
        let mut corners = [0; 3];
        for (corner, &vertex) in corners.iter_mut().zip(triangle) {
            let position = checked_vertex(mesh, t, vertex)?;
            *corner = *index_of_place.entry(place(position)).or_insert_with(|| {
                welded.vertices.push(position);
                origins.push(vertex);
                (welded.vertices.len() - 1) as u32
            });
        }
        let [a, b, c] = corners;
        if a != b && b != c && c != a {
            welded.triangles.push(corners);
        }
    }
    if welded.triangles.is_empty() {
        return Err(MeshProblem::NoTriangles);
    }
    Ok((welded, origins))
}

/// Where vertices of a mesh are, in the order of `origins`.
pub(super) fn gathered(mesh: &TriangleMesh, origins: &[u32]) -> Result<Vec<DVec3>, MeshProblem> {
    let place = |&vertex: &u32| {
        let position = mesh.vertices[vertex as usize];
        match position.is_finite() {
            true => Ok(position),
            false => Err(MeshProblem::NotFinite {
                vertex: vertex as usize,
                position: position.to_array(),
            }),
        }
    };
    origins.iter().map(place).collect()
}

fn checked_vertex(mesh: &TriangleMesh, triangle: usize, vertex: u32) -> Result<DVec3, MeshProblem> {
    let position = *mesh
        .vertices
        .get(vertex as usize)
        .ok_or(MeshProblem::IndexOutOfRange {
            triangle,
            vertex,
            vertex_count: mesh.vertices.len(),
        })?;
    if !position.is_finite() {
        return Err(MeshProblem::NotFinite {
            vertex: vertex as usize,
            position: position.to_array(),
        });
    }
    Ok(position)
}

/// Bits that are equal where the places are: adding zero turns -0 into 0.
fn place(position: DVec3) -> [u64; 3] {
    (position + DVec3::ZERO).to_array().map(f64::to_bits)
}
