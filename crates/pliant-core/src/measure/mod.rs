//! What is read off a world: frames for outputs, statistics, probes.

mod frame;

pub use frame::{Frame, FrameBody, FrameCollider, Quantity};
