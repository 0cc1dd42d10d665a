//! PLY, ASCII and binary: the element `vertex` with the properties x, y, z and, if there are any,
//! vx, vy, vz and nx, ny, nz.

use pliant_math::DVec3;
use ply_rs_bw::parser::{Parser, Reader};
use ply_rs_bw::ply::{
    ElementDef, Property, PropertyAccess, PropertyAccessResult, PropertyType, ScalarType,
};

use super::arrays::{Array, NumberRows};
use super::{ParticleFormat, ParticleProblem};
use crate::formats::without_mark;
use crate::mesh::ply::{check_counts, malformed_text, scalar_value};

pub(super) const FORMAT: ParticleFormat = ParticleFormat {
    name: "PLY",
    extension: "ply",
    positions: "the properties x, y, z of the element `vertex`",
    read,
    read_cells: None,
};

/// Arrays and the properties that make them up.
const VECTORS: [(&str, [&str; 3]); 3] = [
    ("position", ["x", "y", "z"]),
    ("normal", ["nx", "ny", "nz"]),
    ("velocity", ["vx", "vy", "vz"]),
];

/// What is kept of a vertex, in the order of [`VECTORS`].
#[derive(Default)]
struct Vertex([[f64; 3]; 3]);

fn read(bytes: &[u8]) -> Result<Vec<Array>, ParticleProblem> {
    let parser = Parser::<Vertex>::new();
    let mut reader = Reader::new(without_mark(bytes));
    let header = parser.read_header(&mut reader).map_err(malformed)?;
    check_counts(&header, bytes.len()).map_err(malformed)?;
    let mut payload = parser
        .read_payload(&mut reader, &header)
        .map_err(malformed)?;
    let vertices = payload.swap_remove("vertex").unwrap_or_default();
    let Some(element) = header.elements.get("vertex") else {
        return Ok(Vec::new());
    };
    let is_there = |part: &&str| element.properties.contains_key(*part);
    let vectors = || {
        let all = VECTORS.into_iter().enumerate();
        all.filter(|(_, (_, parts))| parts.iter().all(is_there))
    };
    let array = |(slot, (name, parts)): (usize, (&str, [&str; 3]))| Array {
        name: name.into(),
        rows: rows(element, parts, || {
            vertices.iter().map(|v| v.0[slot].into()).collect()
        }),
    };
    let is_read = |name: &str| vectors().any(|(_, (_, parts))| parts.contains(&name));
    let others = element.properties.keys().filter(|name| !is_read(name));
    let other = |name: &String| Array {
        name: name.clone(),
        rows: NumberRows::Other("a property that is not read".into()),
    };
    Ok(vectors().map(array).chain(others.map(other)).collect())
}

fn malformed(error: impl ToString) -> ParticleProblem {
    ParticleProblem::Malformed(malformed_text(&error.to_string()))
}

/// The rows of three properties, if all are single or double precision.
fn rows(
    element: &ElementDef,
    parts: [&str; 3],
    vectors: impl FnOnce() -> Vec<DVec3>,
) -> NumberRows {
    let is_real = |part: &&str| {
        let kind = element.properties.get(*part).map(|p| &p.data_type);
        matches!(
            kind,
            Some(PropertyType::Scalar(ScalarType::Float | ScalarType::Double))
        )
    };
    match parts.iter().find(|part| !is_real(part)) {
        Some(part) => NumberRows::Other(format!(
            "not real: its property `{part}` is of another type"
        )),
        None => NumberRows::Vectors(vectors()),
    }
}

impl PropertyAccess for Vertex {
    fn new() -> Self {
        Self::default()
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        for (slot, (_, parts)) in VECTORS.iter().enumerate() {
            if let Some(axis) = parts.iter().position(|part| *part == name) {
                self.0[slot][axis] = scalar_value(&property).unwrap_or(f64::NAN);
            }
        }
        PropertyAccessResult::Set
    }
}
