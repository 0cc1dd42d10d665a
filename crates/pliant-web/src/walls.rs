//! The colliders and rigid bodies of a scene as triangles.

use std::ops::Range;
use std::sync::Arc;

use pliant_core::measure::{FrameCollider, SceneryKind};
use pliant_geometry::Shape;
use pliant_math::DVec3;

use crate::view::color_bytes;

/// Triangles of what is drawn, where it is now: three corners each, with their colours.
#[derive(Clone, Debug, Default)]
pub struct Walls {
    /// Corners [m].
    pub corners: Vec<[f32; 3]>,
    /// Red, green, blue in sRGB and the opacity of each corner.
    pub colors: Vec<[u8; 4]>,
    /// The corners of rigid bodies among them.
    pub of_rigid_bodies: Range<usize>,
    /// The triangles of each collider in its own coordinates, and the shape that they were made of.
    local: Vec<(Arc<dyn Shape>, Vec<DVec3>)>,
}

impl Walls {
    /// Moves the triangles to where the colliders are now; those of new shapes are made.
    ///
    /// * `extent` — what shapes without end are drawn as large as [m]
    pub fn update(&mut self, colliders: &[FrameCollider], extent: f64) {
        self.local.truncate(colliders.len());
        self.corners.clear();
        self.colors.clear();
        self.of_rigid_bodies = 0..0;
        for (k, collider) in colliders.iter().enumerate() {
            let is_known = self
                .local
                .get(k)
                .is_some_and(|(shape, _)| Arc::ptr_eq(shape, &collider.shape));
            if !is_known {
                self.local.truncate(k);
                let made = (Arc::clone(&collider.shape), triangles(collider, extent));
                self.local.push(made);
            }
            let corners = self.local[k].1.iter().map(|&corner| {
                let corner = collider.pose.to_world(corner);
                [corner.x as f32, corner.y as f32, corner.z as f32]
            });
            let first = self.corners.len();
            self.corners.extend(corners);
            if collider.kind == SceneryKind::RigidBody {
                let others = &self.of_rigid_bodies;
                let start = if others.is_empty() {
                    first
                } else {
                    others.start
                };
                self.of_rigid_bodies = start..self.corners.len();
            }
            let color = color_bytes(collider.color, collider.opacity);
            self.colors.resize(self.corners.len(), color);
        }
    }
}

/// The corners of the triangles of a collider; none if it is not drawn.
fn triangles(collider: &FrameCollider, extent: f64) -> Vec<DVec3> {
    if collider.opacity <= 0.0 {
        return Vec::new();
    }
    let mesh = collider.shape.surface(extent);
    let corners = mesh.triangles.iter().flatten();
    corners
        .filter_map(|&corner| mesh.vertices.get(corner as usize).copied())
        .collect()
}
