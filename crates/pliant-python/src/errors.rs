//! Errors of the library as exceptions of the package, which are defined in `pliant/errors.py`.

use pliant::SimulationError;
use pliant::core::step::{MotionError, MotionTrouble};
use pliant::render::RenderError;
use pliant::scene::{Place, SceneError, SceneErrors};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// The exception of an error.
pub fn raise(py: Python<'_>, error: SimulationError) -> PyErr {
    let class = match &error {
        SimulationError::Scene(errors) => return of_scene(py, errors),
        SimulationError::Step(_) | SimulationError::Broken | SimulationError::BrokenOff => {
            "StepError"
        }
        SimulationError::Unknown { .. }
        | SimulationError::UnknownParticle(_)
        | SimulationError::Gone(_)
        | SimulationError::Picture(RenderError::UnknownQuantity { .. }) => "UnknownNameError",
        SimulationError::Motion(MotionError::Value {
            trouble: MotionTrouble::Held,
            ..
        }) => "ChangeError",
        SimulationError::Motion(_)
        | SimulationError::StepLength(_)
        | SimulationError::NotFinite { .. }
        | SimulationError::Picture(RenderError::Size { .. })
        | SimulationError::Drive { .. }
        | SimulationError::Activation(_) => "InvalidValueError",
        SimulationError::Change(_)
        | SimulationError::Add(_)
        | SimulationError::Remove(_)
        | SimulationError::Attach(_)
        | SimulationError::OtherHolder(_) => "ChangeError",
        SimulationError::Snapshot(_) => "StateError",
        SimulationError::Output(_)
        | SimulationError::RecordedLate(_)
        | SimulationError::RecordedBodies
        | SimulationError::OtherFrame { .. } => "RecordingError",
        SimulationError::Threads(_) => "PliantError",
    };
    named(py, class, &error.to_string())
}

/// An exception of a class of the package.
pub fn named(py: Python<'_>, class: &str, message: &str) -> PyErr {
    let made = classes(py).and_then(|classes| classes.getattr(class)?.call1((message,)));
    made.map_or_else(|failed| failed, PyErr::from_value)
}

/// The exception of somebody who uses what another thread is using.
pub fn busy(py: Python<'_>) -> PyErr {
    let message = "another thread is using it at this moment: give each thread its own, or let \
                   threads wait for each other with a threading.Lock";
    named(py, "BusyError", message)
}

/// The exception of the worlds of a batch that cannot go on: the first error, and the numbers of all.
pub fn of_worlds(py: Python<'_>, first: SimulationError, worlds: &[usize]) -> PyErr {
    let told = format!("world {}: {first}", worlds[0]);
    let raised = match &first {
        SimulationError::Scene(_) => raise(py, first),
        _ => {
            let class = raise(py, first).get_type(py);
            class
                .call1((told,))
                .map_or_else(|failed| failed, PyErr::from_value)
        }
    };
    match raised.value(py).setattr("worlds", worlds.to_vec()) {
        Ok(()) => raised,
        Err(failed) => failed,
    }
}

fn classes(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("pliant.errors")
}

/// The exception of a wrong scene: its attributes are those of the first error, `errors` holds all.
pub fn of_scene(py: Python<'_>, errors: &SceneErrors) -> PyErr {
    let made = || -> PyResult<Bound<'_, PyAny>> {
        let all = PyList::empty(py);
        let class = classes(py)?.getattr("Problem")?;
        for error in errors.errors() {
            all.append(class.call((), Some(&fields(py, error)?))?)?;
        }
        let exception = classes(py)?.getattr("SceneError")?;
        exception.call1((errors.to_string().trim_end(), all))
    };
    made().map_or_else(|failed| failed, PyErr::from_value)
}

fn fields<'py>(py: Python<'py>, error: &SceneError) -> PyResult<Bound<'py, PyDict>> {
    let (file, line, column) = match &error.place {
        Place::File {
            file, line, column, ..
        } => (Some(file.as_str()), Some(*line), Some(*column)),
        Place::Whole(file) => (Some(file.as_str()), None, None),
        Place::Argument(argument) => (Some(argument.as_str()), None, None),
        Place::Nowhere => (None, None, None),
    };
    let fields = PyDict::new(py);
    fields.set_item("message", &error.message)?;
    fields.set_item("file", file)?;
    fields.set_item("line", line)?;
    fields.set_item("column", column)?;
    fields.set_item("key", &error.key)?;
    fields.set_item("value", error.value.as_deref())?;
    fields.set_item("remedy", error.remedy.as_deref())?;
    Ok(fields)
}
