//! Output of every frame: particles, surfaces and rows of the tables.

use std::path::PathBuf;

use pliant_core::measure::FrameBuffers;
use pliant_io::Table;
use pliant_view::{Layout, OutputRows};

use super::RunError;
use super::folder::OutputFolder;
use super::series::{FrameContents, FrameFiles};

/// Column of both tables by which rows and frames belong together.
const TIME: &str = "time";

/// Writes frames into the folder of a run.
#[derive(Debug)]
pub struct Recorder {
    frames: FrameFiles,
    stats: Table,
    probes: Table,
}

/// What a run writes of each frame.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    /// The files of a frame.
    pub frames: FrameContents,
    /// Columns of the tables.
    pub layout: &'a Layout,
}

impl Recorder {
    /// Starts anew, in a folder that has been claimed.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn create(folder: &OutputFolder, records: Records<'_>) -> Result<Self, RunError> {
        Ok(Self {
            frames: FrameFiles::open(folder, records.frames, f64::NEG_INFINITY)?,
            stats: Table::create(&folder.stats(), &records.layout.stats_names())?,
            probes: Table::create(&folder.probes(), &records.layout.probes_names())?,
        })
    }

    /// Goes on after a frame and its time [s]: what came later is cut.
    ///
    /// # Errors
    /// If a file cannot be read or written, or rows up to that frame are missing.
    pub fn resume(
        folder: &OutputFolder,
        records: Records<'_>,
        (frame, time): (u32, f64),
    ) -> Result<Self, RunError> {
        let layout = records.layout;
        let stats = Table::resume(&folder.stats(), &layout.stats_names(), TIME, time)?;
        let probes = Table::resume(&folder.probes(), &layout.probes_names(), TIME, time)?;
        let tables: [(&Table, PathBuf); 2] = [(&stats, folder.stats()), (&probes, folder.probes())];
        for (table, path) in tables {
            let found = table.rows().len();
            if found != frame as usize {
                return Err(RunError::MissingRows { path, found, frame });
            }
        }
        Ok(Self {
            frames: FrameFiles::open(folder, records.frames, time)?,
            stats,
            probes,
        })
    }

    /// Writes a frame.
    ///
    /// # Errors
    /// If a file cannot be written; what is under its name is whole.
    pub fn record(&mut self, frame: &FrameBuffers, rows: &OutputRows) -> Result<(), RunError> {
        let surface = frame.surface();
        self.frames.write(&frame.frame(), surface.as_ref())?;
        self.stats.append(&rows.stats)?;
        self.probes.append(&rows.probes)?;
        Ok(())
    }

    /// The files of frames.
    pub fn frames(&mut self) -> &mut FrameFiles {
        &mut self.frames
    }

    /// The statistics so far.
    pub fn stats(&self) -> &Table {
        &self.stats
    }
}
