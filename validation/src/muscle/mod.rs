//! Flesh and muscle against closed forms: Wang et al. 2023.

mod bar;
mod fibers;
mod laws;

pub use fibers::{FIBERS, ISOMETRIC};
pub use laws::{KEPT, LAWS};

/// Distance of the particles [m].
const SPACING: f64 = 0.02;
/// Density [kg/m3].
const DENSITY: f64 = 1000.0;
/// Young's modulus without fibres [Pa].
const YOUNGS_MODULUS: f64 = 5e4;
