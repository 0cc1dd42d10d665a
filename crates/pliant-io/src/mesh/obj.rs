//! Wavefront OBJ: vertices, faces and texture coordinates of all objects and groups; materials are ignored.

use std::borrow::Cow;
use std::path::Path;

use pliant_geometry::{TexturedMesh, TriangleUv};
use pliant_math::DVec3;

use super::{MeshFormat, MeshProblem};
use crate::beside::Beside;
use crate::formats::without_mark;

pub(super) const FORMAT: MeshFormat = MeshFormat {
    name: "OBJ",
    extensions: &["obj"],
    is_y_up: false,
    read,
    read_animation: None,
};

fn read(bytes: &[u8], _beside: &Beside<'_>) -> Result<TexturedMesh, MeshProblem> {
    // Comments and names may be in any encoding; what matters here is ASCII.
    let text: Cow<str> = String::from_utf8_lossy(without_mark(bytes));
    let options = tobj::LoadOptions {
        triangulate: true,
        ignore_points: true,
        ignore_lines: true,
        ..Default::default()
    };
    let without_materials = |_: &Path| Ok(Default::default());
    let (models, _) = tobj::load_obj_buf(&mut text.as_bytes(), &options, without_materials)
        .map_err(|error| MeshProblem::Malformed(error.to_string()))?;
    let mut textured = TexturedMesh::default();
    for model in &models {
        append(&mut textured, &model.mesh)?;
    }
    Ok(textured)
}

fn append(textured: &mut TexturedMesh, model: &tobj::Mesh) -> Result<(), MeshProblem> {
    let mesh = &mut textured.mesh;
    let offset = u32::try_from(mesh.vertices.len()).map_err(|_| MeshProblem::TooLarge)?;
    let (positions, _) = model.positions.as_chunks::<3>();
    mesh.vertices
        .extend(positions.iter().copied().map(DVec3::from_array));
    let (triangles, _) = model.indices.as_chunks::<3>();
    mesh.triangles.extend(
        triangles
            .iter()
            .map(|corners| corners.map(|i| i.saturating_add(offset))),
    );
    let (places, _) = model.texcoords.as_chunks::<2>();
    let place = |i: u32| places.get(i as usize).copied().unwrap_or_default();
    let (corners, _) = model.texcoord_indices.as_chunks::<3>();
    let uv = corners
        .iter()
        .map(|corners| corners.map(|i| place(i).map(|c| c as f32)));
    textured.uv.extend(uv.take(triangles.len()));
    textured
        .uv
        .resize(textured.mesh.triangles.len(), TriangleUv::default());
    Ok(())
}
