//! The extension module `pliant._engine` of the Python package `pliant`.
//!
//! | what | where |
//! | --- | --- |
//! | a simulation: stepping, reading, acting | `simulation` |
//! | who uses it, and may change it | `used` |
//! | a simulation that is recorded to a folder | `recording` |
//! | pictures and films as files | `pictures` |
//! | many simulations of one scene | `batch` |
//! | columns that arrays show without a copy | `shown` |
//! | columns that a program writes | `edited`, `columns` |
//! | arrays made of what a frame tells | `arrays` |
//! | what a scene is read from | `source` |
//! | Ctrl-C while the interpreter is not held | `signals` |
//! | threads, and processes that were forked | `threads` |
//! | exceptions | `errors` |
//!
//! Arguments are checked for their types here and for their meaning by the library; the package in
//! `python/pliant` turns its own types into these.

mod arrays;
mod batch;
mod columns;
mod edited;
mod errors;
mod pictures;
mod recording;
mod shown;
mod signals;
mod simulation;
mod source;
mod threads;
mod used;

use pyo3::prelude::*;

/// What is compiled of the package.
#[pymodule]
mod _engine {
    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::edited::EditedParticles;
    #[pymodule_export]
    use super::pictures::{film, png};
    #[pymodule_export]
    use super::recording::Recording;
    #[pymodule_export]
    use super::shown::Particles;
    #[pymodule_export]
    use super::simulation::Simulation;

    use super::*;

    /// Scene files of this version as a schema, JSON.
    #[pyfunction]
    fn schema() -> String {
        pliant::scene::schema().to_string()
    }
}
