//! Particles from files: PLY, VTK PolyData, NumPy archives; positions and, where there are any,
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
    read: fn(&[u8]) -> Result<Vec<Array>, ParticleProblem>,
}

/// The formats that can be read. NPZ is not among them on WebAssembly: its archives are read by a crate that takes
/// random numbers from a page.
pub const FORMATS: &[ParticleFormat] = &[
    ply::FORMAT,
    vtk::FORMAT,
    #[cfg(not(target_family = "wasm"))]
    npz::FORMAT,
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
    read_arrays(path, files, arrays::samples)
}

/// Reads the positions of a file and another of its arrays, upper or lower case; the normals of a PLY file are its
/// array `normal`.
///
/// # Errors
/// As for [`read`], and if the array is missing or is not one of a finite vector a particle.
pub fn read_vectors_with(
    path: &Path,
    array: &str,
    files: &dyn Files,
) -> Result<VectorSamples, ParticleFileError> {
    read_arrays(path, files, |found, expected| {
        arrays::vectors(found, array, expected)
    })
}

/// Makes something of the arrays of a file.
fn read_arrays<T>(
    path: &Path,
    files: &dyn Files,
    make: impl FnOnce(Vec<Array>, &'static str) -> Result<T, ParticleProblem>,
) -> Result<T, ParticleFileError> {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let lower = extension.to_lowercase();
    let format = FORMATS
        .iter()
        .find(|format| format.extension == lower)
        .ok_or_else(|| ParticleFileError::UnknownFormat {
            path: path.to_owned(),
            extension: extension.into_owned(),
        })?;
    let bytes = read_from(files, path)?;
    (format.read)(&bytes)
        .and_then(|found| make(found, format.positions))
        .map_err(|problem| ParticleFileError::Unusable {
            path: path.to_owned(),
            format: format.name,
            problem,
        })
}

#[cfg(test)]
mod tests;
