//! Ctrl-C while the interpreter is not held.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// The interpreter is asked no more often: another thread may hold it for some milliseconds.
const PAUSE: Duration = Duration::from_millis(50);

/// Looks for signals, and keeps the exception that one has raised.
pub struct Signals {
    looked: Instant,
    raised: Option<PyErr>,
}

impl Signals {
    /// Looks for signals from now on.
    pub fn watch() -> Self {
        Self {
            looked: Instant::now(),
            raised: None,
        }
    }

    /// Breaks if a signal has raised an exception; to be called by the thread that asked for the work.
    pub fn look(&mut self) -> ControlFlow<()> {
        if self.raised.is_none() && self.looked.elapsed() >= PAUSE {
            self.raised = Python::attach(|py| py.check_signals().err());
            self.looked = Instant::now();
        }
        match self.raised {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }

    /// The exception that a signal has raised.
    pub fn raised(&mut self) -> Option<PyErr> {
        self.raised.take()
    }
}
