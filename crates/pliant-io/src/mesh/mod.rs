//! Triangle meshes from files: OBJ, STL, PLY, glTF.
//!
//! Whatever the format, the mesh that comes out has finite vertices, indices in range, no vertex
//! twice and none unused, and no triangle with a corner twice: formats that repeat corners (STL) or
//! split them at seams (OBJ, glTF) give the connected surface that was meant. Units are taken as
//! metres. Whether the surface is closed is the business of `pliant-geometry`.

mod error;
mod gltf;
mod obj;
pub(crate) mod ply;
mod stl;
mod weld;

use std::path::Path;

use pliant_geometry::TriangleMesh;
use pliant_parameters::{Disk, Files};

pub use error::{MeshFileError, MeshProblem};

use crate::beside::{Beside, read_from};

/// A mesh format: a row of the registry.
#[derive(Clone, Copy, Debug)]
pub struct MeshFormat {
    /// Name for people.
    pub name: &'static str,
    /// Extensions of its files, lower case, without dot.
    pub extensions: &'static [&'static str],
    /// Reads raw vertices and triangles from bytes, and from files beside them.
    read: fn(&[u8], &Beside<'_>) -> Result<TriangleMesh, MeshProblem>,
}

/// The formats that can be read.
pub const FORMATS: &[MeshFormat] = &[obj::FORMAT, stl::FORMAT, ply::FORMAT, gltf::FORMAT];

/// Reads the mesh of a file, its format told by the extension, upper or lower case.
///
/// # Errors
/// If the extension is none of [`FORMATS`], the file or one it refers to cannot be read, or its
/// content is not a triangle mesh with finite coordinates.
pub fn read(path: &Path) -> Result<TriangleMesh, MeshFileError> {
    read_with(path, &Disk)
}

/// The same, of a file that comes from elsewhere than the disk.
///
/// # Errors
/// As for [`read`].
pub fn read_with(path: &Path, files: &dyn Files) -> Result<TriangleMesh, MeshFileError> {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let lower = extension.to_lowercase();
    let format = FORMATS
        .iter()
        .find(|format| format.extensions.contains(&lower.as_str()))
        .ok_or_else(|| MeshFileError::UnknownFormat {
            path: path.to_owned(),
            extension: extension.into_owned(),
        })?;
    let bytes = read_from(files, path)?;
    (format.read)(&bytes, &Beside { path, files })
        .and_then(weld::weld)
        .map_err(|problem| MeshFileError::Unusable {
            path: path.to_owned(),
            format: format.name,
            problem,
        })
}

/// The triangles of a polygon as a fan about its first corner: exact for convex polygons.
fn fan(corners: &[u32]) -> impl Iterator<Item = [u32; 3]> + '_ {
    let others = corners.get(1..).unwrap_or_default();
    others
        .windows(2)
        .map(move |pair| [corners[0], pair[0], pair[1]])
}

#[cfg(test)]
mod tests;
