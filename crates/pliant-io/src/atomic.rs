//! Files that appear under their name only when they are complete.
//!
//! A file is written under a hidden name in the same folder, flushed, synced to the disk and then
//! renamed, which replaces an older file in one step. A process that is killed leaves at most the
//! hidden file, which the next attempt overwrites and [`remove_partial_files`] sweeps away.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::FileError;
use crate::overlapped::write_overlapped;

/// Start of the names of files that are not complete yet.
const PARTIAL_PREFIX: &str = ".partial-";

/// A file being written by somebody else, a film encoder for example, under a hidden name.
///
/// Dropping it removes what was written; [`commit`](Self::commit) publishes it.
#[derive(Debug)]
pub struct PendingFile {
    path: PathBuf,
    temporary: PathBuf,
    is_committed: bool,
}

impl PendingFile {
    /// Prepares a file that will be named `path`. Nothing is created yet; the folder must exist.
    pub fn new(path: &Path) -> Self {
        let mut name = OsString::from(PARTIAL_PREFIX);
        name.push(path.file_name().unwrap_or_default());
        Self {
            path: path.to_owned(),
            temporary: path.with_file_name(name),
            is_committed: false,
        }
    }

    /// Where to write: a hidden name in the same folder with the same extension.
    pub fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// Syncs the written file to the disk and gives it its name.
    ///
    /// # Errors
    /// If the file was not written, or cannot be synced or renamed; it is then removed.
    pub fn commit(mut self) -> Result<(), FileError> {
        let file_error = |action| {
            let path = self.path.clone();
            move |source| FileError::new(&path, action, source)
        };
        let file = File::options().append(true).open(&self.temporary);
        file.and_then(|file| file.sync_all())
            .map_err(file_error("sync"))?;
        fs::rename(&self.temporary, &self.path).map_err(file_error("rename"))?;
        self.is_committed = true;
        Ok(())
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if !self.is_committed {
            // Nobody can be told of a failure here, and the next attempt overwrites the file.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Writes a file through `write`; it appears under its name only if everything succeeds.
///
/// # Errors
/// If the file cannot be created, written, synced or renamed, or if `write` fails; then nothing
/// changes under the name.
pub fn write_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), FileError> {
    let pending = PendingFile::new(path);
    write_through(pending.temporary(), write)
        .map_err(|source| FileError::new(path, "write", source))?;
    pending.commit()
}

/// The same for a large file, whose bytes are written by another thread while the next are computed.
///
/// # Errors
/// As [`write_file`].
pub(crate) fn write_large_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), FileError> {
    let pending = PendingFile::new(path);
    File::create(pending.temporary())
        .and_then(|file| write_overlapped(file, write))
        .map_err(|source| FileError::new(path, "write", source))?;
    pending.commit()
}

/// Writes a file from bytes; it appears under its name only when it is complete.
///
/// # Errors
/// As [`write_file`].
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    write_file(path, |out| out.write_all(bytes))
}

/// Removes the hidden files that a killed process left in a folder, not in the folders below.
/// A folder that does not exist holds none.
///
/// # Errors
/// If the folder cannot be listed or a file cannot be removed.
pub fn remove_partial_files(folder: &Path) -> Result<(), FileError> {
    for path in crate::folder::files_in(folder)? {
        let is_partial = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with(PARTIAL_PREFIX));
        if is_partial {
            crate::remove_file(&path)?;
        }
    }
    Ok(())
}

fn write_through(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, File::create(path)?);
    write(&mut out)?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_in(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn file_is_whole_after_writing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write_bytes(&path, b"one").unwrap();
        write_bytes(&path, b"two, longer").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two, longer");
        assert_eq!(names_in(folder.path()), ["a.txt"]);
    }

    #[test]
    fn nothing_appears_under_the_name_while_writing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write_file(&path, |out| {
            out.write_all(&[7; 1 << 17])?;
            assert!(!path.exists());
            Ok(())
        })
        .unwrap();
        assert_eq!(fs::read(&path).unwrap().len(), 1 << 17);
    }

    #[test]
    fn failing_writer_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let error = write_file(&path, |out| {
            out.write_all(&[7; 1 << 17])?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        })
        .unwrap_err();
        assert!(error.is_disk_full());
        assert!(names_in(folder.path()).is_empty());
    }

    #[test]
    fn failing_writer_keeps_the_older_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write_bytes(&path, b"old").unwrap();
        write_file(&path, |_| Err(io::Error::other("no"))).unwrap_err();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names_in(folder.path()), ["a.txt"]);
    }

    #[test]
    fn missing_folder_is_an_error_that_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none").join("a.txt");
        let error = write_bytes(&path, b"x").unwrap_err();
        assert_eq!(error.path(), path);
    }

    #[test]
    fn pending_file_keeps_the_extension_and_is_removed_when_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let pending = PendingFile::new(&folder.path().join("film.mp4"));
        assert_eq!(pending.temporary().extension().unwrap(), "mp4");
        fs::write(pending.temporary(), b"half").unwrap();
        drop(pending);
        assert!(names_in(folder.path()).is_empty());
    }

    #[test]
    fn leftovers_are_swept_and_whole_files_stay() {
        let folder = tempfile::tempdir().unwrap();
        write_bytes(&folder.path().join("a.txt"), b"x").unwrap();
        fs::write(folder.path().join(".partial-b.txt"), b"half").unwrap();
        remove_partial_files(folder.path()).unwrap();
        assert_eq!(names_in(folder.path()), ["a.txt"]);
        remove_partial_files(&folder.path().join("none")).unwrap();
    }
}
