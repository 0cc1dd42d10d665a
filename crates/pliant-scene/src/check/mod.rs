//! Checking a document against the rows of its tables.

mod accepted;
mod attachments;
mod looks;
mod muscles;
mod presets;
mod references;
mod renamed;
mod rules;
mod tables;
mod value;

pub(crate) use accepted::kind_text;
pub(crate) use tables::{Tables, check_document, item_path};
pub(crate) use value::PLACE;

use std::collections::BTreeMap;

use pliant_parameters::Files;

use crate::document::Node;
use crate::problems::{Origin, SceneError, Sources};

/// Collects what is wrong, and where each key was written.
pub(crate) struct Checker<'a> {
    pub sources: &'a Sources,
    /// Where files that the scene names are looked for.
    pub files: &'a dyn Files,
    pub errors: Vec<SceneError>,
    pub origins: Origins,
}

/// Where the value of each key path was written.
pub(crate) type Origins = BTreeMap<String, Origin>;

impl<'a> Checker<'a> {
    pub fn new(sources: &'a Sources, files: &'a dyn Files) -> Self {
        Self {
            sources,
            files,
            errors: Vec::new(),
            origins: Origins::new(),
        }
    }

    /// Something is wrong with a value.
    fn fail(&mut self, path: &str, node: &Node, message: impl Into<String>, remedy: String) {
        self.errors.push(SceneError {
            place: self.sources.place(&node.origin),
            key: path.into(),
            value: node.shown(),
            message: message.into(),
            remedy: Some(remedy),
        });
    }

    /// Something is wrong at a key path that was checked before, or at the nearest one above it.
    fn fail_at(&mut self, path: &str, value: Option<String>, message: String, remedy: String) {
        let error = SceneError {
            place: self.sources.place(&nearest_origin(&self.origins, path)),
            key: path.into(),
            value,
            message,
            remedy: Some(remedy),
        };
        self.errors.push(error);
    }
}

/// Where a key path was written, or the nearest one above it; the scene file as a whole if none was.
pub(crate) fn nearest_origin(origins: &Origins, path: &str) -> Origin {
    let mut path = path;
    loop {
        if let Some(origin) = origins.get(path) {
            return origin.clone();
        }
        match path.rfind(['.', '[']) {
            Some(end) => path = &path[..end],
            None => return Origin::Whole,
        }
    }
}
