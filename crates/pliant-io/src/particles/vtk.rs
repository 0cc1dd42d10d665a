//! VTK XML: PolyData (`.vtp`), points and point data, and unstructured grids (`.vtu`), those and the data of cells.

use pliant_math::DVec3;
use roxmltree::Node;

use super::arrays::{Array, NumberRows};
use super::{ParticleFormat, ParticleProblem};
use crate::vtk_xml::{Cells, Parts, Values, VtkXml};

pub(super) const POLY_DATA: ParticleFormat = ParticleFormat {
    name: "VTP",
    extension: "vtp",
    positions: "the array of the element `Points`",
    read: |bytes| read(bytes, "PolyData", of_points),
    read_cells: None,
};

pub(super) const GRID: ParticleFormat = ParticleFormat {
    name: "VTU",
    extension: "vtu",
    positions: "the array of the element `Points`",
    read: |bytes| read(bytes, "UnstructuredGrid", of_points),
    read_cells: Some(|bytes| read(bytes, "UnstructuredGrid", of_cells)),
};

/// Reads the arrays of the only piece of a file.
///
/// * `kind` — what the file holds
fn read(
    bytes: &[u8],
    kind: &str,
    arrays: for<'n, 'a> fn(&VtkXml<'a>, Node<'n, 'a>) -> Result<Vec<Array>, String>,
) -> Result<Vec<Array>, ParticleProblem> {
    let read = || {
        let parts = Parts::new(bytes)?;
        let file = VtkXml::new(&parts, kind)?;
        let pieces: Vec<_> = file.pieces().collect();
        let [piece] = pieces[..] else {
            return Err(format!("it has {} pieces; one is read", pieces.len()));
        };
        arrays(&file, piece)
    };
    read().map_err(ParticleProblem::Malformed)
}

/// The points and their data.
fn of_points<'a>(file: &VtkXml<'a>, piece: Node<'_, 'a>) -> Result<Vec<Array>, String> {
    let points = file
        .arrays(piece, "Points")
        .map(|(_, node)| ("position", node));
    points
        .chain(file.arrays(piece, "PointData"))
        .map(|(name, node)| array(file, name, node))
        .collect()
}

/// The middles of the cells and their data.
fn of_cells<'a>(file: &VtkXml<'a>, piece: Node<'_, 'a>) -> Result<Vec<Array>, String> {
    let points = file.arrays(piece, "Points").next();
    let (_, points) = points.ok_or("its piece has no points")?;
    let NumberRows::Vectors(points) = rows(file, points, "Points")? else {
        return Err("its points are not rows of three real numbers".to_owned());
    };
    let middles = Cells::of_piece(file, piece)?.middles(&points)?;
    let position = Array {
        name: "position".to_owned(),
        rows: NumberRows::Vectors(middles),
    };
    let data = file.arrays(piece, "CellData");
    let data = data.map(|(name, node)| array(file, name, node));
    std::iter::once(Ok(position)).chain(data).collect()
}

fn array(file: &VtkXml, name: &str, node: Node) -> Result<Array, String> {
    Ok(Array {
        name: name.to_owned(),
        rows: rows(file, node, name)?,
    })
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
