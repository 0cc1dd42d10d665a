//! What can go wrong with a file.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A file or folder that could not be read or written.
#[derive(Debug, Error)]
pub enum FileError {
    /// There is no room left, on the disk or in the user's share of it.
    #[error("the disk is full: could not {action} `{}`; free some space, then go on", path.display())]
    DiskFull {
        /// The file or folder.
        path: PathBuf,
        /// What was tried, a verb.
        action: &'static str,
    },
    /// There is no such file or folder.
    #[error("could not {action} `{}`: it does not exist", path.display())]
    Missing {
        /// The file or folder.
        path: PathBuf,
        /// What was tried, a verb.
        action: &'static str,
    },
    /// Anything else the operating system reports.
    #[error("could not {action} `{}`: {source}", path.display())]
    System {
        /// The file or folder.
        path: PathBuf,
        /// What was tried, a verb.
        action: &'static str,
        /// The system's own error.
        source: io::Error,
    },
}

impl FileError {
    /// Names what the operating system reports.
    pub fn new(path: &Path, action: &'static str, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                Self::DiskFull { path, action }
            }
            io::ErrorKind::NotFound => Self::Missing { path, action },
            _ => Self::System {
                path,
                action,
                source,
            },
        }
    }

    /// True if there is no room left.
    pub fn is_disk_full(&self) -> bool {
        matches!(self, Self::DiskFull { .. })
    }

    /// The file or folder.
    pub fn path(&self) -> &Path {
        match self {
            Self::DiskFull { path, .. }
            | Self::Missing { path, .. }
            | Self::System { path, .. } => path,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_recognised_and_named() {
        let source = io::Error::from(io::ErrorKind::StorageFull);
        let error = FileError::new(Path::new("out/stats.csv"), "write", source);
        assert!(error.is_disk_full());
        let text = error.to_string();
        assert!(text.contains("disk is full") && text.contains("out/stats.csv"));
    }

    #[test]
    fn other_errors_name_path_and_action() {
        let source = io::Error::from(io::ErrorKind::PermissionDenied);
        let error = FileError::new(Path::new("out/a.vtp"), "rename", source);
        assert!(!error.is_disk_full());
        assert_eq!(error.path(), Path::new("out/a.vtp"));
        assert!(error.to_string().contains("rename `out/a.vtp`"));
    }
}
