//! Smoothing kernels and the correction that makes their gradients exact for linear fields.

mod correction;
mod free_surface;
mod rest;
mod wendland;

pub use correction::Correction;
pub use free_surface::FreeSurface;
pub use rest::rest_fraction;
pub use wendland::Wendland;
