//! What a check finds, and why a check cannot be made.

use std::fmt;
use std::path::{Path, PathBuf};

/// Something to put right, and where it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// File, relative to the root of the repository.
    pub path: PathBuf,
    /// Line, from 1; 0 if the whole file is meant.
    pub line: usize,
    /// What is wrong and what would be right.
    pub message: String,
}

impl Violation {
    /// Of a line of a file.
    pub fn new(path: &Path, line: usize, message: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            line,
            message: message.into(),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match self.line {
            0 => write!(f, "{path}: {}", self.message),
            line => write!(f, "{path}:{line}: {}", self.message),
        }
    }
}

/// Why a check could not be made.
#[derive(Debug)]
pub struct ToolError(String);

impl ToolError {
    /// With a message for the person at the terminal.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// A file or folder that could not be used.
    pub fn of_file(path: &Path, error: &std::io::Error) -> Self {
        Self(format!("{}: {error}", path.display()))
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ToolError {}
