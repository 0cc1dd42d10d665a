//! Folders and the numbered files in them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use pliant_parameters::Disk;

use crate::FileError;
use crate::beside::read_from;

/// The files `stem.0001.extension`, `stem.0002.extension`, ... of a folder: particle frames,
/// pictures, checkpoints. Numbers have four digits, more where needed. With an empty stem the
/// names are `0001.extension`.
#[derive(Clone, Debug)]
pub struct NumberedFiles {
    folder: PathBuf,
    stem: String,
    extension: String,
}

impl NumberedFiles {
    /// Describes the files; touches nothing. `extension` comes without its dot.
    pub fn new(folder: &Path, stem: &str, extension: &str) -> Self {
        Self {
            folder: folder.to_owned(),
            stem: stem.to_owned(),
            extension: extension.to_owned(),
        }
    }

    /// Name of the file with a number.
    pub fn name(&self, number: u32) -> String {
        let dot = if self.stem.is_empty() { "" } else { "." };
        format!("{}{dot}{number:04}.{}", self.stem, self.extension)
    }

    /// Path of the file with a number.
    pub fn path(&self, number: u32) -> PathBuf {
        self.folder.join(self.name(number))
    }

    /// Numbers and paths of the files that exist, numbers increasing. A folder that does not exist
    /// holds none.
    ///
    /// # Errors
    /// If the folder cannot be listed.
    pub fn list(&self) -> Result<Vec<(u32, PathBuf)>, FileError> {
        let mut found: Vec<(u32, PathBuf)> = files_in(&self.folder)?
            .into_iter()
            .filter_map(|path| Some((self.number(path.file_name()?.to_str()?)?, path)))
            .collect();
        found.sort();
        Ok(found)
    }

    /// Removes the files with numbers greater than `last`, 0 for all.
    ///
    /// # Errors
    /// If the folder cannot be listed or a file cannot be removed.
    pub fn remove_after(&self, last: u32) -> Result<(), FileError> {
        for (_, path) in self.list()?.into_iter().filter(|(n, _)| *n > last) {
            remove_file(&path)?;
        }
        Ok(())
    }

    /// The number in a file name, `None` for other files. Only names that [`name`](Self::name)
    /// gives are taken.
    fn number(&self, name: &str) -> Option<u32> {
        let rest = name.strip_prefix(&self.stem)?;
        let rest = if self.stem.is_empty() {
            rest
        } else {
            rest.strip_prefix('.')?
        };
        let digits = rest.strip_suffix(&self.extension)?.strip_suffix('.')?;
        let number = digits.parse().ok()?;
        (self.name(number) == name).then_some(number)
    }
}

/// Creates a folder and those above it; one that exists is left as it is.
///
/// # Errors
/// If it cannot be created.
pub fn create_folder(path: &Path) -> Result<(), FileError> {
    fs::create_dir_all(path).map_err(|e| FileError::new(path, "create the folder", e))
}

/// The bytes of a file.
///
/// # Errors
/// If it cannot be read.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, FileError> {
    read_from(&Disk, path)
}

/// The text of a file.
///
/// # Errors
/// If it cannot be read or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    fs::read_to_string(path).map_err(|e| FileError::new(path, "read", e))
}

/// Removes a file; one that does not exist is removed already.
///
/// # Errors
/// If it cannot be removed.
pub fn remove_file(path: &Path) -> Result<(), FileError> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(FileError::new(path, "remove", e)),
        _ => Ok(()),
    }
}

/// Paths of the entries of a folder, in no particular order; none if it does not exist.
pub(crate) fn files_in(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    let listed = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| entry.map(|e| e.path())).collect());
    match listed {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        listed => listed.map_err(|e| FileError::new(folder, "list", e)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_four_digits_and_more_when_needed() {
        let files = NumberedFiles::new(Path::new("out"), "particles", "vtp");
        assert_eq!(files.name(1), "particles.0001.vtp");
        assert_eq!(files.name(123_456), "particles.123456.vtp");
        let pictures = NumberedFiles::new(Path::new("out"), "", "png");
        assert_eq!(pictures.path(24), Path::new("out").join("0024.png"));
    }

    #[test]
    fn list_is_in_order_and_ignores_other_files() {
        let folder = tempfile::tempdir().unwrap();
        let files = NumberedFiles::new(folder.path(), "", "png");
        for name in [
            "10000.png",
            "0002.png",
            "9999.png",
            "2.png",
            "a.png",
            ".partial-0003.png",
        ] {
            fs::write(folder.path().join(name), b"").unwrap();
        }
        let numbers: Vec<u32> = files.list().unwrap().into_iter().map(|(n, _)| n).collect();
        assert_eq!(numbers, [2, 9999, 10000]);
    }

    #[test]
    fn later_files_are_removed_and_earlier_ones_stay() {
        let folder = tempfile::tempdir().unwrap();
        let files = NumberedFiles::new(folder.path(), "particles", "vtp");
        for number in 1..=5 {
            fs::write(files.path(number), b"").unwrap();
        }
        fs::write(folder.path().join("particles.pvd"), b"").unwrap();
        files.remove_after(2).unwrap();
        let numbers: Vec<u32> = files.list().unwrap().into_iter().map(|(n, _)| n).collect();
        assert_eq!(numbers, [1, 2]);
        assert!(folder.path().join("particles.pvd").exists());
    }

    #[test]
    fn missing_folder_holds_no_files() {
        let folder = tempfile::tempdir().unwrap();
        let files = NumberedFiles::new(&folder.path().join("none"), "particles", "vtp");
        assert!(files.list().unwrap().is_empty());
    }
}
