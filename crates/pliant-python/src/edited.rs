//! Positions and velocities that a program writes into arrays and gives the particles of a simulation at once.
//!
//! The arrays are NumPy's own, filled when they are asked for first. What is in them is copied and checked when the
//! block ends, so that whoever keeps one writes into nothing but his array.

use std::sync::{Arc, Mutex, MutexGuard};

use numpy::{Element, PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pliant::core::step::NewMotion;
use pliant::math::{DVec3, Real, Vec3};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyEllipsis};

use crate::columns::read_rows;
use crate::errors;
use crate::shown::Particles;
use crate::simulation::Simulation;

/// The particles of a simulation in a block that gives them other positions and velocities.
#[pyclass(frozen, module = "pliant")]
pub struct EditedParticles {
    simulation: Py<Simulation>,
    stage: Mutex<Stage>,
}

enum Stage {
    /// Before the block.
    New,
    /// In the block.
    Open(Open),
    /// After it.
    Over,
}

/// What there is in the block.
struct Open {
    particles: Py<Particles>,
    position: Option<Py<PyArray2<f64>>>,
    velocity: Option<Py<PyArray2<Real>>>,
    /// As long as it is there nothing else changes the simulation.
    claim: Arc<()>,
}

impl EditedParticles {
    /// Those of a simulation, before the block.
    pub fn of(simulation: Py<Simulation>) -> Self {
        Self {
            simulation,
            stage: Mutex::new(Stage::New),
        }
    }

    fn stage(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Stage>> {
        self.stage.try_lock().map_err(|_| errors::busy(py))
    }

    /// Does something in the block.
    fn inside<R>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Open) -> PyResult<R>,
    ) -> PyResult<R> {
        match &mut *self.stage(py)? {
            Stage::Open(open) => work(open),
            Stage::New => {
                let message = "an edit begins with a block: `with simulation.edit() as particles:`";
                Err(errors::named(py, "ChangeError", message))
            }
            Stage::Over => {
                let message = "this edit is over: begin another one with `simulation.edit()`";
                Err(errors::named(py, "ChangeError", message))
            }
        }
    }

    /// A column of the particles that is read only.
    fn column<'py, T: Element>(
        &self,
        py: Python<'py>,
        column: impl FnOnce(&Bound<'py, Particles>) -> Bound<'py, PyArray1<T>>,
    ) -> PyResult<Bound<'py, PyArray1<T>>> {
        self.inside(py, |open| Ok(column(open.particles.bind(py))))
    }
}

#[pymethods]
impl EditedParticles {
    fn __enter__<'py>(this: Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        let py = this.py();
        let own = this.get();
        if !matches!(*own.stage(py)?, Stage::New) {
            let message = "an edit is one block: begin another one with `simulation.edit()`";
            return Err(errors::named(py, "ChangeError", message));
        }
        let (particles, claim) = own.simulation.get().claim(py)?;
        *own.stage(py)? = Stage::Open(Open {
            particles: Py::new(py, particles)?,
            position: None,
            velocity: None,
            claim,
        });
        Ok(this)
    }

    /// Gives the particles what is in the arrays, unless the block was left by an exception.
    fn __exit__(
        &self,
        py: Python<'_>,
        class: &Bound<'_, PyAny>,
        _exception: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        let stage = std::mem::replace(&mut *self.stage(py)?, Stage::Over);
        let Stage::Open(open) = stage else {
            return Ok(false);
        };
        let position = open.position.map(|array| array.into_bound(py).into_any());
        let velocity = open.velocity.map(|array| array.into_bound(py).into_any());
        for array in position.iter().chain(&velocity) {
            array.getattr("flags")?.setattr("writeable", false)?;
        }
        let is_left_whole = class.is_none() && (position.is_some() || velocity.is_some());
        if !is_left_whole {
            return Ok(false);
        }
        let count = open.particles.get().count();
        let motion = NewMotion {
            position: taken(position, count, "position", DVec3::from_array)?,
            velocity: taken(velocity, count, "velocity", Vec3::from_array)?,
        };
        // While this shows them, the simulation would have to copy what it changes.
        drop(open.particles);
        drop(open.claim);
        self.simulation.get().give_motion(py, motion)?;
        Ok(false)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.inside(py, |open| Ok(open.particles.get().count()))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(match &*self.stage(py)? {
            Stage::New => "<particles before they are edited>".to_owned(),
            Stage::Open(open) => format!("<{} edited particles>", open.particles.get().count()),
            Stage::Over => "<particles after they were edited>".to_owned(),
        })
    }

    /// Positions [m], float64 of shape (n, 3), to be written into.
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.inside(py, |open| {
            let shown = open.particles.get();
            written(py, &mut open.position, || {
                shown.positions().iter().map(|x| x.to_array()).collect()
            })
        })
    }

    #[setter]
    fn set_position(&self, py: Python<'_>, values: &Bound<'_, PyAny>) -> PyResult<()> {
        assign(self.position(py)?.as_any(), values)
    }

    /// Velocities [m/s], float32 of shape (n, 3), to be written into.
    #[getter]
    fn velocity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<Real>>> {
        self.inside(py, |open| {
            let shown = open.particles.get();
            written(py, &mut open.velocity, || {
                shown.velocities().iter().map(|v| v.to_array()).collect()
            })
        })
    }

    #[setter]
    fn set_velocity(&self, py: Python<'_>, values: &Bound<'_, PyAny>) -> PyResult<()> {
        assign(self.velocity(py)?.as_any(), values)
    }

    /// Masses [kg], float32 of shape (n,), read-only.
    #[getter]
    fn mass<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<Real>>> {
        self.column(py, Particles::mass)
    }

    /// Inverse masses [1/kg], 0 of what is held, float32 of shape (n,), read-only.
    #[getter]
    fn inverse_mass<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<Real>>> {
        self.column(py, Particles::inverse_mass)
    }

    /// Contact radii [m], float32 of shape (n,), read-only.
    #[getter]
    fn radius<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<Real>>> {
        self.column(py, Particles::radius)
    }

    /// Bodies, places in `Simulation.bodies`, uint32 of shape (n,), read-only.
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        self.column(py, Particles::body)
    }

    /// Stable ids, uint32 of shape (n,), read-only.
    #[getter]
    fn id<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        self.column(py, Particles::id)
    }
}

/// The array that is written into: the one that there is, or one of what there is now.
fn written<'py, T: Element>(
    py: Python<'py>,
    array: &mut Option<Py<PyArray2<T>>>,
    now: impl FnOnce() -> Vec<[T; 3]>,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    if let Some(array) = array {
        return Ok(array.bind(py).clone());
    }
    let made = crate::arrays::rows(py, now())?;
    *array = Some(made.clone().unbind());
    Ok(made)
}

/// `array[...] = values`; an array that was changed in place is there already.
fn assign(array: &Bound<'_, PyAny>, values: &Bound<'_, PyAny>) -> PyResult<()> {
    match array.is(values) {
        true => Ok(()),
        false => array.set_item(PyEllipsis::get(array.py()), values),
    }
}

/// What is in an array that was given to a program, if it was.
fn taken<T: Element + Copy, V>(
    array: Option<Bound<'_, PyAny>>,
    count: usize,
    column: &str,
    vector: impl Fn([T; 3]) -> V,
) -> PyResult<Option<Vec<V>>> {
    let Some(array) = array else {
        return Ok(None);
    };
    // Whoever had it may have given it another shape or type in place.
    let rows = match array.cast::<PyArray2<T>>() {
        Ok(array) if array.shape() == [count, 3] => read_rows(&array.readonly(), vector),
        _ => None,
    };
    match rows {
        Some(rows) => Ok(Some(rows)),
        None => {
            let message = format!(
                "the array of the {column} keeps its type and its shape ({count}, 3): write into it as it is"
            );
            Err(errors::named(array.py(), "InvalidValueError", &message))
        }
    }
}
