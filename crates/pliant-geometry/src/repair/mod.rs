//! Closed surfaces from meshes that enclose nothing as they are: open, self-crossing, made of loose pieces.

mod field;
mod holes;
mod orientation;
mod triangulation;
mod voxels;
mod winding;

use crate::topology::{self, MeshFault};
use crate::{Loop, TriangleMesh};

/// How a mesh is closed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Repair {
    /// Triangles that are turned against their neighbours are turned, and holes are filled.
    FillHoles,
    /// What the mesh goes around more than half, by its winding number.
    Winding,
    /// What cannot be reached from outside through openings wider than this [m].
    Voxels(f64),
}

/// A mesh that was closed.
pub(crate) struct Repaired {
    /// Closed, as [`topology::closed`] returns it.
    pub(crate) mesh: TriangleMesh,
    /// What was done, a clause; `None` if there was nothing to do.
    pub(crate) done: Option<String>,
}

/// Cells of the grid along the longest edge of the mesh at most, for a surface that is made anew.
const MOST_CELLS: f64 = 256.0;

/// Closes a mesh; a surface that is made anew is resolved by cells of `cell` [m], or coarser.
///
/// # Errors
/// [`MeshFault`] for what is wrong with the mesh after that.
pub(crate) fn repaired(
    mesh: &TriangleMesh,
    how: Repair,
    cell: f64,
    run: Loop,
) -> Result<Repaired, MeshFault> {
    let surface = topology::surface(mesh)?;
    let cell = cell.max(surface.bounds().extent().max_element() / MOST_CELLS);
    let (mesh, done) = match how {
        Repair::FillHoles => holes::filled(surface),
        Repair::Winding => {
            let outline = winding::outlined(&surface, cell, run);
            (outline, Some("what it goes around".to_owned()))
        }
        Repair::Voxels(gap) => {
            let (outline, gap) = voxels::outlined(&surface, gap, cell, run);
            (
                outline,
                Some(format!(
                    "what openings of {} m do not lead to",
                    rounded(gap)
                )),
            )
        }
    };
    if mesh.triangles.is_empty() {
        return Err(MeshFault::NoVolume);
    }
    let mesh = topology::closed(&mesh)?;
    let done = done.map(|done| match how {
        Repair::FillHoles => done,
        Repair::Winding | Repair::Voxels(_) => format!("{done} has {}", told_of_new(&mesh)),
    });
    Ok(Repaired { mesh, done })
}

/// What is said of a new surface: a hole that was not closed is seen by the part of the box that it encloses.
fn told_of_new(mesh: &TriangleMesh) -> String {
    let box_volume = mesh.bounds().extent().element_product();
    format!(
        "a new surface of {} triangles, which encloses {} litres, {:.0} % of the box around it",
        mesh.triangles.len(),
        rounded(1e3 * mesh.volume()),
        100.0 * mesh.volume() / box_volume
    )
}

/// To three digits.
fn rounded(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests;
