//! What bounds the world: shapes, motion, friction.

mod collider;
mod motion;

pub use collider::{Collider, ColliderStep};
pub use motion::{Ease, Keyframe, Motion};
