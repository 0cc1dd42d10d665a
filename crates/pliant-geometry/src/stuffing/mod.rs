//! Filling a shape with tetrahedra: isosurface stuffing (Labelle and Shewchuk 2007).
//!
//! A body-centred cubic lattice is laid over the shape. Where its edges cross the surface are cut points. A lattice
//! point that a cut point is too near to moves onto it; what is left of each tetrahedron of the lattice inside of the
//! shape is then one of few stencils, and all dihedral angles are between 10.78 and 164.74 degrees whatever the
//! surface is. Cut points are roots of the signed distance along their edges; the paper interpolates linearly.
//! Sharp edges and corners of the shape are rounded off by about a spacing.

mod lattice;
mod stencils;
mod surface;

use pliant_math::DVec3;

use crate::{Shape, TetrahedraFault, TetrahedralMesh};
use lattice::Lattice;
use surface::Crossed;

/// The shape filled with tetrahedra.
///
/// * `spacing` — edge of the cubes of the lattice [m], > 0; a cube has twelve tetrahedra
///
/// # Errors
/// [`TetrahedraFault::Empty`] if the spacing is so coarse that no lattice point is inside of the shape, or if the
/// shape has no end.
pub fn stuffed<S: Shape + ?Sized>(
    shape: &S,
    spacing: f64,
) -> Result<TetrahedralMesh, TetrahedraFault> {
    let bounds = shape.bounds().ok_or(TetrahedraFault::Empty)?;
    let lattice = Lattice::around(&bounds, spacing);
    let Crossed {
        points,
        signs,
        cuts,
    } = surface::crossed(shape, &lattice);
    let mut tetrahedra: Vec<[u32; 4]> = Vec::new();
    lattice.for_tetrahedra(|corners| {
        let signs = corners.map(|c| signs[c as usize]);
        let cut = |[a, b]: [usize; 2]| cuts[&surface::edge(corners[a], corners[b])];
        stencils::fill(corners, signs, cut, &mut tetrahedra);
    });
    for corners in &mut tetrahedra {
        orient(corners, &points);
    }
    TetrahedralMesh::new(&points, tetrahedra)
}

/// Turns a tetrahedron so that its volume is positive: stencils name corners in any order.
fn orient(corners: &mut [u32; 4], points: &[DVec3]) {
    let [a, b, c, d] = corners.map(|corner| points[corner as usize]);
    if (b - a).cross(c - a).dot(d - a) < 0.0 {
        corners.swap(2, 3);
    }
}

#[cfg(test)]
mod tests;
