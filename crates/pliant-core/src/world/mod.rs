//! The world: what never changes, and what moves.

mod setup;

pub use setup::{
    Body, Bounds, Emitter, InitialParticles, Material, Multiplier, OnExit, Ordering, Plasticity,
    Setup, SolverSettings, XpbiSettings,
};
