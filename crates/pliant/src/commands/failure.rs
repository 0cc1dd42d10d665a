//! Failures of commands: message and exit status.

use std::fmt::Display;
use std::process::ExitCode;

use pliant::run::RunError;
use pliant_scene::SceneErrors;

use super::print::eprint_line;

/// A command that did not do what was asked for.
#[derive(Debug)]
pub(crate) struct Failure {
    text: String,
    status: u8,
}

impl Failure {
    /// The scene or the arguments are wrong.
    pub fn wrong(text: impl Display) -> Self {
        Self::with_status(text, 2)
    }

    /// The command failed.
    pub fn failed(text: impl Display) -> Self {
        Self::with_status(text, 1)
    }

    /// Compared runs differ, which is a result and not an error.
    pub fn different(text: String) -> Self {
        Self { text, status: 1 }
    }

    /// A program that was started ended with this status, and has said why.
    pub fn of_program(status: Option<i32>) -> Self {
        Self {
            text: String::new(),
            status: status
                .and_then(|status| u8::try_from(status).ok())
                .unwrap_or(1),
        }
    }

    /// The user interrupted it.
    pub fn interrupted() -> Self {
        Self {
            text: String::new(),
            status: 130,
        }
    }

    /// Adds advice, on a line of its own.
    pub fn with_advice(mut self, advice: &str) -> Self {
        self.text.push('\n');
        self.text.push_str(advice);
        self
    }

    /// What it says.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Prints it and returns the exit status.
    pub fn report(&self) -> ExitCode {
        if !self.text.is_empty() {
            eprint_line(&self.text);
        }
        ExitCode::from(self.status)
    }

    fn with_status(text: impl Display, status: u8) -> Self {
        let text = text.to_string();
        let is_marked = text.starts_with("error: ");
        Self {
            text: if is_marked {
                text
            } else {
                format!("error: {text}")
            },
            status,
        }
    }
}

impl From<SceneErrors> for Failure {
    fn from(errors: SceneErrors) -> Self {
        let count = errors.errors().len();
        let plural = if count == 1 { "error" } else { "errors" };
        Self::wrong(format!(
            "{errors}\n{count} {plural} in the scene; nothing was run"
        ))
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Scene(errors) => errors.into(),
            error => Self::with_status(&error, error.exit_status()),
        }
    }
}
