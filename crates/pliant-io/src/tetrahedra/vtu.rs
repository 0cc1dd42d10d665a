//! Unstructured grids in VTK XML files, as ParaView, PyVista and meshio write them.

use pliant_math::DVec3;
use roxmltree::Node;

use super::{Raw, TetrahedraFormat, TetrahedraProblem, vtk_cells};
use crate::beside::Beside;
use crate::vtk_xml::{Parts, Values, VtkXml};

pub(super) const FORMAT: TetrahedraFormat = TetrahedraFormat {
    name: "VTU",
    extension: "vtu",
    read,
};

fn read(bytes: &[u8], _: &Beside<'_>) -> Result<Raw, TetrahedraProblem> {
    read_grid(bytes).map_err(TetrahedraProblem::Malformed)
}

fn read_grid(bytes: &[u8]) -> Result<Raw, String> {
    let parts = Parts::new(bytes)?;
    let file = VtkXml::new(&parts, "UnstructuredGrid")?;
    let (mut points, mut tetrahedra) = (Vec::new(), Vec::new());
    for piece in file.pieces() {
        vtk_cells::append(read_piece(&file, piece)?, &mut points, &mut tetrahedra)?;
    }
    Ok((points, tetrahedra))
}

fn read_piece<'a>(file: &VtkXml<'a>, piece: Node<'_, 'a>) -> Result<Raw, String> {
    let places = file.arrays(piece, "Points").next();
    let (_, places) = places.ok_or("a piece of it has no points")?;
    let points = match file.values(places)? {
        Values::Reals(numbers) if numbers.len() % 3 == 0 => {
            numbers.chunks_exact(3).map(DVec3::from_slice).collect()
        }
        _ => return Err("its points are not rows of three real numbers".to_owned()),
    };
    let cells = |wanted: &str| {
        let array = file
            .arrays(piece, "Cells")
            .find(|(name, _)| *name == wanted);
        let (_, array) = array.ok_or_else(|| format!("its cells have no array `{wanted}`"))?;
        match file.values(array)? {
            Values::Integers(numbers) => Ok(numbers),
            Values::Reals(_) => Err(format!("its array `{wanted}` is not of integers")),
        }
    };
    let [corners, ends, kinds] = [cells("connectivity")?, cells("offsets")?, cells("types")?];
    if ends.len() != kinds.len() {
        let (ends, kinds) = (ends.len(), kinds.len());
        return Err(format!("it has {kinds} types for {ends} offsets of cells"));
    }
    // A number below zero is that of no point, as one too large is.
    let corners: Vec<u64> = corners
        .into_iter()
        .map(|corner| u64::try_from(corner).unwrap_or(u64::MAX))
        .collect();
    let mut start = 0;
    let mut of_cells = Vec::with_capacity(ends.len());
    for (number, (end, kind)) in ends.into_iter().zip(kinds).enumerate() {
        let end = usize::try_from(end).unwrap_or(usize::MAX);
        let of_cell = corners.get(start..end).ok_or_else(|| {
            format!(
                "cell {number} ends at {end} of {} points of cells",
                corners.len()
            )
        })?;
        let kind = u8::try_from(kind).map_err(|_| format!("cell {number} is of type {kind}"))?;
        of_cells.push((of_cell, kind));
        start = end;
    }
    Ok((points, vtk_cells::tetrahedra(of_cells.into_iter())?))
}
