//! Particle frames to files and back: a registry with a row a format.
//!
//! The formats that can be read back hold the same arrays: `position`, `velocity`, `id`, `body`,
//! `material`, `radius` and the frame's quantities (`density`, `det_F`, `stress_von_mises`, each
//! method's own), with the triangles of cloth, the names of bodies and materials and the units of the
//! quantities, so that each can be drawn again, and written in any other format. Those that are for
//! other programs only are what these expect: their names of attributes, single precision.
//!
//! Where they are read back, positions are in double precision, as they are computed: in single precision two
//! neighbours at a distance of a hundredth of the scene keep their distance to 1e-5 only, which is
//! the size of the strains somebody may want to see. It costs 12 of about 70 bytes a particle.
//! Everything else is single precision, as it is computed.

mod bgeo;
mod bgeo_classic;
mod binary_json;
mod color;
mod columns;
mod glb;
mod houdini;
mod index;
mod moment;
mod normals;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod npz;
mod particle_frame;
mod placement;
mod ply;
mod pvd;
mod rows;
mod usd;
mod vtk;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

pub use glb::{GlbError, GlbFile};
pub use index::{IndexKind, OpenIndex, SeriesIndex, SeriesPlace};
pub use moment::{Moment, PlacedBy, SceneCollider, SceneFacts, UpAxis};
pub use particle_frame::{FrameProblem, ParticleFrame};
pub use pvd::{Collection, CollectionError};

use moment::check_finite;

use crate::atomic::write_large_file;
use crate::{FileError, NumberedFiles, read_bytes};

/// An exporter of particles: a row of the registry.
#[derive(Clone, Copy, Debug)]
pub struct Exporter {
    /// Name in scene files.
    pub name: &'static str,
    /// Extension of its files, without dot.
    pub extension: &'static str,
    /// What it is, a sentence.
    pub doc: &'static str,
    /// The files beside a series that make one thing of its frames, if it has such.
    pub index: Option<IndexKind>,
    /// True if a file holds the surfaces that bodies carry beside the particles, so that they have no
    /// files of their own.
    pub holds_surfaces: bool,
    /// True if its files hold triangles.
    pub holds_triangles: bool,
    /// Writes a frame.
    pub write: fn(&Moment, &mut dyn Write) -> io::Result<()>,
    /// Reads a frame, to the bit, from what [`write`](Self::write) wrote; `None` if the format is for
    /// other programs only.
    pub read: Option<ReadFrame>,
}

/// Reads a frame from the bytes of a file.
pub type ReadFrame = fn(&[u8]) -> Result<ParticleFrame, FrameProblem>;

/// The exporters.
pub const EXPORTERS: &[Exporter] = &[
    vtk::EXPORTER,
    ply::EXPORTER,
    #[cfg(not(target_family = "wasm"))]
    npz::EXPORTER,
    bgeo::EXPORTER,
    bgeo_classic::EXPORTER,
    usd::EXPORTER,
];

/// A particle file that cannot be read.
#[derive(Debug, Error)]
pub enum FrameFileError {
    /// The file cannot be read, or the folder not listed.
    #[error(transparent)]
    File(#[from] FileError),
    /// No exporter writes files of this name.
    #[error("`{}`: particles are read from {}", path.display(), extensions())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// Its content is no particle frame.
    #[error("`{}` is not a particle file of Pliant: {problem}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: FrameProblem,
    },
}

/// The exporter of a name.
pub fn exporter(name: &str) -> Option<&'static Exporter> {
    EXPORTERS.iter().find(|exporter| exporter.name == name)
}

/// The numbered files of an exporter in a folder: `particles.0001.vtp`, ...
pub fn frame_files(folder: &Path, exporter: &Exporter) -> NumberedFiles {
    SeriesPlace::particles(folder).files(exporter)
}

/// The numbered files of an exporter in a folder that hold the surfaces of bodies: `surface.0001.vtp`, ...
pub fn surface_files(folder: &Path, exporter: &Exporter) -> NumberedFiles {
    SeriesPlace::surfaces(folder).files(exporter)
}

/// Writes a frame as `particles.NNNN.extension` into an existing folder and returns its path.
///
/// # Errors
/// If the file cannot be written, or a position, velocity or radius is not finite; nothing appears
/// under its name then.
pub fn write_frame(
    folder: &Path,
    exporter: &Exporter,
    moment: &Moment,
) -> Result<PathBuf, FileError> {
    write_numbered(&frame_files(folder, exporter), exporter, moment)
}

/// Writes a frame as the file of its number and returns its path.
///
/// # Errors
/// As [`write_frame`].
pub fn write_numbered(
    files: &NumberedFiles,
    exporter: &Exporter,
    moment: &Moment,
) -> Result<PathBuf, FileError> {
    let path = files.path(moment.frame.number);
    write_large_file(&path, |out| write_moment(exporter, moment, out))?;
    Ok(path)
}

/// Writes a frame to whatever takes bytes.
///
/// # Errors
/// If the bytes are not taken, or a position, velocity or radius is not finite.
pub fn write_moment(exporter: &Exporter, moment: &Moment, out: &mut dyn Write) -> io::Result<()> {
    check_finite(moment.frame)?;
    moment.surface.map_or(Ok(()), check_finite)?;
    (exporter.write)(moment, out)
}

/// The particle frames in a folder that can be read, whichever exporter wrote them, numbers
/// increasing. A frame that was written in several formats is listed once, in the format that is first
/// in [`EXPORTERS`].
///
/// # Errors
/// If the folder cannot be listed.
pub fn list_frames(folder: &Path) -> Result<Vec<(u32, PathBuf)>, FileError> {
    let mut frames = Vec::new();
    for (exporter, _) in readable() {
        frames.extend(frame_files(folder, exporter).list()?);
    }
    // A stable sort: of the same number, the first stays.
    frames.sort_by_key(|(number, _)| *number);
    frames.dedup_by_key(|(number, _)| *number);
    Ok(frames)
}

/// The file that holds the surfaces of bodies in a frame, in a folder, if there is one.
pub fn surface_file(folder: &Path, number: u32) -> Option<PathBuf> {
    let mut paths = readable().map(|(exporter, _)| surface_files(folder, exporter).path(number));
    paths.find(|path| path.is_file())
}

/// Reads a particle frame that [`write_frame`] wrote, its format told by the extension.
///
/// # Errors
/// If the file cannot be read or is not one of ours.
pub fn read_frame(path: &Path) -> Result<ParticleFrame, FrameFileError> {
    let extension = path.extension().unwrap_or_default();
    let (_, read) = readable()
        .find(|(exporter, _)| extension.eq_ignore_ascii_case(exporter.extension))
        .ok_or_else(|| FrameFileError::UnknownFormat {
            path: path.to_owned(),
        })?;
    let bytes = read_bytes(path)?;
    read(&bytes).map_err(|problem| FrameFileError::Unusable {
        path: path.to_owned(),
        problem,
    })
}

/// The extensions for people: ".vtp, .ply, .npz".
fn extensions() -> String {
    let extensions: Vec<String> = readable()
        .map(|(exporter, _)| format!(".{}", exporter.extension))
        .collect();
    extensions.join(", ")
}

/// The exporters whose files can be read, with what reads them.
fn readable() -> impl Iterator<Item = (&'static Exporter, ReadFrame)> {
    EXPORTERS
        .iter()
        .filter_map(|exporter| Some((exporter, exporter.read?)))
}

#[cfg(test)]
mod tests;
