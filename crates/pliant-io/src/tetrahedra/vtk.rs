//! Unstructured grids in legacy VTK files, ASCII or binary, of version 1 to 5.

use pliant_math::DVec3;
use vtkio::Vtk;
use vtkio::model::{Cells, DataSet, Piece, UnstructuredGridPiece, VertexNumbers};

use super::{Raw, TetrahedraFormat, TetrahedraProblem, vtk_cells};
use crate::beside::Beside;
use crate::formats::without_mark;

pub(super) const FORMAT: TetrahedraFormat = TetrahedraFormat {
    name: "legacy VTK",
    extension: "vtk",
    read,
};

fn read(bytes: &[u8], _: &Beside<'_>) -> Result<Raw, TetrahedraProblem> {
    let bytes = without_mark(bytes);
    if !bytes.trim_ascii_start().starts_with(b"# vtk DataFile") {
        let reason = "it does not start with `# vtk DataFile Version`";
        return Err(malformed(reason));
    }
    let vtk = Vtk::parse_legacy_be(bytes).map_err(|_| {
        malformed("a part of it is missing or out of place after the header; is it cut off?")
    })?;
    let pieces = match vtk.data {
        DataSet::UnstructuredGrid { pieces, .. } => pieces,
        other => {
            return Err(TetrahedraProblem::OtherData {
                found: kind(&other),
            });
        }
    };
    let grids = pieces.into_iter().map(|piece| match piece {
        Piece::Inline(grid) => Ok(grid),
        _ => Err(malformed("it refers to other files")),
    });
    let (mut points, mut tetrahedra) = (Vec::new(), Vec::new());
    for grid in grids {
        let piece = read_grid(&*grid?)?;
        vtk_cells::append(piece, &mut points, &mut tetrahedra)
            .map_err(TetrahedraProblem::Malformed)?;
    }
    Ok((points, tetrahedra))
}

fn malformed(reason: &str) -> TetrahedraProblem {
    TetrahedraProblem::Malformed(reason.to_owned())
}

fn kind(data: &DataSet) -> &'static str {
    match data {
        DataSet::ImageData { .. } => "structured points",
        DataSet::StructuredGrid { .. } => "a structured grid",
        DataSet::RectilinearGrid { .. } => "a rectilinear grid",
        DataSet::PolyData { .. } => "polygons",
        _ => "fields",
    }
}

fn read_grid(grid: &UnstructuredGridPiece) -> Result<Raw, TetrahedraProblem> {
    let numbers: Vec<f64> = grid
        .points
        .cast_into()
        .ok_or_else(|| malformed("its points are not numbers"))?;
    let points = numbers.chunks_exact(3).map(DVec3::from_slice).collect();
    let cells = cells(&grid.cells).ok_or_else(|| malformed("its cells are cut off"))?;
    if cells.len() != grid.cells.types.len() {
        let (types, cells) = (grid.cells.types.len(), cells.len());
        return Err(malformed(&format!(
            "it has {types} CELL_TYPES for {cells} CELLS"
        )));
    }
    let kinds = grid.cells.types.iter().map(|&kind| kind as u8);
    let cells = cells.iter().map(Vec::as_slice).zip(kinds);
    let tetrahedra = vtk_cells::tetrahedra(cells).map_err(TetrahedraProblem::Malformed)?;
    Ok((points, tetrahedra))
}

/// The points of each cell; `None` if their counts do not add up.
fn cells(cells: &Cells) -> Option<Vec<Vec<u64>>> {
    match &cells.cell_verts {
        VertexNumbers::Legacy { vertices, .. } => {
            let mut rest = vertices.as_slice();
            let mut all = Vec::new();
            while let Some((&count, after)) = rest.split_first() {
                let (corners, after) = after.split_at_checked(count as usize)?;
                all.push(corners.iter().map(|&c| u64::from(c)).collect());
                rest = after;
            }
            Some(all)
        }
        // Files of version 5 start their offsets with 0.
        VertexNumbers::XML {
            connectivity,
            offsets,
        } => {
            let ends = offsets.strip_prefix(&[0]).unwrap_or(offsets);
            let mut start = 0;
            let corners = ends.iter().map(|&end| {
                let end = usize::try_from(end).ok()?;
                let corners = connectivity.get(start..end)?.to_vec();
                start = end;
                Some(corners)
            });
            corners.collect()
        }
    }
}
