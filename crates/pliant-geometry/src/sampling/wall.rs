//! Points that move, and the surface that they keep away from.

use pliant_math::DVec3;

use crate::Shape;

/// A point, and how deep below the surface it lies at least [m].
#[derive(Clone, Copy)]
pub(super) struct Sample {
    pub(super) position: DVec3,
    /// How it was moved last [m].
    pub(super) last_step: DVec3,
    least_depth: f64,
}

impl Sample {
    /// A point of which nothing else is known.
    pub(super) fn new(position: DVec3) -> Self {
        Self {
            position,
            last_step: DVec3::ZERO,
            least_depth: 0.0,
        }
    }
}

/// The surface, which points keep away from.
pub(super) struct Wall<'a> {
    pub(super) shape: &'a dyn Shape,
    /// Depth that they are lifted to [m].
    pub(super) depth: f64,
}

impl Wall<'_> {
    /// Moves a point and lifts it off the surface; it never leaves the shape.
    pub(super) fn advance(&self, sample: &mut Sample, step: DVec3) {
        let moved = sample.position + step;
        let depth_left = sample.least_depth - step.length();
        if depth_left > self.depth {
            sample.position = moved;
            sample.least_depth = depth_left;
            return;
        }
        let depth = -self.shape.signed_distance(moved);
        let lifted = moved - (self.depth - depth) * self.shape.normal(moved);
        let lifted_depth = -self.shape.signed_distance(lifted);
        if depth < self.depth && lifted_depth > depth.max(0.0) {
            sample.position = lifted;
            sample.least_depth = lifted_depth;
        } else if depth > 0.0 {
            sample.position = moved;
            sample.least_depth = depth;
        }
    }
}
