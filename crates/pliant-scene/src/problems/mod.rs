//! What is wrong with a scene, said so that it can be put right.

mod place;
mod suggestion;

pub use place::Place;
pub(crate) use place::{Origin, Source, Sources};
pub(crate) use suggestion::{choices_text, nearest};

use std::fmt;

/// One thing that is wrong with a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneError {
    /// Where it was written.
    pub place: Place,
    /// Key path, as `--set` addresses it: `body.column.spacing`. Empty for the scene as a whole.
    pub key: String,
    /// The value as written, shortened, if there is one.
    pub value: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub remedy: Option<String>,
}

/// Everything that is wrong with a scene; never empty.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneErrors {
    errors: Vec<SceneError>,
}

/// Something that is allowed but probably not meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// Key path it is about.
    pub key: String,
    /// What was found, and what would help.
    pub message: String,
}

impl SceneErrors {
    /// Errors in order of their place, without repetitions.
    pub(crate) fn new(mut errors: Vec<SceneError>) -> Self {
        errors.sort_by_key(|e| e.place.order());
        let mut kept: Vec<SceneError> = Vec::new();
        for error in errors {
            if !kept.contains(&error) {
                kept.push(error);
            }
        }
        Self { errors: kept }
    }

    /// The error of a scene that could not be read, and why.
    pub fn unreadable(name: &str, why: &str) -> Self {
        Self::new(vec![SceneError {
            place: Place::Nowhere,
            key: String::new(),
            value: None,
            message: format!("the scene {name} cannot be read: {why}"),
            remedy: None,
        }])
    }

    /// The errors, in order of file and line.
    pub fn errors(&self) -> &[SceneError] {
        &self.errors
    }
}

impl std::error::Error for SceneError {}
impl std::error::Error for SceneErrors {}

impl fmt::Display for SceneErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.errors.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{error}")?;
        }
        Ok(())
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: ")?;
        if !self.key.is_empty() {
            write!(f, "{}", self.key)?;
            if let Some(value) = &self.value {
                write!(f, " = {value}")?;
            }
            write!(f, ": ")?;
        }
        writeln!(f, "{}", self.message)?;
        write!(f, "{}", self.place)?;
        if let Some(remedy) = &self.remedy {
            writeln!(f, "  = {remedy}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.message)
    }
}
