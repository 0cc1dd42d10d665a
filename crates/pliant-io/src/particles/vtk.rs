//! VTK PolyData XML (`.vtp`): points and point data.

use pliant_math::DVec3;
use roxmltree::Node;

use super::arrays::{Array, NumberRows};
use super::{ParticleFormat, ParticleProblem};
use crate::vtk_xml::{Parts, Values, VtkXml};

pub(super) const FORMAT: ParticleFormat = ParticleFormat {
    name: "VTP",
    extension: "vtp",
    positions: "the array of the element `Points`",
    read,
};

fn read(bytes: &[u8]) -> Result<Vec<Array>, ParticleProblem> {
    read_arrays(bytes).map_err(ParticleProblem::Malformed)
}

fn read_arrays(bytes: &[u8]) -> Result<Vec<Array>, String> {
    let parts = Parts::new(bytes)?;
    let file = VtkXml::new(&parts, "PolyData")?;
    let pieces: Vec<_> = file.pieces().collect();
    let [piece] = pieces[..] else {
        return Err(format!("it has {} pieces; one is read", pieces.len()));
    };
    let points = file
        .arrays(piece, "Points")
        .map(|(_, node)| ("position", node));
    points
        .chain(file.arrays(piece, "PointData"))
        .map(|(name, node)| {
            Ok(Array {
                name: name.to_owned(),
                rows: rows(&file, node, name)?,
            })
        })
        .collect()
}

fn rows(file: &VtkXml, array: Node, name: &str) -> Result<NumberRows, String> {
    let kind = array.attribute("type").unwrap_or_default();
    let components = array.attribute("NumberOfComponents").unwrap_or("1");
    if components != "3" || !kind.starts_with("Float") {
        let other = format!("of type {kind} with {components} components");
        return Ok(NumberRows::Other(other));
    }
    match file.values(array)? {
        Values::Reals(numbers) if numbers.len() % 3 == 0 => {
            let vectors = numbers.chunks_exact(3).map(DVec3::from_slice).collect();
            Ok(NumberRows::Vectors(vectors))
        }
        _ => Err(format!("its array `{name}` is cut off")),
    }
}
