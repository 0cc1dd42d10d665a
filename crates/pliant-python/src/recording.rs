//! A simulation that is recorded to a folder.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;

use crate::errors;
use crate::simulation::Simulation;

/// A recording, until it is finished or left.
#[pyclass(frozen, module = "pliant._engine")]
pub struct Recording(Mutex<Option<pliant::Recording>>);

impl Recording {
    /// One that has begun.
    pub fn of(recording: pliant::Recording) -> Self {
        Self(Mutex::new(Some(recording)))
    }

    fn lock(&self) -> MutexGuard<'_, Option<pliant::Recording>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Recording {
    /// Writes the frame that a simulation has reached.
    fn write(&self, py: Python<'_>, simulation: &Simulation) -> PyResult<()> {
        let written = simulation.read(py, |own| match &mut *self.lock() {
            Some(recording) => recording.write(own).map(Some),
            None => Ok(None),
        })?;
        written.ok_or_else(|| ended(py))
    }

    /// Ends it; returns what was worth saying.
    fn finish(&self, py: Python<'_>, simulation: &Simulation) -> PyResult<Vec<String>> {
        let told = simulation.read(py, |own| {
            let Some(recording) = self.lock().take() else {
                return Ok(None);
            };
            let notes = recording.notes().to_vec();
            recording.finish(own).map(|_| Some(notes))
        })?;
        told.ok_or_else(|| ended(py))
    }

    /// Leaves it as it is, to be resumed.
    fn leave(&self, py: Python<'_>) {
        let left = self.lock().take();
        py.detach(|| drop(left));
    }

    /// The last frame that is written.
    fn frames_done(&self, py: Python<'_>) -> PyResult<u32> {
        let frames = self.lock().as_ref().map(pliant::Recording::frames_done);
        frames.ok_or_else(|| ended(py))
    }
}

fn ended(py: Python<'_>) -> PyErr {
    errors::named(
        py,
        "RecordingError",
        "the recording has ended: start another, or resume it",
    )
}
