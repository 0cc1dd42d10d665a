//! Vectors, symmetric tensors and their functions, poses and keyed random numbers.
//!
//! Pure functions of numbers: no particles, no files, no threads.

mod pose;
mod random;
mod scalar;
mod symmetric;

pub use pose::Pose;
pub use random::RandomStream;
pub use scalar::{DMat3, DQuat, DVec3, Mat3, Real, Vec3, to_double, to_real};
pub use symmetric::SymMat3;
