//! Texture coordinates of the meshes of a stage, however many corners share one.

use super::MeshProblem;
use super::layer::{Prim, Value};
use super::moment::{Between, Moment, numbers};
use crate::mesh::texture::first_not_finite;

/// What texture coordinates are called: as materials of USD look for them, and as other programs write them.
const NAMES: [&str; 5] = [
    "primvars:st",
    "primvars:UVMap",
    "primvars:st0",
    "primvars:uv",
    "primvars:map1",
];

/// The faces of a mesh, which were checked.
#[derive(Clone, Copy)]
pub(super) struct Faces<'m> {
    /// How many corners each has.
    pub(super) counts: &'m [f64],
    /// The point of each corner, face by face.
    pub(super) corners: &'m [u32],
    pub(super) point_count: usize,
}

/// Why there are no texture coordinates.
pub(super) enum Fault {
    /// The file is damaged.
    File(MeshProblem),
    /// They are, and the mesh is of use without them.
    Texture(String),
}

impl From<MeshProblem> for Fault {
    fn from(problem: MeshProblem) -> Self {
        Self::File(problem)
    }
}

/// The texture coordinates of all corners of faces; none if the prim has none. Of several the first named counts.
pub(super) fn of_corners(
    prim: &Prim,
    moment: Moment,
    faces: Faces<'_>,
) -> Result<Vec<[f32; 2]>, Fault> {
    for name in NAMES {
        let attribute = prim.attribute(name);
        let read = |attribute| numbers(attribute, moment, Between::Held);
        let values = read(attribute)?;
        let Some(Value::Numbers(values)) = values.as_deref() else {
            continue;
        };
        let indices = read(prim.attribute(&format!("{name}:indices")))?;
        let indices = match indices.as_deref() {
            Some(Value::Numbers(indices)) => Some(&indices[..]),
            _ => None,
        };
        let told = attribute.and_then(|attribute| attribute.interpolation.as_deref());
        let spread = indexed(values, indices).and_then(|each| faces.spread(each, told));
        return spread.map_err(|what| Fault::Texture(format!("{name} {what}")));
    }
    Ok(Vec::new())
}

/// Pairs of numbers in the order of indices, if there are some.
fn indexed(values: &[f64], indices: Option<&[f64]>) -> Result<Vec<[f32; 2]>, String> {
    let (pairs, rest) = values.as_chunks::<2>();
    if !rest.is_empty() {
        let count = values.len();
        return Err(format!("has {count} numbers, which are no pairs"));
    }
    let pairs: Vec<[f32; 2]> = pairs.iter().map(|uv| uv.map(|c| c as f32)).collect();
    if let Some(what) = first_not_finite(&pairs) {
        return Err(what);
    }
    let Some(indices) = indices else {
        return Ok(pairs);
    };
    let pair = |&index: &f64| {
        let is_whole = index >= 0.0 && index.fract() == 0.0;
        let pair = is_whole.then(|| pairs.get(index as usize)).flatten();
        pair.copied().ok_or_else(|| {
            let count = pairs.len();
            format!("has the index {index}, but {count} values, counted from 0")
        })
    };
    indices.iter().map(pair).collect()
}

impl Faces<'_> {
    /// One value for each corner, of values that belong to corners, points, faces or the whole mesh, as their
    /// interpolation tells; where it tells nothing, as their number does.
    fn spread(self, each: Vec<[f32; 2]>, told: Option<&str>) -> Result<Vec<[f32; 2]>, String> {
        let (corner_count, face_count) = (self.corners.len(), self.counts.len());
        let kinds = [
            ("faceVarying", corner_count),
            ("vertex", self.point_count),
            ("varying", self.point_count),
            ("uniform", face_count),
            ("constant", 1),
        ];
        let fits = |(name, count): &(&str, usize)| {
            *count == each.len() && told.is_none_or(|told| told == *name)
        };
        let Some((kind, _)) = kinds.into_iter().find(fits) else {
            return Err(misfit(each.len(), told, &kinds));
        };
        Ok(match kind {
            "faceVarying" => each,
            "uniform" => {
                let faces = self.counts.iter().zip(each);
                faces
                    .flat_map(|(&count, uv)| std::iter::repeat_n(uv, count as usize))
                    .collect()
            }
            "constant" => vec![each[0]; corner_count],
            _ => self.corners.iter().map(|&k| each[k as usize]).collect(),
        })
    }
}

/// Says which numbers of values would have been right.
fn misfit(found: usize, told: Option<&str>, kinds: &[(&str, usize)]) -> String {
    let of_told = kinds.iter().filter(|(name, _)| told == Some(*name));
    let mut wanted: Vec<_> = of_told.collect();
    if wanted.is_empty() {
        wanted = kinds.iter().collect();
    }
    let wanted = wanted
        .iter()
        .map(|(name, count)| format!("{count} ({name})"));
    let wanted = wanted.collect::<Vec<_>>().join(", ");
    let told = told.map_or(String::new(), |told| format!(" of interpolation `{told}`"));
    format!("has {found} values{told}, where {wanted} would fit")
}
