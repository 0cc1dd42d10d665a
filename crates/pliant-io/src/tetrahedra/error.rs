//! What can be wrong with a file of tetrahedra.

use std::path::PathBuf;

use pliant_geometry::TetrahedraFault;
use thiserror::Error;

use super::FORMATS;
use crate::FileError;
use crate::formats::listed;

/// A file of tetrahedra that cannot be used.
#[derive(Debug, Error)]
pub enum TetrahedraFileError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The extension belongs to no format.
    #[error("`{}`: tetrahedra are read from {}, not from `.{extension}` files", path.display(), accepted())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// Its extension.
        extension: String,
    },
    /// The content is no solid of tetrahedra.
    #[error("`{}` is not a usable {format} file of tetrahedra: {problem}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// Format told by the extension.
        format: &'static str,
        /// What is wrong.
        problem: TetrahedraProblem,
    },
}

/// What is wrong with the content of a file of tetrahedra.
#[derive(Debug, Error, PartialEq)]
pub enum TetrahedraProblem {
    /// It does not follow the format.
    #[error("{0}")]
    Malformed(String),
    /// It holds something else.
    #[error("it holds {found}; an unstructured grid is wanted")]
    OtherData {
        /// What it holds.
        found: &'static str,
    },
    /// Its tetrahedra are no solid.
    #[error(transparent)]
    Fault(#[from] TetrahedraFault),
}

/// The formats for people.
fn accepted() -> String {
    listed(
        FORMATS
            .iter()
            .map(|f| (f.name, std::slice::from_ref(&f.extension))),
    )
}
