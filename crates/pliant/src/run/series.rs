//! The numbered files of a run, in all formats asked for.

use std::path::{Path, PathBuf};

use pliant_core::measure::Frame;
use pliant_io::export::{
    Collection, Exporter, exporter, frame_files, surface_files, write_numbered,
};
use pliant_io::{NumberedFiles, create_folder};

use super::RunError;
use super::folder::OutputFolder;

/// A file a frame and format, and ParaView's list of them.
#[derive(Debug)]
pub struct Series {
    folder: PathBuf,
    files: fn(&Path, &Exporter) -> NumberedFiles,
    exporters: Vec<&'static Exporter>,
    collection_path: PathBuf,
    collection: Option<Collection>,
}

impl Series {
    /// Those of the particles. `formats` are names of exporters.
    pub fn particles(folder: &OutputFolder, formats: &[String]) -> Self {
        let paths = (folder.particles(), folder.collection());
        Self::new(paths, frame_files, formats)
    }

    /// Those of the surfaces that bodies carry.
    pub fn surfaces(folder: &OutputFolder, formats: &[String]) -> Self {
        let paths = (folder.surface(), folder.surface_collection());
        Self::new(paths, surface_files, formats)
    }

    fn new(
        (folder, collection_path): (PathBuf, PathBuf),
        files: fn(&Path, &Exporter) -> NumberedFiles,
        formats: &[String],
    ) -> Self {
        Self {
            folder,
            files,
            exporters: formats.iter().filter_map(|name| exporter(name)).collect(),
            collection_path,
            collection: None,
        }
    }

    /// Starts anew.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn create(mut self) -> Result<Self, RunError> {
        self.make_folder()?;
        if self.has_collection() {
            self.collection = Some(Collection::create(&self.collection_path)?);
        }
        Ok(self)
    }

    /// Goes on after a time [s].
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn resume(mut self, time: f64) -> Result<Self, RunError> {
        self.make_folder()?;
        if self.has_collection() {
            self.collection = Some(Collection::resume(&self.collection_path, time)?);
        }
        Ok(self)
    }

    /// Writes a frame.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&mut self, frame: &Frame<'_>) -> Result<(), RunError> {
        for exporter in &self.exporters {
            let files = (self.files)(&self.folder, exporter);
            write_numbered(&files, exporter, frame)?;
            if let (true, Some(collection)) = (exporter.has_collection, &mut self.collection) {
                collection.append(frame.time, &files.name(frame.number))?;
            }
        }
        Ok(())
    }

    fn make_folder(&self) -> Result<(), RunError> {
        if !self.exporters.is_empty() {
            create_folder(&self.folder)?;
        }
        Ok(())
    }

    fn has_collection(&self) -> bool {
        self.exporters
            .iter()
            .any(|exporter| exporter.has_collection)
    }
}
