//! Tetrahedra from files: VTK, legacy and XML, Gmsh, TetGen. Units are taken as metres.

mod error;
mod gmsh;
mod tetgen;
mod vtk;
mod vtk_cells;
mod vtu;

use std::path::Path;

use pliant_geometry::TetrahedralMesh;
use pliant_math::DVec3;
use pliant_parameters::{Disk, Files};

pub use error::{TetrahedraFileError, TetrahedraProblem};

use crate::beside::{Beside, read_from};

/// Points, and the four of each tetrahedron by their numbers.
type Raw = (Vec<DVec3>, Vec<[u32; 4]>);

/// A format of tetrahedra: a row of the registry.
#[derive(Clone, Copy, Debug)]
pub struct TetrahedraFormat {
    /// Name for people.
    pub name: &'static str,
    /// Extension of its files, lower case, without dot.
    pub extension: &'static str,
    /// Reads points and tetrahedra from the bytes of a file, which others may stand beside.
    read: fn(&[u8], &Beside<'_>) -> Result<Raw, TetrahedraProblem>,
}

/// The formats that can be read.
pub const FORMATS: &[TetrahedraFormat] = &[vtk::FORMAT, vtu::FORMAT, gmsh::FORMAT, tetgen::FORMAT];

/// Reads the tetrahedra of a file, its format told by the extension, upper or lower case. Points that
/// belong to no tetrahedron are left out.
///
/// # Errors
/// If the extension is none of [`FORMATS`], the file cannot be read, or its content is no solid of
/// tetrahedra.
pub fn read(path: &Path) -> Result<TetrahedralMesh, TetrahedraFileError> {
    read_with(path, &Disk)
}

/// The same, of a file that comes from elsewhere than the disk.
///
/// # Errors
/// As for [`read`].
pub fn read_with(path: &Path, files: &dyn Files) -> Result<TetrahedralMesh, TetrahedraFileError> {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let lower = extension.to_lowercase();
    let format = FORMATS
        .iter()
        .find(|format| format.extension == lower)
        .ok_or_else(|| TetrahedraFileError::UnknownFormat {
            path: path.to_owned(),
            extension: extension.into_owned(),
        })?;
    let bytes = read_from(files, path)?;
    (format.read)(&bytes, &Beside { path, files })
        .and_then(|(points, tetrahedra)| Ok(TetrahedralMesh::new(&points, tetrahedra)?))
        .map_err(|problem| TetrahedraFileError::Unusable {
            path: path.to_owned(),
            format: format.name,
            problem,
        })
}

#[cfg(test)]
mod tests;
