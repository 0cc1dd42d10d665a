//! Files of which is known afterwards what was read of them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use pliant_parameters::{Files, Found};

use crate::content_hash;

/// Files that come from elsewhere, with a hash of each that was read: a reader reads those that its file refers to
/// as well, and knows alone which they are.
pub(crate) struct NotedFiles<'a> {
    files: &'a dyn Files,
    hashes: RefCell<BTreeMap<PathBuf, u64>>,
}

impl<'a> NotedFiles<'a> {
    /// Of which none was read yet.
    pub fn of(files: &'a dyn Files) -> Self {
        Self {
            files,
            hashes: RefCell::default(),
        }
    }

    /// Hashes of the contents of all that were read, by their paths as text.
    pub fn hashes(self) -> impl Iterator<Item = (String, u64)> {
        let hashes = self.hashes.into_inner().into_iter();
        hashes.map(|(path, hash)| (path.to_string_lossy().into_owned(), hash))
    }
}

impl Files for NotedFiles<'_> {
    fn look(&self, path: &Path) -> io::Result<Found> {
        self.files.look(path)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let bytes = self.files.read(path)?;
        let hash = content_hash(&bytes);
        self.hashes.borrow_mut().insert(path.to_owned(), hash);
        Ok(bytes)
    }

    fn canonical(&self, path: &Path) -> PathBuf {
        self.files.canonical(path)
    }
}
