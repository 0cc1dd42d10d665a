//! Cloth in a world: with itself, with colliders, with other bodies.

mod default_steps;
mod folds;
mod hanging;
mod passing;
mod readings;
pub mod sheets;
