//! Linear blend skinning: points that follow several joints.

use pliant_math::DVec3;

use super::transform::Transform;

/// Where the joints of a point take it, added up.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Blend {
    sum: DVec3,
    weight: f64,
}

impl Blend {
    /// Adds where a joint takes the point.
    pub(super) fn add(&mut self, joint: &Transform, point: DVec3, weight: f64) {
        self.sum += joint.place(point) * weight;
        self.weight += weight;
    }

    /// The sum, each place by its weight: `Σ w T x`. It is where the point goes if the weights add up to 1.
    pub(super) fn sum(&self) -> DVec3 {
        self.sum
    }

    /// The mean, `Σ w T x / Σ w`; `None` if there are no weights greater than 0.
    pub(super) fn mean(&self) -> Option<DVec3> {
        (self.weight > 0.0).then(|| self.sum / self.weight)
    }
}
