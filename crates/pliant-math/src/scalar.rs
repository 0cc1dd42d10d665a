//! The scalar the solvers compute in, and the vectors made of it.
//!
//! `Real` is `f32`; the cargo feature `double` makes it `f64` so that the physics can be verified
//! without rounding in the way. Positions are always `DVec3`: differences are taken in double and
//! rounded after, because single-precision positions lose small strains at small steps.

pub use glam::{DMat3, DQuat, DVec2, DVec3};

/// The scalar of velocities, strains, multipliers and kernel data.
#[cfg(not(feature = "double"))]
pub type Real = f32;
/// The scalar of velocities, strains, multipliers and kernel data.
#[cfg(feature = "double")]
pub type Real = f64;

/// A vector of three [`Real`]s, 16 bytes wide in single precision so that it fills a SIMD register.
#[cfg(not(feature = "double"))]
pub type Vec3 = glam::Vec3A;
/// A vector of three [`Real`]s.
#[cfg(feature = "double")]
pub type Vec3 = DVec3;

/// A 3x3 matrix of [`Real`]s, column-major.
#[cfg(not(feature = "double"))]
pub type Mat3 = glam::Mat3A;
/// A 3x3 matrix of [`Real`]s, column-major.
#[cfg(feature = "double")]
pub type Mat3 = DMat3;

/// Rounds a double-precision vector to the solver's precision.
#[inline(always)]
pub fn to_real(v: DVec3) -> Vec3 {
    #[cfg(not(feature = "double"))]
    return v.as_vec3a();
    #[cfg(feature = "double")]
    return v;
}

/// Widens a solver vector to double precision.
#[inline(always)]
pub fn to_double(v: Vec3) -> DVec3 {
    #[cfg(not(feature = "double"))]
    return v.as_dvec3();
    #[cfg(feature = "double")]
    return v;
}

/// Rounds a solver number to single precision, in which files and pictures hold it.
#[inline(always)]
pub fn to_single(x: Real) -> f32 {
    #[cfg(not(feature = "double"))]
    return x;
    #[cfg(feature = "double")]
    return x as f32;
}
