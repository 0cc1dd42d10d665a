//! A frame as a list of named arrays, the form that every format writes and reads.

use std::io::{self, Write};
use std::ops::Range;

use pliant_core::measure::Frame;
use pliant_geometry::TriangleUv;
use pliant_math::DVec3;

use super::FrameProblem;

/// Values that are turned into bytes at a time.
pub(super) const BLOCK: usize = 4096;

/// A named array with a value a particle.
pub(super) struct Column<'a> {
    /// Name in the file.
    pub name: &'a str,
    /// Its values.
    pub values: Values<'a>,
}

/// The values of a column.
#[derive(Clone, Copy)]
pub(super) enum Values<'a> {
    Double3(&'a [DVec3]),
    Single3(&'a [[f32; 3]]),
    Single(&'a [f32]),
    Index(&'a [u32]),
}

/// Type and number of components of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Double3,
    Single3,
    Single,
    Index,
}

/// A column that was read.
#[derive(Debug)]
pub(super) struct ReadColumn {
    pub name: String,
    pub kind: Kind,
    /// Little endian.
    pub bytes: Vec<u8>,
}

/// Lists of text that go with a frame: name of the list and its entries.
pub(super) fn text_lists<'a>(frame: &Frame<'a>) -> [(&'static str, Vec<&'a str>); 3] {
    [
        (
            "body_names",
            frame.bodies.iter().map(|b| b.name.as_str()).collect(),
        ),
        (
            "material_names",
            frame.material_names.iter().map(String::as_str).collect(),
        ),
        (
            "quantity_units",
            frame.quantities.iter().map(|q| q.unit).collect(),
        ),
    ]
}

/// The columns of a frame, position first, quantities last.
pub(super) fn columns<'a>(frame: &Frame<'a>) -> Vec<Column<'a>> {
    let column = |name, values| Column { name, values };
    let mut columns = vec![
        column("position", Values::Double3(frame.position)),
        column("velocity", Values::Single3(frame.velocity)),
        column("id", Values::Index(frame.id)),
        column("body", Values::Index(frame.body)),
        column("material", Values::Index(frame.material)),
        column("radius", Values::Single(frame.radius)),
    ];
    columns.extend(
        frame
            .quantities
            .iter()
            .map(|quantity| column(quantity.name, Values::Single(&quantity.values))),
    );
    columns
}

impl Values<'_> {
    pub fn kind(&self) -> Kind {
        match self {
            Values::Double3(_) => Kind::Double3,
            Values::Single3(_) => Kind::Single3,
            Values::Single(_) => Kind::Single,
            Values::Index(_) => Kind::Index,
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Values::Double3(v) => v.len(),
            Values::Single3(v) => v.len(),
            Values::Single(v) => v.len(),
            Values::Index(v) => v.len(),
        }
    }

    /// Writes all values, little endian.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut block = Vec::with_capacity(BLOCK * self.kind().size());
        for start in (0..self.len()).step_by(BLOCK) {
            block.clear();
            self.add(start..self.len().min(start + BLOCK), &mut block);
            out.write_all(&block)?;
        }
        Ok(())
    }

    /// Adds the values of some particles to bytes, little endian.
    pub fn add(&self, particles: Range<usize>, bytes: &mut Vec<u8>) {
        match self {
            Values::Double3(v) => v[particles].iter().for_each(|v| {
                let coordinates = v.to_array().map(f64::to_le_bytes);
                bytes.extend_from_slice(coordinates.as_flattened());
            }),
            Values::Single3(v) => v[particles].iter().for_each(|v| {
                bytes.extend_from_slice(v.map(f32::to_le_bytes).as_flattened());
            }),
            Values::Single(v) => v[particles]
                .iter()
                .for_each(|v| bytes.extend_from_slice(&v.to_le_bytes())),
            Values::Index(v) => v[particles]
                .iter()
                .for_each(|v| bytes.extend_from_slice(&v.to_le_bytes())),
        }
    }
}

/// Writes whole numbers, little endian.
pub(super) fn write_indices(
    numbers: impl Iterator<Item = u32>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut block = Vec::with_capacity(4 * BLOCK);
    for number in numbers {
        block.extend_from_slice(&number.to_le_bytes());
        if block.len() == 4 * BLOCK {
            out.write_all(&block)?;
            block.clear();
        }
    }
    out.write_all(&block)
}

impl Kind {
    /// Bytes of one value.
    pub fn size(self) -> usize {
        match self {
            Kind::Double3 => 24,
            Kind::Single3 => 12,
            Kind::Single | Kind::Index => 4,
        }
    }

    /// Numbers in one value.
    pub fn component_count(self) -> usize {
        match self {
            Kind::Double3 | Kind::Single3 => 3,
            Kind::Single | Kind::Index => 1,
        }
    }
}

/// The triangles of a frame that was read.
#[derive(Debug, Default)]
pub(super) struct ReadTriangles {
    /// Their corners.
    pub corners: Vec<[u32; 3]>,
    /// Their texture coordinates, or nothing.
    pub uv: Vec<TriangleUv>,
    /// Which are faces of cuts, or nothing.
    pub inside: Vec<bool>,
}

/// Names of what triangles have.
pub(super) const UV: &str = "uv";
pub(super) const INSIDE: &str = "inside";

/// Triangles from the corners in bytes, little endian; what is left over counts for nothing.
pub(super) fn triangles(bytes: &[u8]) -> Vec<[u32; 3]> {
    let (corners, _) = bytes.as_chunks::<4>();
    let (triangles, _) = corners.as_chunks::<3>();
    triangles
        .iter()
        .map(|corners| corners.map(u32::from_le_bytes))
        .collect()
}

/// Bytes of the texture coordinates of a triangle.
pub(super) const UV_SIZE: usize = 24;

/// Texture coordinates as bytes, little endian.
pub(super) fn uv_bytes(uv: &[TriangleUv]) -> Vec<u8> {
    let numbers = uv.as_flattened().as_flattened().iter();
    numbers.flat_map(|number| number.to_le_bytes()).collect()
}

/// The reverse; what is left over counts for nothing.
pub(super) fn uv_of(bytes: &[u8]) -> Vec<TriangleUv> {
    let (numbers, _) = bytes.as_chunks::<4>();
    let (corners, _) = numbers.as_chunks::<2>();
    let (triangles, _) = corners.as_chunks::<3>();
    let uv = triangles.iter();
    uv.map(|corners| corners.map(|uv| uv.map(f32::from_le_bytes)))
        .collect()
}

/// Flags as bytes.
pub(super) fn flag_bytes(flags: &[bool]) -> Vec<u8> {
    flags.iter().map(|&flag| u8::from(flag)).collect()
}

/// The reverse.
pub(super) fn flags_of(bytes: &[u8]) -> Vec<bool> {
    bytes.iter().map(|&byte| byte != 0).collect()
}

/// Bytes of `count` values of a kind at the start of `bytes`.
pub(super) fn take<'b>(
    bytes: &'b [u8],
    count: usize,
    kind: Kind,
    name: &str,
) -> Result<&'b [u8], FrameProblem> {
    count
        .checked_mul(kind.size())
        .and_then(|length| bytes.get(..length))
        .ok_or_else(|| FrameProblem::CutOff(name.to_owned()))
}
