//! Vectors, matrices, symmetric tensors and their functions, poses, keyed random numbers, and packs of
//! sixteen numbers.
//!
//! Pure functions of numbers: no particles, no files, no threads.

mod direction;
mod eigen;
mod elementary;
mod hencky;
mod logarithm;
mod matrix;
mod pose;
mod pseudo_inverse;
mod random;
#[cfg(test)]
mod samples;
mod scalar;
pub mod simd;
mod singular_values;
mod spatial;
mod spectral;
mod symmetric;
mod transcendental;
mod vector;

pub use direction::direction;
pub use eigen::{Eigen, symmetric_eigen};
pub use hencky::{hencky_strain, strain_from_hencky};
pub use logarithm::{ln_1p_and_rest, ln_and_rest};
pub use matrix::Matrix3;
pub use pose::Pose;
pub use pseudo_inverse::{CutOff, plain_inverse, pseudo_inverse};
pub use random::RandomStream;
pub use scalar::{DMat3, DQuat, DVec2, DVec3, Mat3, Real, Vec3, to_double, to_real, to_single};
pub use singular_values::{SignedSingularValues, signed_singular_values};
pub use spatial::{RigidInertia, Spatial, inverse_inertia, point_inertia};
pub use spectral::map_eigenvalues;
pub use symmetric::SymMat3;
pub use transcendental::{exp, ln, sinh};
pub use vector::Vector3;
