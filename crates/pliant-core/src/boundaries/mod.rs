//! What bounds the world: shapes, motion, friction.

mod collider;
mod motion;

pub use crate::schedule::Ease;
pub use collider::{Collider, ColliderStep, Grip};
pub use motion::{Keyframe, Motion};
