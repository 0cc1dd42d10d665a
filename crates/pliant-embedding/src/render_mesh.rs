//! The surface that a body shows instead of its particles.

use std::sync::Arc;

use pliant_geometry::{Shape, TriangleMesh, UvMap};
use pliant_math::{DVec3, Pose};

/// A surface that the particles of a body carry.
#[derive(Clone, Debug)]
pub struct RenderMesh {
    /// The surface around the body at rest [m], in the coordinates of its rest shape.
    pub mesh: TriangleMesh,
    /// What tells the texture coordinates of its triangles, if they have some.
    pub uv_map: Option<Arc<UvMap>>,
    /// What the body fills.
    pub shape: Arc<dyn Shape>,
    /// Where that is.
    pub pose: Pose,
}

impl RenderMesh {
    /// Distance [m] of a point of the rest shape from the surface of what the body fills, negative
    /// inside.
    pub fn distance(&self, x: DVec3) -> f64 {
        self.shape.signed_distance(self.pose.to_local(x))
    }
}
