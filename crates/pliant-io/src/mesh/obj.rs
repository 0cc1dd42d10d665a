//! Wavefront OBJ: vertices, faces and texture coordinates of all objects and groups; materials are ignored.

use std::borrow::Cow;
use std::path::Path;

use pliant_geometry::{TexturedMesh, TriangleUv};
use pliant_math::DVec3;

use super::texture::Written;
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

fn read(bytes: &[u8], _beside: &Beside<'_>) -> Result<Written, MeshProblem> {
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
        .map_err(|error| malformed(&text, error))?;
    let mut textured = TexturedMesh::default();
    for model in &models {
        append(&mut textured, &model.mesh)?;
    }
    Ok(Written {
        textured,
        damage: None,
    })
}

/// What the parser finds wrong, of texture coordinates with their place, which it does not tell.
fn malformed(text: &str, error: tobj::LoadError) -> MeshProblem {
    let lost = match error {
        tobj::LoadError::FaceTexCoordOutOfBounds => lost_texture(text),
        _ => None,
    };
    MeshProblem::Malformed(lost.unwrap_or_else(|| error.to_string()))
}

/// The first face with texture coordinates that are not there.
fn lost_texture(text: &str) -> Option<String> {
    let first_word = |line: &str| line.split_whitespace().next().map(str::to_owned);
    let is_texture = |line: &&str| first_word(line).as_deref() == Some("vt");
    let count = text.lines().filter(is_texture).count();
    let number = |corner: &str| corner.split('/').nth(1)?.parse::<usize>().ok();
    let lost = text.lines().zip(1..).find_map(|(line, place)| {
        let mut words = line.split_whitespace();
        let is_face = words.next() == Some("f");
        let number = words.filter_map(number).find(|&number| number > count)?;
        is_face.then_some((place, number))
    });
    let (line, number) = lost?;
    Some(format!(
        "line {line}: a face refers to texture coordinates {number}, but there are {count}, counted from 1"
    ))
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
    // The parser gives faces without any the first of the file: where all have one, they are taken to have none.
    let places = if places.len() > 1 { places } else { &[] };
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
