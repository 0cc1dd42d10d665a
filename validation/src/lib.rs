//! Closed-form solutions and published numbers as tests, named as claims.
//!
//! The library builds the cases; the claims stand in `tests/`. Cases drive the engine's core without
//! scene files, so that a wrong number points at the physics.

mod cases;

pub use cases::{Case, box_lattice, elastic, run, sand, von_mises};

pub mod beam;
pub mod column;
