//! What a surface needs to know of the body that carries it.

use std::fmt::Debug;

use pliant_math::DVec3;

/// A body at rest whose particles may carry a surface. Its particles have numbers from 0 on.
pub trait RestBody: Debug + Sync {
    /// Where its particles are at rest [m], by their numbers; finite, no two the same.
    fn positions(&self) -> &[DVec3];

    /// Particles closer than this [m], > 0, are neighbours.
    fn support_radius(&self) -> f64;

    /// Numbers of the neighbours of a particle, increasing.
    fn neighbors_of(&self, particle: usize) -> &[u32];

    /// Distance of neighbouring particles [m], > 0.
    fn spacing(&self) -> f64;
}

/// A bond between two neighbours that was cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CutBond {
    /// Numbers of the particles in the body.
    pub ends: [u32; 2],
    /// Where along the bond, from 0 at the first to 1 at the second.
    pub at: f32,
}
