//! What can be wrong with a mesh file.

use std::path::PathBuf;

use thiserror::Error;

use super::FORMATS;
use crate::FileError;
use crate::formats::listed;

/// A mesh file that cannot be used.
#[derive(Debug, Error)]
pub enum MeshFileError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The extension belongs to no format.
    #[error("`{}`: meshes are read from {}, not from `.{extension}` files", path.display(), accepted())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// Its extension.
        extension: String,
    },
    /// The content is no usable mesh.
    #[error("`{}` is not a usable {format} file: {problem} (meshes are read from {})", path.display(), accepted())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// Format told by the extension.
        format: &'static str,
        /// What is wrong.
        problem: MeshProblem,
    },
}

/// What is wrong with the content of a mesh file.
#[derive(Debug, Error)]
pub enum MeshProblem {
    /// It does not follow the format.
    #[error("{0}")]
    Malformed(String),
    /// It ends early or claims more than it holds.
    #[error("it announces {claimed} {what}, more than its {length} bytes can hold; is it cut off?")]
    TooShort {
        /// How many it announces.
        claimed: u64,
        /// Of what.
        what: &'static str,
        /// Length of the file.
        length: usize,
    },
    /// A coordinate is infinite or not a number.
    #[error("vertex {vertex} is at ({:?}, {:?}, {:?}), coordinates must be finite", position[0], position[1], position[2])]
    NotFinite {
        /// Vertex, from 0.
        vertex: usize,
        /// Its coordinates.
        position: [f64; 3],
    },
    /// A triangle refers to a vertex that does not exist.
    #[error(
        "triangle {triangle} refers to vertex {vertex}, but there are {vertex_count} vertices, counted from 0"
    )]
    IndexOutOfRange {
        /// Triangle, from 0.
        triangle: usize,
        /// Vertex it refers to, from 0.
        vertex: u32,
        /// Number of vertices.
        vertex_count: usize,
    },
    /// There is no surface.
    #[error("it holds no triangles")]
    NoTriangles,
    /// It has more vertices or triangles than can be counted.
    #[error("it has more than 4 294 967 295 vertices")]
    TooLarge,
    /// It is a frame of a mesh that moves, and another mesh.
    #[error(
        "its {} vertices and {} triangles are not those of `{}`, which has {} and {}: all files of a sequence have the same triangles in the same order",
        own[0], own[1], first.display(), of_first[0], of_first[1]
    )]
    OtherTriangles {
        /// The first file.
        first: PathBuf,
        /// How many vertices and triangles that has.
        of_first: [usize; 2],
        /// How many this one has.
        own: [usize; 2],
    },
    /// Its format holds no animations.
    #[error(
        "only glTF and USD files hold animations; of other formats a file a frame is taken, with # for the digits of its number"
    )]
    NoAnimations,
    /// A file it refers to cannot be read.
    #[error("a file it refers to: {0}")]
    OtherFile(#[from] FileError),
}

/// The formats for people: "OBJ (.obj), STL (.stl), ...".
fn accepted() -> String {
    listed(FORMATS.iter().map(|f| (f.name, f.extensions)))
}
