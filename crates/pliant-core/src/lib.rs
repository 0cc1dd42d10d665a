//! Particles, neighbours, constraints, contacts, methods, the world and its substep.

pub mod boundaries;
pub mod measure;
pub mod world;
