//! Surfaces of shapes as triangles, for pictures.

mod lathe;
mod surface_nets;

pub(crate) use lathe::{arc, lathe};
pub(crate) use surface_nets::surface_nets;
