//! Particles from files: PLY, VTK PolyData and unstructured grids, NumPy archives; positions and, where there are any,
//! velocities. Units are taken as metres and seconds. The frames that [`crate::export`] writes are
//! among what is read.

mod arrays;
mod error;
#[cfg(not(target_family = "wasm"))]
mod npz;
mod ply;
mod vtk;

use std::path::Path;

use pliant_geometry::{Samples, VectorSamples};
use pliant_parameters::{Disk, Files};

pub use error::{ParticleFileError, ParticleProblem};

use crate::beside::read_from;
use arrays::Array;

/// Reads named arrays.
type ReadArrays = fn(&[u8]) -> Result<Vec<Array>, ParticleProblem>;

/// A particle format: a row of the registry.
#[derive(Clone, Copy, Debug)]
pub struct ParticleFormat {
    /// Name for people.
    pub name: &'static str,
    /// Extension of its files, lower case, without dot.
    pub extension: &'static str,
    /// Where its positions are, for people.
    positions: &'static str,
    /// Reads the arrays of a file.
    read: ReadArrays,
    /// Reads what belongs to cells, where there are any: their middles are positions.
    read_cells: Option<ReadArrays>,
}

/// The formats that can be read. NPZ is not among them on WebAssembly: its archives are read by a crate that takes
/// random numbers from a page.
pub const FORMATS: &[ParticleFormat] = &[
    ply::FORMAT,
    vtk::POLY_DATA,
    #[cfg(not(target_family = "wasm"))]
    npz::FORMAT,
    vtk::GRID,
];

/// Reads the particles of a file, its format told by the extension, upper or lower case.
///
/// # Errors
/// If the extension is none of [`FORMATS`], the file cannot be read, or it does not hold at least
/// one particle with finite positions in single or double precision.
pub fn read(path: &Path) -> Result<Samples, ParticleFileError> {
    read_with(path, &Disk)
}

/// The same, of a file that comes from elsewhere than the disk.
///
/// # Errors
/// As for [`read`].
pub fn read_with(path: &Path, files: &dyn Files) -> Result<Samples, ParticleFileError> {
    let (format, bytes) = read_bytes(path, files)?;
    (format.read)(&bytes)
        .and_then(|found| arrays::samples(found, format.positions))
        .map_err(|problem| unusable(path, format, problem))
}

/// Reads the positions of a file and another of its arrays, upper or lower case; the normals of a PLY file are its
/// array `normal`. An array of the cells of a grid has the middles of these for positions.
///
/// # Errors
/// As for [`read`], and if the array is missing or is not one of a finite vector a particle.
pub fn read_vectors_with(
    path: &Path,
    array: &str,
    files: &dyn Files,
) -> Result<VectorSamples, ParticleFileError> {
    let (format, bytes) = read_bytes(path, files)?;
    let vectors = |read: ReadArrays| {
        read(&bytes).and_then(|found| arrays::vectors(found, array, format.positions))
    };
    let of_points = vectors(format.read);
    let found = match (of_points, format.read_cells) {
        (Err(ParticleProblem::NoArray { name, found }), Some(of_cells)) => {
            vectors(of_cells).map_err(|problem| match problem {
                // Neither has it.
                ParticleProblem::NoArray { found: cells, .. } => ParticleProblem::NoArray {
                    name,
                    found: format!("{found}, and of cells {cells}"),
                },
                other => other,
            })
        }
        (of_points, _) => of_points,
    };
    found.map_err(|problem| unusable(path, format, problem))
}

/// The format of a file and its bytes.
fn read_bytes(
    path: &Path,
    files: &dyn Files,
) -> Result<(&'static ParticleFormat, Vec<u8>), ParticleFileError> {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let lower = extension.to_lowercase();
    let format = FORMATS
        .iter()
        .find(|format| format.extension == lower)
        .ok_or_else(|| ParticleFileError::UnknownFormat {
            path: path.to_owned(),
            extension: extension.into_owned(),
        })?;
    Ok((format, read_from(files, path)?))
}

fn unusable(path: &Path, format: &ParticleFormat, problem: ParticleProblem) -> ParticleFileError {
    ParticleFileError::Unusable {
        path: path.to_owned(),
        format: format.name,
        problem,
    }
}

#[cfg(test)]
mod tests;
