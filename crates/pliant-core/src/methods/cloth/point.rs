//! Particles as constraints read and move them.

use pliant_math::Vector3;
use pliant_math::simd::Number;

/// Position and velocity of a particle as constraints read them.
#[derive(Clone, Copy, Debug)]
pub struct Point<N> {
    /// Velocity [m/s].
    pub velocity: Vector3<N>,
    /// Inverse mass [1/kg].
    pub inverse_mass: N,
    /// Impulses that it was given [kg m/s], be it free or held.
    pub received: Vector3<N>,
}

impl<N: Number> Point<N> {
    /// From a record of a velocity and an inverse mass.
    #[inline(always)]
    pub fn new([x, y, z, inverse_mass]: [N; 4]) -> Self {
        Self {
            velocity: Vector3 { x, y, z },
            inverse_mass,
            received: Vector3::ZERO,
        }
    }

    /// The record.
    #[inline(always)]
    pub fn record(self) -> [N; 4] {
        let Vector3 { x, y, z } = self.velocity;
        [x, y, z, self.inverse_mass]
    }

    /// Takes an impulse [kg m/s].
    #[inline(always)]
    pub fn push(&mut self, impulse: Vector3<N>) {
        self.velocity = self.velocity + impulse * self.inverse_mass;
        self.received = self.received + impulse;
    }
}
