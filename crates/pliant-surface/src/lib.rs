//! Closed surfaces of what is made of loose particles: water, sand, snow, goo.
//!
//! [`reconstruct`] takes positions and gives the triangles of a surface around them, smoothed without
//! losing volume; a [`Carrier`] takes velocities, colours and whatever else particles have to its
//! vertices. Both give the same bits on any number of threads and in any order of subdomains.
//!
//! Marching cubes of the density field on a grid of subdomains is done by the crate `splashsurf_lib`;
//! nothing of it is seen from outside.

mod carrier;
mod cells;
mod error;
mod field;
mod order;
mod settings;
mod smoothing;
mod surface;

pub use carrier::{Carrier, Share};
pub use error::SurfaceError;
pub use settings::SurfaceSettings;
pub use surface::{Surface, reconstruct};

#[cfg(test)]
mod tests;
