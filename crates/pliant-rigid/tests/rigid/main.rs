//! Rigid bodies through the engine: motion, contacts, joints.

mod bounces;
mod contacts;
mod fluids;
mod joints;
mod motion;
mod particles;
mod pulls;
mod scales;
mod stacks;
mod worlds;
