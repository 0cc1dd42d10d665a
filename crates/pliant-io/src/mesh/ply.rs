//! PLY, ASCII and binary: the elements `vertex` (x, y, z) and `face` (`vertex_indices` or
//! `vertex_index`), texture coordinates of vertices (s and t, u and v, `texture_u` and `texture_v`) or of the
//! corners of faces (`texcoord`); everything else is skipped.

use pliant_geometry::{TexturedMesh, TriangleMesh};
use pliant_math::DVec3;
use ply_rs_bw::parser::{Parser, Reader};
use ply_rs_bw::ply::{
    ElementDef, Encoding, Header, Property, PropertyAccess, PropertyAccessResult, PropertyType,
    ScalarType,
};

use super::texture::Written;
use super::{MeshFormat, MeshProblem, fan};
use crate::beside::Beside;
use crate::formats::without_mark;

pub(super) const FORMAT: MeshFormat = MeshFormat {
    name: "PLY",
    extensions: &["ply"],
    is_y_up: false,
    read,
    read_animation: None,
};

/// What is kept of an element: a vertex's position or a face's corners, and texture coordinates of either.
#[derive(Default)]
struct Element {
    position: [Option<f64>; 3],
    corners: Vec<i64>,
    /// Of a vertex.
    uv: [f32; 2],
    /// Of the corners of a face, one after the other.
    texture: Vec<f32>,
}

fn read(bytes: &[u8], _beside: &Beside<'_>) -> Result<Written, MeshProblem> {
    let parser = Parser::<Element>::new();
    let mut reader = Reader::new(without_mark(bytes));
    let header = parser.read_header(&mut reader).map_err(malformed)?;
    check_counts(&header, bytes.len())?;
    let mut payload = parser
        .read_payload(&mut reader, &header)
        .map_err(malformed)?;
    let vertices = payload.swap_remove("vertex").unwrap_or_default();
    let faces = payload.swap_remove("face").unwrap_or_default();
    let mut written = Written::from(TriangleMesh {
        vertices: vertices.iter().map(vertex).collect::<Result<_, _>>()?,
        triangles: Vec::new(),
    });
    for (number, face) in faces.iter().enumerate() {
        if let Some(damage) = face.misfit() {
            written.leave_out(format!("of face {number}, counted from 0, {damage}"));
        }
        add_face(&mut written.textured, face, &vertices)?;
    }
    Ok(written)
}

/// Adds the triangles of a face.
fn add_face(
    textured: &mut TexturedMesh,
    face: &Element,
    vertices: &[Element],
) -> Result<(), MeshProblem> {
    let mesh = &mut textured.mesh;
    let corners = face
        .corners
        .iter()
        .map(|&corner| index(corner, mesh.triangles.len(), mesh.vertices.len()))
        .collect::<Result<Vec<u32>, _>>()?;
    let all: Vec<u32> = (0..corners.len() as u32).collect();
    let (of_corners, _) = match face.misfit() {
        None => face.texture.as_chunks::<2>(),
        Some(_) => Default::default(),
    };
    for triangle in fan(&all) {
        let triangle = triangle.map(|k| k as usize);
        let of_vertex = |k: usize| vertices.get(corners[k] as usize).map(|vertex| vertex.uv);
        let of_corner = |k: usize| of_corners.get(k).copied().or_else(|| of_vertex(k));
        mesh.triangles.push(triangle.map(|k| corners[k]));
        textured
            .uv
            .push(triangle.map(|k| of_corner(k).unwrap_or_default()));
    }
    Ok(())
}

impl Element {
    /// What is wrong with the number of texture coordinates of a face.
    fn misfit(&self) -> Option<String> {
        let (found, wanted) = (self.texture.len(), 2 * self.corners.len());
        let fits = found == 0 || found == wanted;
        (!fits).then(|| format!("are {found} numbers, where {wanted} would fit"))
    }
}

fn malformed(error: impl ToString) -> MeshProblem {
    MeshProblem::Malformed(malformed_text(&error.to_string()))
}

/// What the parser says, on one line: it quotes the offending line, which may be long binary noise.
pub(crate) fn malformed_text(error: &str) -> String {
    let text: String = error.chars().take(200).collect();
    text.replace(['\n', '\t'], " ")
}

/// Refuses a header that announces more elements than the file can hold.
pub(crate) fn check_counts(header: &Header, length: usize) -> Result<(), MeshProblem> {
    let mut least_length = 0_u64;
    for element in header.elements.values() {
        let claimed = element.count as u64;
        least_length = least_length
            .saturating_add(claimed.saturating_mul(least_size(element, header.encoding)));
        if least_length > length as u64 {
            return Err(MeshProblem::TooShort {
                claimed,
                what: "elements",
                length,
            });
        }
    }
    Ok(())
}

/// The fewest bytes that an element takes in the file.
fn least_size(element: &ElementDef, encoding: Encoding) -> u64 {
    let binary_size = |kind: &PropertyType| match kind {
        PropertyType::Scalar(scalar) | PropertyType::List(scalar, _) => scalar_size(scalar),
    };
    let properties = element.properties.values();
    let size: u64 = match encoding {
        // A digit and a separator each.
        Encoding::Ascii => properties.map(|_| 2).sum(),
        _ => properties.map(|p| binary_size(&p.data_type)).sum(),
    };
    // An element without properties would let any count pass; the last line may lack its end.
    size.saturating_sub(u64::from(encoding == Encoding::Ascii))
        .max(1)
}

fn scalar_size(scalar: &ScalarType) -> u64 {
    match scalar {
        ScalarType::Char | ScalarType::UChar => 1,
        ScalarType::Short | ScalarType::UShort => 2,
        ScalarType::Int | ScalarType::UInt | ScalarType::Float => 4,
        ScalarType::Double => 8,
    }
}

fn vertex(element: &Element) -> Result<DVec3, MeshProblem> {
    match element.position {
        [Some(x), Some(y), Some(z)] => Ok(DVec3::new(x, y, z)),
        _ => Err(MeshProblem::Malformed(
            "its vertices lack one of the properties x, y, z".to_owned(),
        )),
    }
}

fn index(corner: i64, triangle: usize, vertex_count: usize) -> Result<u32, MeshProblem> {
    u32::try_from(corner).map_err(|_| MeshProblem::IndexOutOfRange {
        triangle,
        vertex: u32::MAX,
        vertex_count,
    })
}

impl PropertyAccess for Element {
    fn new() -> Self {
        Self::default()
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        match name {
            "x" => self.position[0] = scalar_value(&property),
            "y" => self.position[1] = scalar_value(&property),
            "z" => self.position[2] = scalar_value(&property),
            "vertex_indices" | "vertex_index" => self.corners = list_values(property),
            "s" | "u" | "texture_u" => self.uv[0] = single_value(&property),
            "t" | "v" | "texture_v" => self.uv[1] = single_value(&property),
            "texcoord" => {
                self.texture = match property {
                    Property::ListFloat(numbers) => numbers,
                    Property::ListDouble(numbers) => numbers.iter().map(|&c| c as f32).collect(),
                    _ => Vec::new(),
                }
            }
            _ => {}
        }
        PropertyAccessResult::Set
    }
}

/// A number of any type; `None` for a list.
pub(crate) fn scalar_value(property: &Property) -> Option<f64> {
    match *property {
        Property::Char(v) => Some(f64::from(v)),
        Property::UChar(v) => Some(f64::from(v)),
        Property::Short(v) => Some(f64::from(v)),
        Property::UShort(v) => Some(f64::from(v)),
        Property::Int(v) => Some(f64::from(v)),
        Property::UInt(v) => Some(f64::from(v)),
        Property::Float(v) => Some(f64::from(v)),
        Property::Double(v) => Some(v),
        _ => None,
    }
}

fn single_value(property: &Property) -> f32 {
    scalar_value(property).map_or(0.0, |value| value as f32)
}

fn list_values(property: Property) -> Vec<i64> {
    fn wide<T: Into<i64>>(values: Vec<T>) -> Vec<i64> {
        values.into_iter().map(Into::into).collect()
    }
    match property {
        Property::ListChar(v) => wide(v),
        Property::ListUChar(v) => wide(v),
        Property::ListShort(v) => wide(v),
        Property::ListUShort(v) => wide(v),
        Property::ListInt(v) => wide(v),
        Property::ListUInt(v) => wide(v),
        _ => Vec::new(),
    }
}
