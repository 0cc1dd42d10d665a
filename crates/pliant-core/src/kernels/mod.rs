//! Smoothing kernels and the correction that makes their gradients exact for linear fields.

mod correction;
mod wendland;

pub use correction::{Correction, CutOff};
pub use wendland::Wendland;
