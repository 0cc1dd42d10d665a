//! Files in memory, for a page that has no disk.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use pliant_parameters::{Files, Found};

/// Files by their paths; copies share their bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MemoryFiles(BTreeMap<PathBuf, Arc<[u8]>>);

impl MemoryFiles {
    /// Adds a file, or replaces it. Relative paths start from the root.
    pub fn add(&mut self, path: &Path, bytes: Vec<u8>) {
        self.0.insert(plain(path), bytes.into());
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl Files for MemoryFiles {
    fn look(&self, path: &Path) -> io::Result<Found> {
        let path = plain(path);
        if let Some(bytes) = self.0.get(&path) {
            let length = bytes.len() as u64;
            return Ok(Found::File { length });
        }
        let is_folder = self.0.keys().any(|file| file.starts_with(&path));
        match is_folder {
            true => Ok(Found::Folder),
            false => Err(ErrorKind::NotFound.into()),
        }
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let found = self.0.get(&plain(path));
        let bytes = found.map(|bytes| bytes.to_vec());
        bytes.ok_or_else(|| ErrorKind::NotFound.into())
    }

    fn canonical(&self, path: &Path) -> PathBuf {
        plain(path)
    }
}

/// The path from the root, without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => plain.push(name),
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_by_any_path_that_leads_to_it() {
        let mut files = MemoryFiles::default();
        files.add(Path::new("meshes/cow.obj"), vec![1, 2, 3]);
        for path in [
            "/meshes/cow.obj",
            "./meshes/cow.obj",
            "scenes/../meshes/cow.obj",
        ] {
            let path = Path::new(path);
            assert_eq!(files.look(path).unwrap(), Found::File { length: 3 });
            assert_eq!(files.read(path).unwrap(), [1, 2, 3]);
        }
        assert_eq!(files.look(Path::new("/meshes")).unwrap(), Found::Folder);
        let missing = files.look(Path::new("cow.obj")).unwrap_err();
        assert_eq!(missing.kind(), ErrorKind::NotFound);
        assert!(files.read(Path::new("../../meshes")).is_err());
    }
}
