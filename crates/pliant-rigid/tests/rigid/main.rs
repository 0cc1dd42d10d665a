//! Rigid bodies through the engine: motion, contacts, joints.

mod contacts;
mod joints;
mod motion;
mod particles;
mod worlds;
