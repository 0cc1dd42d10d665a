//! What a run writes in every frame: particles and rows of the tables.

use pliant_core::measure::Frame;
use pliant_io::export::{Collection, Exporter, exporter, frame_files, write_frame};
use pliant_io::{Table, create_folder};

use super::RunError;
use super::folder::OutputFolder;
use super::measurements::{Layout, Rows};

/// Column of both tables by which rows and frames belong together.
const TIME: &str = "time";

/// Writes frames into the folder of a run.
#[derive(Debug)]
pub struct Recorder {
    folder: OutputFolder,
    exporters: Vec<&'static Exporter>,
    collection: Option<Collection>,
    stats: Table,
    probes: Table,
}

impl Recorder {
    /// Starts anew, in a folder that has been claimed. `formats` are names of exporters.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn create(
        folder: &OutputFolder,
        formats: &[String],
        layout: &Layout,
    ) -> Result<Self, RunError> {
        let exporters = exporters(folder, formats)?;
        let collection = match has_collection(&exporters) {
            true => Some(Collection::create(&folder.collection())?),
            false => None,
        };
        Ok(Self {
            folder: folder.clone(),
            exporters,
            collection,
            stats: Table::create(&folder.stats(), &layout.stats_names())?,
            probes: Table::create(&folder.probes(), &layout.probes_names())?,
        })
    }

    /// Goes on after a frame and its time [s]: what came later is cut.
    ///
    /// # Errors
    /// If a file cannot be read or written, or rows up to that frame are missing.
    pub fn resume(
        folder: &OutputFolder,
        formats: &[String],
        layout: &Layout,
        (frame, time): (u32, f64),
    ) -> Result<Self, RunError> {
        let exporters = exporters(folder, formats)?;
        let collection = match has_collection(&exporters) {
            true => Some(Collection::resume(&folder.collection(), time)?),
            false => None,
        };
        let stats = Table::resume(&folder.stats(), &layout.stats_names(), TIME, time)?;
        let probes = Table::resume(&folder.probes(), &layout.probes_names(), TIME, time)?;
        for (table, path) in [(&stats, folder.stats()), (&probes, folder.probes())] {
            let found = table.rows().len();
            if found != frame as usize {
                return Err(RunError::MissingRows { path, found, frame });
            }
        }
        Ok(Self {
            folder: folder.clone(),
            exporters,
            collection,
            stats,
            probes,
        })
    }

    /// Writes a frame.
    ///
    /// # Errors
    /// If a file cannot be written; what is under its name is whole.
    pub fn record(&mut self, frame: &Frame, rows: &Rows) -> Result<(), RunError> {
        for exporter in &self.exporters {
            write_frame(&self.folder.particles(), exporter, frame)?;
            if let (true, Some(collection)) = (exporter.has_collection, &mut self.collection) {
                let files = frame_files(&self.folder.particles(), exporter);
                collection.append(frame.time, &files.name(frame.number))?;
            }
        }
        self.stats.append(&rows.stats)?;
        self.probes.append(&rows.probes)?;
        Ok(())
    }

    /// The statistics so far.
    pub fn stats(&self) -> &Table {
        &self.stats
    }
}

fn exporters(
    folder: &OutputFolder,
    formats: &[String],
) -> Result<Vec<&'static Exporter>, RunError> {
    let found: Vec<&Exporter> = formats.iter().filter_map(|name| exporter(name)).collect();
    if !found.is_empty() {
        create_folder(&folder.particles())?;
    }
    Ok(found)
}

fn has_collection(exporters: &[&Exporter]) -> bool {
    exporters.iter().any(|exporter| exporter.has_collection)
}
