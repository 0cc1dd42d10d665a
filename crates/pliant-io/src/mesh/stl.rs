//! STL, binary and ASCII. Read by hand: many binary files start with the word `solid`, which only
//! their length tells from ASCII, and ASCII coordinates keep double precision.

use pliant_geometry::TriangleMesh;
use pliant_math::DVec3;

use super::texture::Written;
use super::{MeshFormat, MeshProblem};
use crate::beside::Beside;
use crate::formats::without_mark;

pub(super) const FORMAT: MeshFormat = MeshFormat {
    name: "STL",
    extensions: &["stl"],
    is_y_up: false,
    read,
    read_animation: None,
};

/// A comment of 80 bytes and the number of triangles.
const HEADER_LENGTH: usize = 84;
/// A normal, three corners, two bytes of attributes.
const TRIANGLE_LENGTH: usize = 50;

fn read(bytes: &[u8], _beside: &Beside<'_>) -> Result<Written, MeshProblem> {
    let text = without_mark(bytes);
    let starts_like_text = text
        .get(..5)
        .is_some_and(|start| start.eq_ignore_ascii_case(b"solid"));
    if starts_like_text && binary_length(bytes) != Some(bytes.len()) {
        read_ascii(text).map(Written::from)
    } else {
        read_binary(bytes).map(Written::from)
    }
}

/// Length of a binary file with the number of triangles that the bytes announce.
fn binary_length(bytes: &[u8]) -> Option<usize> {
    let count = u32::from_le_bytes(*bytes.get(80..HEADER_LENGTH)?.first_chunk()?);
    (count as usize)
        .checked_mul(TRIANGLE_LENGTH)?
        .checked_add(HEADER_LENGTH)
}

fn read_binary(bytes: &[u8]) -> Result<TriangleMesh, MeshProblem> {
    let length = binary_length(bytes)
        .ok_or_else(|| MeshProblem::Malformed("it is shorter than a header of STL".to_owned()))?;
    let body = bytes
        .get(HEADER_LENGTH..length)
        .ok_or(MeshProblem::TooShort {
            claimed: ((length - HEADER_LENGTH) / TRIANGLE_LENGTH) as u64,
            what: "triangles",
            length: bytes.len(),
        })?;
    let (records, _) = body.as_chunks::<TRIANGLE_LENGTH>();
    let corners = records.iter().flat_map(|record| {
        // The normal in the first 12 bytes follows from the corners.
        let (numbers, _) = record[12..48].as_chunks::<4>();
        let (points, _) = numbers.as_chunks::<3>();
        [0, 1, 2].map(|corner| {
            DVec3::from_array(points[corner].map(|number| f64::from(f32::from_le_bytes(number))))
        })
    });
    from_corners(corners.collect())
}

fn read_ascii(bytes: &[u8]) -> Result<TriangleMesh, MeshProblem> {
    let text = String::from_utf8_lossy(bytes);
    let mut corners = Vec::new();
    let mut is_closed = false;
    for (i, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        let keyword = words.next().unwrap_or_default().to_ascii_lowercase();
        is_closed = is_closed || keyword == "endsolid";
        match keyword.as_str() {
            "vertex" => corners.push(parse_corner(words, i + 1)?),
            "endloop" if corners.len() % 3 != 0 => {
                let reason = format!("line {}: a facet without three vertices", i + 1);
                return Err(MeshProblem::Malformed(reason));
            }
            "" | "solid" | "facet" | "outer" | "endloop" | "endfacet" | "endsolid" => {}
            other => {
                let reason = format!("line {}: `{other}` is no word of STL", i + 1);
                return Err(MeshProblem::Malformed(reason));
            }
        }
    }
    if !is_closed {
        let reason = "it ends before `endsolid`; is it cut off?".to_owned();
        return Err(MeshProblem::Malformed(reason));
    }
    from_corners(corners)
}

fn parse_corner<'a>(
    words: impl Iterator<Item = &'a str>,
    line: usize,
) -> Result<DVec3, MeshProblem> {
    let coordinates: Option<Vec<f64>> = words.map(|word| word.parse().ok()).collect();
    match coordinates.as_deref() {
        Some(&[x, y, z]) => Ok(DVec3::new(x, y, z)),
        _ => Err(MeshProblem::Malformed(format!(
            "line {line}: expected `vertex x y z` with three numbers"
        ))),
    }
}

fn from_corners(vertices: Vec<DVec3>) -> Result<TriangleMesh, MeshProblem> {
    let count = u32::try_from(vertices.len()).map_err(|_| MeshProblem::TooLarge)?;
    let triangles = (0..count / 3)
        .map(|t| [3 * t, 3 * t + 1, 3 * t + 2])
        .collect();
    Ok(TriangleMesh {
        vertices,
        triangles,
    })
}
