//! Columns of particles that arrays show without a copy.
//!
//! Arrays point into the memory of a simulation's columns. Before the simulation changes or goes, whoever holds
//! it gives that memory to [`Shown`], which the arrays keep alive, and goes on with a copy: what an array shows
//! never changes and never dangles, and nothing is copied unless an array lives.

#![allow(unsafe_code)]

use std::slice;
use std::sync::{Arc, OnceLock, Weak};

use numpy::ndarray::{ArrayView1, ArrayView2, ShapeBuilder};
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods};
use pliant::core::measure::Wanted;
use pliant::core::particles;
use pliant::math::{DVec3, Real, Vec3};
use pliant::render::Picture;
use pliant::{PictureLook, Simulation, SimulationError};
use pyo3::prelude::*;

/// A simulation whose columns are shown. Nothing else can change it or read its particles.
pub struct Held {
    simulation: Simulation,
    shown: Weak<Shown>,
}

/// The columns of one moment.
struct Shown {
    // Valid as long as this is: they lie in the simulation until it is about to change, from then on in `kept`.
    position: &'static [DVec3],
    velocity: &'static [Vec3],
    mass: &'static [Real],
    inverse_mass: &'static [Real],
    radius: &'static [Real],
    body: &'static [u32],
    id: &'static [u32],
    /// The memory, once the simulation has gone on without it.
    kept: OnceLock<particles::Particles>,
}

impl Held {
    /// Holds a simulation.
    pub fn new(simulation: Simulation) -> Self {
        Self {
            simulation,
            shown: Weak::new(),
        }
    }

    /// The simulation, to be read.
    pub fn read(&self) -> &Simulation {
        &self.simulation
    }

    /// The simulation, to be changed.
    pub fn change(&mut self) -> &mut Simulation {
        self.release();
        &mut self.simulation
    }

    /// Computes a frame, which leaves the particles as they are.
    ///
    /// * `quantities` — their names; `None`: all
    pub fn update_frame(
        &mut self,
        quantities: Option<&[&str]>,
        surfaces: bool,
    ) -> Result<(), SimulationError> {
        match quantities {
            Some(names) => self.simulation.frame_of(names, surfaces).map(|_| ()),
            None => {
                let quantities = None;
                self.simulation.frame_with(Wanted {
                    quantities,
                    surfaces,
                });
                Ok(())
            }
        }
    }

    /// Makes a picture, which leaves the particles as they are.
    pub fn paint(&mut self, look: &PictureLook) -> Result<Picture, SimulationError> {
        self.simulation.picture(look)
    }

    /// The columns as they are now.
    fn show(&mut self) -> Arc<Shown> {
        if let Some(shown) = self.shown.upgrade() {
            return shown;
        }
        let columns = self.simulation.particles();
        // SAFETY: the slices lie in vectors of the simulation. It is private to `Held`, which lets it be
        // changed by `change` alone and dropped by `drop` alone; both move those vectors, and with them the
        // memory, into `kept` before, if anybody still has this `Shown`. So the memory lives, unchanged, as long
        // as the `Shown`, and the slices leave it with an owner of the `Shown` only.
        let shown = unsafe {
            Shown {
                position: forever(&columns.position),
                velocity: forever(&columns.velocity),
                mass: forever(&columns.mass),
                inverse_mass: forever(&columns.inverse_mass),
                radius: forever(&columns.radius),
                body: forever(&columns.body),
                id: forever(&columns.id),
                kept: OnceLock::new(),
            }
        };
        let shown = Arc::new(shown);
        self.shown = Arc::downgrade(&shown);
        shown
    }

    /// Gives the memory that is shown away.
    fn release(&mut self) {
        if let Some(shown) = self.shown.upgrade() {
            // It is filled once only: the simulation forgets this `Shown` here.
            let _ = shown.kept.set(self.simulation.give_particles());
        }
        self.shown = Weak::new();
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.release();
    }
}

/// # Safety
/// The slice is not to be used after its memory is gone or while it changes.
unsafe fn forever<T>(slice: &[T]) -> &'static [T] {
    // SAFETY: a valid slice for as long as the caller takes care of.
    unsafe { slice::from_raw_parts(slice.as_ptr(), slice.len()) }
}

/// The particles of a simulation at the moment they were asked for, in the order of its memory.
///
/// Its arrays are views: nothing is copied unless the simulation changes while this or an array of it lives. Then
/// the simulation goes on with a copy, and the arrays keep what they show.
#[pyclass(frozen, module = "pliant")]
pub struct Particles(Arc<Shown>);

impl Particles {
    /// Those of a simulation.
    pub fn of(held: &mut Held) -> Self {
        Self(held.show())
    }

    /// How many they are.
    pub fn count(&self) -> usize {
        self.0.id.len()
    }

    /// Positions [m].
    pub fn positions(&self) -> &[DVec3] {
        self.0.position
    }

    /// Velocities [m/s].
    pub fn velocities(&self) -> &[Vec3] {
        self.0.velocity
    }
}

#[pymethods]
impl Particles {
    fn __len__(&self) -> usize {
        self.count()
    }

    fn __repr__(&self) -> String {
        format!("<{} particles>", self.count())
    }

    /// Positions [m], float64 of shape (n, 3).
    #[getter]
    fn position<'py>(this: &Bound<'py, Self>) -> Bound<'py, PyArray2<f64>> {
        // SAFETY: a `DVec3` begins with three `f64` in a row.
        unsafe { vectors(this, this.get().0.position) }
    }

    /// Velocities [m/s], float32 of shape (n, 3), with a gap behind each row.
    #[getter]
    fn velocity<'py>(this: &Bound<'py, Self>) -> Bound<'py, PyArray2<Real>> {
        // SAFETY: a `Vec3` begins with three `Real` in a row.
        unsafe { vectors(this, this.get().0.velocity) }
    }

    /// Masses [kg], float32 of shape (n,).
    #[getter]
    pub fn mass<'py>(this: &Bound<'py, Self>) -> Bound<'py, PyArray1<Real>> {
        scalars(this, this.get().0.mass)
    }

    /// Inverse masses [1/kg], 0 of what is held, float32 of shape (n,).
    #[getter]
    pub fn inverse_mass<'py>(this: &Bound<'py, Self>) -> Bound<'py, PyArray1<Real>> {
        scalars(this, this.get().0.inverse_mass)
    }

    /// Contact radii [m], half the spacing of their bodies, float32 of shape (n,).
    #[getter]
    pub fn radius<'py>(this: &Bound<'py, Self>) -> Bound<'py, PyArray1<Real>> {
        scalars(this, this.get().0.radius)
    }

    /// Bodies, places in `Simulation.bodies`, uint32 of shape (n,).
    #[getter]
    pub fn body<'py>(this: &Bound<'py, Self>) -> Bound<'py, PyArray1<u32>> {
        scalars(this, this.get().0.body)
    }

    /// Stable ids, never used twice, uint32 of shape (n,).
    #[getter]
    pub fn id<'py>(this: &Bound<'py, Self>) -> Bound<'py, PyArray1<u32>> {
        scalars(this, this.get().0.id)
    }
}

/// A read-only array of rows of three, which keeps its owner alive. What stands in a vector behind its three
/// numbers is stepped over.
///
/// # Safety
/// A `V` begins with three `T` in a row.
unsafe fn vectors<'py, T: Element, V>(
    owner: &Bound<'py, Particles>,
    column: &'static [V],
) -> Bound<'py, PyArray2<T>> {
    let shape = (column.len(), 3).strides((size_of::<V>() / size_of::<T>(), 1));
    // SAFETY: shape and strides reach the first three numbers of each vector, and the memory does not move or
    // change while the owner lives.
    let array = unsafe {
        let view = ArrayView2::from_shape_ptr(shape, column.as_ptr().cast::<T>());
        PyArray2::borrow_from_array(&view, owner.clone().into_any())
    };
    array.readwrite().make_nonwriteable();
    array
}

/// A read-only array of numbers, which keeps its owner alive.
fn scalars<'py, T: Element>(
    owner: &Bound<'py, Particles>,
    numbers: &'static [T],
) -> Bound<'py, PyArray1<T>> {
    // SAFETY: the shape covers the slice, and its memory does not move or change while the owner lives.
    let array = unsafe {
        let view = ArrayView1::from_shape_ptr(numbers.len(), numbers.as_ptr());
        PyArray1::borrow_from_array(&view, owner.clone().into_any())
    };
    array.readwrite().make_nonwriteable();
    array
}
