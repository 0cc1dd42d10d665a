//! Particles, neighbours, constraints, contacts, methods, the world and its substep.
//!
//! The rooms in reading order; a room uses those before it, never those after it:
//! {`clock`, `schedule`}, `particles`, `neighbors`, `kernels`, {`integrator`, `forces`,
//! `boundaries`, `constraints`, `solvers`}, {`interactions`, `contacts`, `attachments`, `rest`}, `method`, `world`, `methods`, `measure`, `step`.

pub mod attachments;
pub mod boundaries;
pub mod clock;
pub mod constraints;
pub mod contacts;
pub mod forces;
pub mod integrator;
pub mod interactions;
pub mod kernels;
pub mod measure;
pub mod method;
pub mod methods;
pub mod neighbors;
pub mod particles;
pub mod rest;
pub mod schedule;
pub mod solvers;
pub mod step;
pub mod world;

pub use pliant_parallel as parallel;
