//! The method `rigid`: shapes as solid bodies with mass, where they meet, and joints between them.
//!
//! The core iterates all impulses (`pliant_core::contacts`); what stands here tells it where solid shapes
//! meet, by Rapier, and moves bodies once the velocities are known, under their joints.
//!
//! - [`rigid_shape`]: mass, centre and inertia of a shape.
//! - [`Joint`]: what joins two bodies.
//! - [`Engine`]: the source of engines for a world; [`grown`] makes one for further bodies.

mod engine;
mod joint;
mod member;
mod motion;
mod rows;
mod shape;

pub use engine::{Engine, grown};
pub use joint::{End, Joint, JointKind, Motor};
pub use shape::rigid_shape;
