//! What can be wrong with a particle file.

use std::path::PathBuf;

use thiserror::Error;

use super::FORMATS;
use crate::FileError;
use crate::formats::listed;

/// A particle file that cannot be used.
#[derive(Debug, Error)]
pub enum ParticleFileError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The extension belongs to no format.
    #[error("`{}`: particles are read from {}, not from `.{extension}` files", path.display(), accepted())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// Its extension.
        extension: String,
    },
    /// The content is no set of particles.
    #[error("`{}` is not a usable {format} file of particles: {problem}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// Format told by the extension.
        format: &'static str,
        /// What is wrong.
        problem: ParticleProblem,
    },
}

/// What is wrong with the content of a particle file.
#[derive(Debug, Error, PartialEq)]
pub enum ParticleProblem {
    /// It does not follow the format, or uses a part of it that is not read.
    #[error("{0}")]
    Malformed(String),
    /// It has no positions.
    #[error("it has no positions: they are {expected}; it has {found}")]
    NoPositions {
        /// What they would be.
        expected: &'static str,
        /// Names of what it has.
        found: String,
    },
    /// It has no array of a name.
    #[error("it has no array `{name}`; it has {found}")]
    NoArray {
        /// The name.
        name: String,
        /// Names of what it has.
        found: String,
    },
    /// It has no particle.
    #[error("it holds no particles")]
    Empty,
    /// An array has another type or shape.
    #[error(
        "its array `{name}` is {found}; three numbers a particle in single or double precision are wanted"
    )]
    WrongType {
        /// Array.
        name: String,
        /// What it is.
        found: String,
    },
    /// Arrays differ in length.
    #[error("its array `{name}` has {found} values for {expected} particles")]
    WrongLength {
        /// Array.
        name: String,
        /// Its length.
        found: usize,
        /// Number of particles.
        expected: usize,
    },
    /// A number is infinite or not a number.
    #[error("`{name}` of particle {particle} is [{}, {}, {}], numbers must be finite", value[0], value[1], value[2])]
    NotFinite {
        /// Array.
        name: String,
        /// Particle, from 0.
        particle: usize,
        /// Its value.
        value: [f64; 3],
    },
}

/// The formats for people: "PLY (.ply), ...".
fn accepted() -> String {
    listed(
        FORMATS
            .iter()
            .map(|f| (f.name, std::slice::from_ref(&f.extension))),
    )
}
