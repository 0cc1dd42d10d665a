//! ParaView's collection file (`.pvd`): which file belongs to which time.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use roxmltree::Document;
use thiserror::Error;

use super::{IndexKind, Moment, SeriesIndex, SeriesPlace};
use crate::{FileError, read_text, write_bytes};

pub(super) const INDEX: IndexKind = IndexKind {
    names: |stem| vec![format!("{stem}.pvd")],
    open,
};

fn open(place: &SeriesPlace, after: f64) -> Result<Box<dyn SeriesIndex>, CollectionError> {
    let path = INDEX.path(place);
    let collection = match path.is_file() {
        true => Collection::resume(&path, after)?,
        false => Collection::create(&path)?,
    };
    Ok(Box::new(collection))
}

/// A collection and its file. The file is small and rewritten with every frame, so it is never
/// partial under its name.
#[derive(Clone, Debug)]
pub struct Collection {
    path: PathBuf,
    /// Physical time (s) and file, relative to the collection.
    entries: Vec<(f64, String)>,
}

/// A collection that cannot be read or written.
#[derive(Debug, Error)]
pub enum CollectionError {
    /// The file itself.
    #[error(transparent)]
    File(#[from] FileError),
    /// Its content is no collection.
    #[error("`{}` is not a ParaView collection: {reason}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

impl Collection {
    /// Starts a collection, replacing an older file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn create(path: &Path) -> Result<Self, CollectionError> {
        let collection = Self {
            path: path.to_owned(),
            entries: Vec::new(),
        };
        collection.write()?;
        Ok(collection)
    }

    /// Reads a collection.
    ///
    /// # Errors
    /// If the file cannot be read or is no collection.
    pub fn read(path: &Path) -> Result<Self, CollectionError> {
        let text = read_text(path)?;
        let malformed = |reason: String| CollectionError::Malformed {
            path: path.to_owned(),
            reason,
        };
        let document = Document::parse(&text).map_err(|e| malformed(e.to_string()))?;
        let data_sets = document
            .descendants()
            .filter(|node| node.has_tag_name("DataSet"));
        let entries = data_sets.map(|node| {
            let time = node.attribute("timestep").and_then(|t| t.parse().ok());
            let file = node.attribute("file").map(str::to_owned);
            time.zip(file)
                .ok_or_else(|| malformed("a data set lacks its time or file".to_owned()))
        });
        Ok(Self {
            path: path.to_owned(),
            entries: entries.collect::<Result<_, _>>()?,
        })
    }

    /// Opens a collection to go on with, without the files after the time `last` (s).
    ///
    /// # Errors
    /// If the file cannot be read or written or is no collection.
    pub fn resume(path: &Path, last: f64) -> Result<Self, CollectionError> {
        let mut collection = Self::read(path)?;
        collection.entries.retain(|(time, _)| *time <= last);
        collection.write()?;
        Ok(collection)
    }

    /// Adds a file of a time (s), in place of an older entry of it, and writes the collection. `file` is
    /// relative to the collection.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append(&mut self, time: f64, file: &str) -> Result<(), CollectionError> {
        self.entries.retain(|(_, other)| other != file);
        let place = self.entries.partition_point(|(other, _)| *other <= time);
        self.entries.insert(place, (time, file.to_owned()));
        self.write()
    }

    /// Times (s) and files.
    pub fn entries(&self) -> &[(f64, String)] {
        &self.entries
    }

    fn write(&self) -> Result<(), CollectionError> {
        let mut text = String::from(
            "<?xml version=\"1.0\"?>\n\
             <VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n  <Collection>\n",
        );
        for (time, file) in &self.entries {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "    <DataSet timestep=\"{time:?}\" group=\"\" part=\"0\" file=\"{}\"/>",
                escaped(file)
            );
        }
        text.push_str("  </Collection>\n</VTKFile>\n");
        Ok(write_bytes(&self.path, text.as_bytes())?)
    }
}

impl SeriesIndex for Collection {
    fn has(&self, file: &str) -> bool {
        self.entries.iter().any(|(_, other)| other == file)
    }

    fn append(&mut self, moment: &Moment, file: &str) -> Result<(), CollectionError> {
        self.append(moment.frame.time, file)
    }
}

/// The text as it may stand in an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_files_come_back_and_are_cut_on_resume() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("particles.pvd");
        let mut collection = Collection::create(&path).unwrap();
        assert!(Collection::read(&path).unwrap().entries().is_empty());
        for number in 1..=4_u32 {
            let time = f64::from(number - 1) / 24.0;
            collection
                .append(time, &format!("p&\"<.{number:04}.vtp"))
                .unwrap();
        }
        assert_eq!(
            Collection::read(&path).unwrap().entries(),
            collection.entries()
        );

        let cut = Collection::resume(&path, 2.0 / 24.0).unwrap();
        assert_eq!(cut.entries(), &collection.entries()[..3]);
        assert_eq!(Collection::read(&path).unwrap().entries(), cut.entries());
    }

    #[test]
    fn late_entries_come_in_order_of_time_and_replace_older_ones() {
        let folder = tempfile::tempdir().unwrap();
        let mut collection = Collection::create(&folder.path().join("particles.pvd")).unwrap();
        for (time, file) in [(0.0, "1"), (2.0, "3"), (1.0, "2"), (2.0, "3")] {
            collection.append(time, file).unwrap();
        }
        let files: Vec<&str> = collection.entries().iter().map(|(_, f)| &**f).collect();
        assert_eq!(files, ["1", "2", "3"]);
    }

    #[test]
    fn damaged_collections_are_errors_that_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("particles.pvd");
        for text in [
            "",
            "<VTKFile>",
            "<V><DataSet timestep=\"x\" file=\"a\"/></V>",
            "<V><DataSet/></V>",
        ] {
            write_bytes(&path, text.as_bytes()).unwrap();
            let error = Collection::read(&path).unwrap_err();
            assert!(error.to_string().contains("particles.pvd"), "{error}");
        }
    }
}
