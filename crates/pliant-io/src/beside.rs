//! Files that are read, and those beside them.

use std::path::Path;

use pliant_parameters::Files;

use crate::FileError;

/// The bytes of a file.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn read_from(files: &dyn Files, path: &Path) -> Result<Vec<u8>, FileError> {
    files
        .read(path)
        .map_err(|e| FileError::new(path, "read", e))
}

/// What stands beside a file that is read.
#[derive(Clone, Copy)]
pub(crate) struct Beside<'a> {
    /// The file.
    pub path: &'a Path,
    /// Where it comes from.
    pub files: &'a dyn Files,
}

impl Beside<'_> {
    /// The bytes of another file, by its path from the folder of this one.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, FileError> {
        read_from(self.files, &self.path.with_file_name(name))
    }
}
