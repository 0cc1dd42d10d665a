//! Why there is no surface.

use thiserror::Error;

/// Why there is no surface.
#[derive(Debug, Error)]
pub enum SurfaceError {
    /// A particle is nowhere.
    #[error("the position of particle {particle} is not finite")]
    NotFinite {
        /// Its place, from 0.
        particle: usize,
    },
    /// A setting that makes no sense.
    #[error("`{name}` is {value}; it must be from {least} to {most}")]
    Setting {
        /// Its name.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The least that is allowed.
        least: f64,
        /// The most that is allowed.
        most: f64,
    },
    /// Particles are so far apart that cubes cannot be counted.
    #[error(
        "particle {particle} is more than {most:.0e} cubes from the origin; take larger cubes or leave it out"
    )]
    TooFar {
        /// Its place, from 0.
        particle: usize,
        /// The most that is allowed.
        most: f64,
    },
    /// The field could not be evaluated.
    #[error("marching cubes failed: {0}")]
    MarchingCubes(String),
}
