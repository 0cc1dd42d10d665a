//! What can be done to a scene while it runs, and a file of what was done.

use std::path::{Path, PathBuf};

use pliant_io::write_bytes;
use serde::{Deserialize, Serialize};

/// Something that is done to a scene between two frames.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Input {
    /// Springs from the hand take hold of particles where they are.
    Grab {
        /// Stable ids.
        particles: Vec<u32>,
        /// Where each is from the hand's point [m].
        local: Vec<[f64; 3]>,
        /// The hand's point [m].
        at: [f64; 3],
        /// Of all springs together [N/m], > 0; they share it in proportion to the masses.
        stiffness: f64,
    },
    /// The hand moves to a point during the next frame.
    Move {
        /// The point [m].
        to: [f64; 3],
    },
    /// The hand lets go.
    Release {},
    /// A blade is there for a moment, and parts what it crosses.
    Cut {
        /// Corners of a flat piece, in turn [m].
        corners: [[f64; 3]; 4],
    },
    /// A value of the scene changes.
    Set {
        /// `KEY=VALUE`, as `--set` takes it.
        assignment: String,
    },
    /// The scene goes on with the constants of another text of it.
    Scene {
        /// The text.
        text: String,
    },
}

/// An input and when it came.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimedInput {
    /// The frame after which it acts; 1 is the initial state.
    pub frame: u32,
    /// What was done.
    #[serde(flatten)]
    pub input: Input,
}

/// A scene and everything that was done to it since its start: enough to run it again to the same bits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputLog {
    /// The scene file.
    pub scene: PathBuf,
    /// The level of detail, if one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Values that replace those of the file, `KEY=VALUE`.
    #[serde(default)]
    pub set: Vec<String>,
    /// What was done, in order.
    #[serde(default, rename = "input")]
    pub inputs: Vec<TimedInput>,
}

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
    #[error("`{}` holds no inputs of a live run: {message}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong, with its line.
        message: String,
    },
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] pliant_io::FileError),
}

const HEADER: &str = "# What was done to a scene while it ran: `pliant live --replay FILE` does it again, to the same bits.\n";

impl InputLog {
    /// Reads a file.
    ///
    /// # Errors
    /// If there is none, or it holds something else.
    pub fn read(path: &Path) -> Result<Self, InputError> {
        let text = std::fs::read_to_string(path).map_err(|source| InputError::Read {
            path: path.to_owned(),
            source,
        })?;
        let format = |message: String| InputError::Format {
            path: path.to_owned(),
            message,
        };
        let log: Self = toml::from_str(&text).map_err(|e| format(e.to_string()))?;
        match log.inputs.is_sorted_by_key(|timed| timed.frame) {
            true => Ok(log),
            false => Err(format("its frames are not in order".to_owned())),
        }
    }

    /// Writes it to a file, all or nothing.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), InputError> {
        let body = toml::to_string(self).map_err(|e| InputError::Format {
            path: path.to_owned(),
            message: e.to_string(),
        })?;
        Ok(write_bytes(path, format!("{HEADER}{body}").as_bytes())?)
    }
}
