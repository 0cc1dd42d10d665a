//! Where the files come from that a scene consists of and that it names.

use std::io;
use std::path::{Path, PathBuf};

/// Where the bytes of files come from: the disk, or what a program holds that has none.
pub trait Files {
    /// What stands at a path.
    ///
    /// # Errors
    /// If nothing does, or it cannot be looked at.
    fn look(&self, path: &Path) -> io::Result<Found>;

    /// The bytes of a file.
    ///
    /// # Errors
    /// If there is none at this path, or it cannot be read.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// One path for all by which a file can be named.
    fn canonical(&self, path: &Path) -> PathBuf {
        path.to_owned()
    }
}

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A file that can be read more than once.
    File {
        /// Its length [bytes].
        length: u64,
    },
    /// A folder.
    Folder,
    /// A device, a pipe.
    Other,
}

/// The files of the disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn look(&self, path: &Path) -> io::Result<Found> {
        let found = std::fs::metadata(path)?;
        Ok(if found.is_file() {
            Found::File {
                length: found.len(),
            }
        } else if found.is_dir() {
            Found::Folder
        } else {
            Found::Other
        })
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn canonical(&self, path: &Path) -> PathBuf {
        std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
    }
}
