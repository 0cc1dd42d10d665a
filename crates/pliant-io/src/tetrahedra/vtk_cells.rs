//! Cells of VTK's unstructured grids, of which solids take the tetrahedra.

use pliant_math::DVec3;

use super::Raw;

const TETRAHEDRON: u8 = 10;

/// The tetrahedra among cells, each its points and its type by VTK's numbers.
///
/// # Errors
/// If others fill space.
pub(super) fn tetrahedra<'c>(
    cells: impl Iterator<Item = (&'c [u64], u8)>,
) -> Result<Vec<[u32; 4]>, String> {
    let mut tetrahedra = Vec::new();
    for (number, (corners, kind)) in cells.enumerate() {
        match (kind, <[u64; 4]>::try_from(corners)) {
            // A number too large for 32 bits is that of no point either.
            (TETRAHEDRON, Ok(corners)) => {
                tetrahedra.push(corners.map(|c| u32::try_from(c).unwrap_or(u32::MAX)));
            }
            (TETRAHEDRON, Err(_)) => {
                let count = corners.len();
                return Err(format!(
                    "cell {number} is a tetrahedron with {count} points"
                ));
            }
            // What meshing programs write beside the solid: its surface, its edges.
            (kind, _) if is_flat(kind) => {}
            (kind, _) => {
                let kind = name(kind);
                return Err(format!(
                    "cell {number} is {kind}; only tetrahedra of four points are read as solids"
                ));
            }
        }
    }
    Ok(tetrahedra)
}

/// Vertices, lines, triangles, polygons, pixels and quadrilaterals of first order.
fn is_flat(kind: u8) -> bool {
    (1..=9).contains(&kind)
}

fn name(kind: u8) -> String {
    let known = match kind {
        11 => "a voxel",
        12 => "a hexahedron",
        13 => "a wedge",
        14 => "a pyramid",
        24 => "a quadratic tetrahedron",
        42 => "a polyhedron",
        _ => return format!("of type {kind}"),
    };
    known.to_owned()
}

/// Adds a piece, whose corners count from its own first point.
///
/// # Errors
/// If there are more points than can be numbered.
pub(super) fn append(
    piece: Raw,
    points: &mut Vec<DVec3>,
    tetrahedra: &mut Vec<[u32; 4]>,
) -> Result<(), String> {
    let (of_piece, corners) = piece;
    let first = points.len();
    let fits = |corner: &u32| (*corner as usize) < of_piece.len();
    if let Some(corner) = corners.as_flattened().iter().find(|c| !fits(c)) {
        let count = of_piece.len();
        return Err(format!(
            "a tetrahedron names point {corner}, and there are {count}"
        ));
    }
    let first = u32::try_from(first + of_piece.len())
        .map(|end| end - of_piece.len() as u32)
        .map_err(|_| "it has more than 4294967295 points")?;
    points.extend(of_piece);
    tetrahedra.extend(corners.iter().map(|c| c.map(|corner| corner + first)));
    Ok(())
}
