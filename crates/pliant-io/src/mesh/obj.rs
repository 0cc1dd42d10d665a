//! Wavefront OBJ: vertices, faces and texture coordinates of all objects and groups; materials are ignored.

use std::borrow::Cow;
use std::collections::BTreeSet;
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
    let text = without_lines(text);
    let options = tobj::LoadOptions {
        triangulate: true,
        ignore_points: true,
        ignore_lines: true,
        ..Default::default()
    };
    let without_materials = |_: &Path| Ok(Default::default());
    let (models, _) = tobj::load_obj_buf(&mut text.as_bytes(), &options, without_materials)
        .map_err(|error| malformed(&text, error))?;
    let mut written = Written::default();
    for model in &models {
        append(&mut written.textured, &model.mesh)?;
    }
    leave_out_lacking(&mut written, &text);
    Ok(written)
}

/// Whether a line of the text has lines through vertices (`l`), of which the parser makes faces where there are three
/// vertices or more.
fn has_lines(line: &str) -> bool {
    line.split_whitespace().next() == Some("l")
}

/// The text with empty lines in place of those, so that all others keep their numbers.
fn without_lines(text: Cow<str>) -> Cow<str> {
    if !text.lines().any(has_lines) {
        return text;
    }
    let kept = |line| if has_lines(line) { "" } else { line };
    let kept: Vec<&str> = text.lines().map(kept).collect();
    kept.join("\n").into()
}

/// A face as the text has it.
struct WrittenFace {
    /// Its line, counted from 1.
    line: usize,
    /// Its object or group, numbered.
    group: usize,
    corners: usize,
    /// Corners with texture coordinates.
    textured: usize,
}

impl WrittenFace {
    fn has_all(&self) -> bool {
        self.textured == self.corners
    }
}

/// The faces of a text with triangles, in their order, which is that of the parser.
fn written_faces(text: &str) -> Vec<WrittenFace> {
    let mut group = 0;
    let mut faces = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("o" | "g") => group += 1,
            Some("f") => {
                let is_textured =
                    |corner: &&str| corner.split('/').nth(1).is_some_and(|t| !t.is_empty());
                faces.push(WrittenFace {
                    line: number,
                    group,
                    corners: words.clone().count(),
                    textured: words.filter(is_textured).count(),
                });
            }
            _ => {}
        }
    }
    faces.retain(|face| face.corners > 2);
    faces
}

/// Leaves faces without texture coordinates of which a corner has none: the parser gives such a corner those of the one
/// before it. A face where some corners have them, or others of its object or group do, is damaged; an object without
/// any is as it was meant.
fn leave_out_lacking(written: &mut Written, text: &str) {
    let faces = written_faces(text);
    if faces.iter().all(WrittenFace::has_all) {
        return;
    }
    let with_some = faces.iter().filter(|face| face.textured > 0);
    let groups: BTreeSet<usize> = with_some.map(|face| face.group).collect();
    let mut triangles = written.textured.uv.iter_mut();
    for face in &faces {
        for uv in triangles.by_ref().take(face.corners - 2) {
            if !face.has_all() {
                *uv = TriangleUv::default();
            }
        }
    }
    let mut lacking = faces.iter().filter(|face| !face.has_all());
    if let Some(face) = lacking.find(|face| groups.contains(&face.group)) {
        written.leave_out(damage(face));
    }
}

/// What is wrong with a face that lacks texture coordinates where others have some.
fn damage(face: &WrittenFace) -> String {
    let WrittenFace {
        line,
        corners,
        textured,
        ..
    } = face;
    match textured {
        0 => format!(
            "line {line}: the face has none, as other faces of its object do; it is read without"
        ),
        _ => format!(
            "line {line}: {textured} of the {corners} corners of the face have some, where all or none would fit; it is read without"
        ),
    }
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
