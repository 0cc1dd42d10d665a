//! Particles that are held where they start.

use std::sync::Arc;

use pliant_geometry::{Shape, ShapeUse};
use pliant_math::{DVec3, Pose};

use super::Builder;
use crate::units::pose;

/// A region that holds the particles of a body.
struct Region {
    shape: Arc<dyn Shape>,
    pose: Pose,
}

impl Builder<'_> {
    /// Which particles of a body are held.
    pub(super) fn pinned(&mut self, body: &str, spacing: f64, positions: &[DVec3]) -> Vec<bool> {
        let mut is_pinned = vec![false; positions.len()];
        for (path, values) in self.items("attach") {
            if values.text("body") != body {
                continue;
            }
            let use_as = ShapeUse {
                is_filled: false,
                spacing,
            };
            let Some(shape) = self.shape(&path, values, use_as) else {
                continue;
            };
            let region = Region {
                shape,
                pose: pose(values),
            };
            if region.mark(positions, &mut is_pinned) == 0 {
                let message = format!("it holds no particle of the body \"{body}\"");
                self.warn(&path, message);
            }
        }
        is_pinned
    }
}

impl Region {
    /// Marks the particles inside; returns how many there are.
    fn mark(&self, positions: &[DVec3], is_pinned: &mut [bool]) -> usize {
        let mut count = 0;
        for (position, mark) in positions.iter().zip(is_pinned) {
            if self.shape.signed_distance(self.pose.to_local(*position)) <= 0.0 {
                *mark = true;
                count += 1;
            }
        }
        count
    }
}
