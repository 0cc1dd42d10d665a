//! Walking over the points of a lattice that lie inside a shape, in time that grows with their
//! number: whole blocks are skipped or taken by the distance at their middle.

use pliant_math::DVec3;

use crate::Shape;

/// A lattice of `counts` points along each axis.
pub(super) struct Walk<'a> {
    pub(super) shape: &'a dyn Shape,
    pub(super) counts: [usize; 3],
    /// Where a point of the lattice is, up to `slack`.
    pub(super) position: &'a dyn Fn([usize; 3]) -> DVec3,
    /// How far a point may be from where `position` of its neighbours in a straight lattice says,
    /// or how far the visitor will move it [m].
    pub(super) slack: f64,
}

/// What is known of a visited point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Place {
    /// Inside, and so is everything within the slack.
    Inside,
    /// Perhaps near the surface: the visitor has to ask.
    Unknown,
}

impl Walk<'_> {
    /// Visits every point that is not certainly outside.
    pub(super) fn visit(&self, visitor: &mut dyn FnMut([usize; 3], Place)) {
        if self.counts.iter().all(|n| *n > 0) {
            self.visit_block([0; 3], self.counts, visitor);
        }
    }

    fn visit_block(
        &self,
        low: [usize; 3],
        high: [usize; 3],
        visitor: &mut dyn FnMut([usize; 3], Place),
    ) {
        let first = (self.position)(low);
        let last = (self.position)(high.map(|i| i - 1));
        let radius = 0.5 * first.distance(last) + self.slack;
        let distance = self.shape.signed_distance(0.5 * (first + last));
        if distance > radius {
            return;
        }
        let widths: [usize; 3] = std::array::from_fn(|axis| high[axis] - low[axis]);
        let axis = (0..3).max_by_key(|axis| widths[*axis]).unwrap_or(0);
        if distance < -radius {
            for_all(low, high, &mut |index| visitor(index, Place::Inside));
        } else if widths[axis] == 1 {
            visitor(low, Place::Unknown);
        } else {
            let (mut lower_high, mut upper_low) = (high, low);
            lower_high[axis] = low[axis] + widths[axis] / 2;
            upper_low[axis] = lower_high[axis];
            self.visit_block(low, lower_high, visitor);
            self.visit_block(upper_low, high, visitor);
        }
    }
}

fn for_all(low: [usize; 3], high: [usize; 3], visitor: &mut dyn FnMut([usize; 3])) {
    for z in low[2]..high[2] {
        for y in low[1]..high[1] {
            for x in low[0]..high[0] {
                visitor([x, y, z]);
            }
        }
    }
}
