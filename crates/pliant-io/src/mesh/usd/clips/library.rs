//! Files of clips, each read once as long as somebody holds it: crowds have many sets of the same files.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use super::super::layer::Layer;
use super::super::source::Source;
use super::super::{MeshProblem, malformed};
use crate::beside::Beside;

/// The files that the sets of a layer name.
#[derive(Debug)]
pub(super) struct Library {
    /// Where their paths count from.
    source: Source,
    /// Those that are held, by their paths.
    held: RefCell<HashMap<String, Weak<Layer>>>,
}

impl Library {
    pub(super) fn new(source: &Source) -> Self {
        Self {
            source: source.clone(),
            held: RefCell::default(),
        }
    }

    /// What a file holds.
    ///
    /// * `of` — the set that names it, for people
    ///
    /// # Errors
    /// If it is not there or damaged.
    pub(super) fn read(
        &self,
        of: &str,
        file: &str,
        files: &Beside<'_>,
    ) -> Result<Rc<Layer>, MeshProblem> {
        if let Some(known) = self.held.borrow().get(file).and_then(Weak::upgrade) {
            return Ok(known);
        }
        let read = self.source.open(file, files);
        let (_, layer) = read.map_err(|problem| {
            let problem = match problem {
                MeshProblem::OtherFile(problem) => problem.to_string(),
                other => format!("it is damaged: {other}"),
            };
            malformed(format!(
                "{of} needs the file `{file}`: {problem}; export it anew, or name in the set only files that are there"
            ))
        })?;
        let layer = Rc::new(layer);
        let mut held = self.held.borrow_mut();
        held.insert(file.to_owned(), Rc::downgrade(&layer));
        Ok(layer)
    }
}
