//! Texture coordinates of bodies.

use std::sync::Arc;

use pliant_geometry::{Shape, UvMap};
use pliant_math::Pose;

/// What tells the texture coordinates of a shape that is somewhere, if it has some.
pub(super) fn uv_map(shape: &dyn Shape, pose: Pose) -> Option<Arc<UvMap>> {
    let placed = shape.textured()?.moved(|x| pose.to_world(x));
    Some(Arc::new(UvMap::new(placed)))
}
