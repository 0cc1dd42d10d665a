//! Differences of two runs.
//!
//! | what | where |
//! |---|---|
//! | the scenes, key by key, and what the runs were made with | [`Comparison`] |
//! | particle frames, matched by id | `frames`, `particles` |
//! | `stats.csv` and `probes.csv`, column by column | `tables` |
//!
//! What the results of a run are: its particles and its tables without wall times. Scene, version and
//! machine are told beside them. What only one run has a file for cannot be compared and is no
//! difference of results; a frame or a particle that only one run has is.

mod frames;
mod particles;
mod tables;

use std::path::PathBuf;

use pliant_io::export::FrameFileError;
use pliant_io::{FileError, TableError};

use crate::additions::whole_text;
use crate::run::{Change, Manifest, OutputFolder, scene_changes};

pub use frames::Frames;
pub use particles::{AttributeDifference, FrameDifference, Greatest};
pub use tables::{ColumnDifference, TableDifference};

/// Two runs compared.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What `run.json` says of each.
    pub manifests: [Manifest; 2],
    /// Keys of `scene.toml`, and of what was added to it, that differ.
    pub scene: Vec<Change>,
    /// What the runs were made with, as far as it differs: name and value of each.
    pub circumstances: Vec<(&'static str, [String; 2])>,
    /// The particle frames.
    pub frames: Frames,
    /// The tables that both runs have.
    pub tables: Vec<TableDifference>,
}

/// Why two folders cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// A folder holds no run.
    #[error("`{}` holds no run of Pliant: {source}", folder.display())]
    NoRun {
        /// The folder.
        folder: PathBuf,
        /// What is missing.
        source: FileError,
    },
    /// A file cannot be read, or a folder not listed.
    #[error(transparent)]
    File(#[from] FileError),
    /// A particle file cannot be read.
    #[error(transparent)]
    Frame(#[from] FrameFileError),
    /// A table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The runs have no file in common.
    #[error("the two runs have neither particle frames nor tables in common")]
    Nothing,
}

/// Compares two runs. `progress` is called with the particle frames done and their number.
///
/// # Errors
/// If a folder holds no run, a file cannot be read, or there is nothing to compare.
pub fn compare(
    folders: [&OutputFolder; 2],
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Comparison, CompareError> {
    let [one, two] = folders;
    let manifests = [manifest(one)?, manifest(two)?];
    let texts = [one, two].map(whole_text);
    let [one_text, two_text] = texts;
    let mut tables = Vec::new();
    for (name, paths) in [
        ("stats.csv", [one.stats(), two.stats()]),
        ("probes.csv", [one.probes(), two.probes()]),
    ] {
        if paths.iter().all(|path| path.is_file()) {
            tables.push(TableDifference::read(name, &paths)?);
        }
    }
    let frames = Frames::compare(folders, progress)?;
    if frames.compared.is_empty() && tables.iter().all(|table| table.rows.contains(&0)) {
        return Err(CompareError::Nothing);
    }
    Ok(Comparison {
        scene: scene_changes(&one_text?, &two_text?),
        circumstances: circumstances(&manifests),
        manifests,
        frames,
        tables,
    })
}

impl Comparison {
    /// True if every result that both runs have is the same, bit by bit.
    pub fn is_identical(&self) -> bool {
        self.frames.is_identical() && self.tables.iter().all(TableDifference::is_identical)
    }

    /// The greatest difference of any result in shares of the greatest size that it reaches; infinite
    /// if one run has frames, rows or particles that the other has not.
    pub fn greatest_relative(&self) -> f64 {
        let tables = self.tables.iter().map(TableDifference::greatest_relative);
        tables.fold(self.frames.greatest_relative(), f64::max)
    }
}

fn manifest(folder: &OutputFolder) -> Result<Manifest, CompareError> {
    Manifest::read(&folder.manifest()).map_err(|source| CompareError::NoRun {
        folder: folder.root().to_owned(),
        source,
    })
}

/// What two runs were made with, as far as it differs.
fn circumstances(manifests: &[Manifest; 2]) -> Vec<(&'static str, [String; 2])> {
    let of_each = |of: fn(&Manifest) -> String| [of(&manifests[0]), of(&manifests[1])];
    let all = [
        ("version", of_each(|m| m.version.clone())),
        ("processor", of_each(|m| m.machine.processor.clone())),
        ("architecture", of_each(|m| m.machine.architecture.clone())),
        ("system", of_each(|m| m.machine.system.clone())),
        ("backend", of_each(|m| m.backend.clone())),
        ("threads", of_each(|m| m.threads.to_string())),
        ("mesh files", of_each(mesh_hashes)),
    ];
    all.into_iter()
        .filter(|(_, [one, two])| one != two)
        .collect()
}

/// The hashes of the mesh files, whatever their paths are.
fn mesh_hashes(manifest: &Manifest) -> String {
    let hashes: Vec<&str> = manifest.input_files.values().map(String::as_str).collect();
    hashes.join(", ")
}
