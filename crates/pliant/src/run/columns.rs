//! The tables of a run as columns by name.

use std::path::Path;

use pliant_io::{Table, TableError};

use super::folder::OutputFolder;
use crate::expectation::Columns;

/// `stats.csv` and `probes.csv` of a run.
#[derive(Clone, Debug)]
pub struct RunColumns {
    /// The statistics.
    pub stats: Table,
    /// The probes.
    pub probes: Table,
}

impl RunColumns {
    /// Reads the tables of a folder.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn read(folder: &OutputFolder) -> Result<Self, TableError> {
        let read = |path: &Path| Table::read(path);
        Ok(Self {
            stats: read(&folder.stats())?,
            probes: read(&folder.probes())?,
        })
    }
}

impl Columns for RunColumns {
    fn column(&self, name: &str) -> Option<(Vec<f64>, Vec<f64>)> {
        [&self.probes, &self.stats].into_iter().find_map(|table| {
            let values = table.column(name).ok()?;
            Some((table.column("time").ok()?, values))
        })
    }
}
