//! Particles that a shape brings with it.

use pliant_math::DVec3;

/// Vectors at points, at least one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VectorSamples {
    /// Positions [m], finite.
    pub position: Vec<DVec3>,
    /// A finite vector at each of them.
    pub vector: Vec<DVec3>,
}

/// Particles that stand for themselves: nothing is left to sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// Positions [m], finite.
    pub position: Vec<DVec3>,
    /// Velocities [m/s], one a position, or none at all.
    pub velocity: Vec<DVec3>,
    /// Names of what else the source holds, which nobody reads.
    pub ignored: Vec<String>,
}
