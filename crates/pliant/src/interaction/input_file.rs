//! A file of what was done to a scene.

use std::path::{Path, PathBuf};

use pliant_interaction::{InputLog, LogError};
use pliant_io::write_bytes;

/// Why a file of inputs cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// It cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It holds something else.
    #[error("`{}` holds no inputs of a live run: {source}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong, with its line.
        source: LogError,
    },
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] pliant_io::FileError),
}

/// Reads a file. Its scene is looked for from the current folder, then beside the file.
///
/// # Errors
/// If there is none, or it holds something else.
pub fn read_inputs(path: &Path) -> Result<InputLog, InputError> {
    let text = std::fs::read_to_string(path).map_err(|source| InputError::Read {
        path: path.to_owned(),
        source,
    })?;
    let mut log = InputLog::parse(&text).map_err(|source| InputError::Format {
        path: path.to_owned(),
        source,
    })?;
    let beside = path.with_file_name(&log.scene);
    if !log.scene.exists() && beside.exists() {
        log.scene = beside;
    }
    Ok(log)
}

/// Writes it to a file, all or nothing.
///
/// # Errors
/// If it cannot be written.
pub fn write_inputs(log: &InputLog, path: &Path) -> Result<(), InputError> {
    let text = log.text().map_err(|source| InputError::Format {
        path: path.to_owned(),
        source,
    })?;
    Ok(write_bytes(path, text.as_bytes())?)
}
