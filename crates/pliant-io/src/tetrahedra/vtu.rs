//! Unstructured grids in VTK XML files, as ParaView, PyVista and meshio write them.

use pliant_math::DVec3;
use roxmltree::Node;

use super::{Raw, TetrahedraFormat, TetrahedraProblem, vtk_cells};
use crate::beside::Beside;
use crate::vtk_xml::{Cells, Parts, Values, VtkXml};

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
    let cells = Cells::of_piece(file, piece)?;
    Ok((points, vtk_cells::tetrahedra(cells.iter())?))
}
