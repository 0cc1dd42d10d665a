//! Colliders and blades: shapes, motion, friction.

mod blade;
mod collider;
mod crossing;
mod deformation;
mod motion;
mod reactions;
mod rigid;

pub use crate::schedule::Ease;
pub use blade::{Blade, BladeStep, MovingSegment};
pub use collider::{Collider, ColliderStep, Grip, Near, Nearest};
pub use deformation::DeformedColliders;
pub use motion::{Keyframe, Motion};
pub use reactions::ColliderReactions;
pub use rigid::{RigidStep, turn_between, turned};
