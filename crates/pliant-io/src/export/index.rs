//! Files beside a series that make one thing of its frames: ParaView's collection, the scene of USD.

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use super::{CollectionError, Exporter, Moment};
use crate::{FileError, NumberedFiles, remove_file};

/// A file that names the frames of a series. It is whole after each of them.
pub trait SeriesIndex: Debug + Send {
    /// Whether a file of the series is in it.
    fn has(&self, file: &str) -> bool;

    /// Adds a file of the series, which is complete, by its name.
    ///
    /// # Errors
    /// If the index cannot be written.
    fn append(&mut self, moment: &Moment, file: &str) -> Result<(), CollectionError>;
}

/// Where a series is: its folder and how its files begin, `particles` of `particles.0001.vtp`.
#[derive(Clone, Debug)]
pub struct SeriesPlace {
    /// The folder.
    pub folder: PathBuf,
    /// Start of the names.
    pub stem: &'static str,
}

/// How the index of a format is made: a part of an exporter's row.
#[derive(Clone, Copy, Debug)]
pub struct IndexKind {
    /// Names of its files, the one that a program opens first.
    pub names: fn(stem: &str) -> Vec<String>,
    /// Opens it, empty if there is none yet, without the frames after a time [s].
    pub open: OpenIndex,
}

/// Opens an index, without the frames after a time [s].
pub type OpenIndex = fn(&SeriesPlace, after: f64) -> Result<Box<dyn SeriesIndex>, CollectionError>;

impl SeriesPlace {
    /// That of the particles in a folder.
    pub fn particles(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            stem: "particles",
        }
    }

    /// That of the surfaces that bodies carry in a folder.
    pub fn surfaces(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            stem: "surface",
        }
    }

    /// That of the surfaces made of loose particles in a folder.
    pub fn meshes(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            stem: "mesh",
        }
    }

    /// Its files in a format.
    pub fn files(&self, exporter: &Exporter) -> NumberedFiles {
        NumberedFiles::new(&self.folder, self.stem, exporter.extension)
    }
}

impl IndexKind {
    /// The file of the index that a program opens.
    pub fn path(&self, place: &SeriesPlace) -> PathBuf {
        let names = (self.names)(place.stem);
        place.folder.join(names.first().map_or("", String::as_str))
    }

    /// Removes the index of a series.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub fn remove(&self, place: &SeriesPlace) -> Result<(), FileError> {
        let names = (self.names)(place.stem).into_iter();
        let mut paths = names.map(|name| place.folder.join(name));
        paths.try_for_each(|path| remove_file(&path))
    }
}
