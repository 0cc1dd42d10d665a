//! Smoothing kernels and the correction that makes their gradients exact for linear fields.

mod correction;
mod rest;
mod wendland;

pub use correction::{Correction, CutOff};
pub use rest::rest_fraction;
pub use wendland::Wendland;
