//! Surfaces of shapes as triangles, for pictures.

mod lathe;
mod refine;
mod surface_nets;

pub(crate) use lathe::{arc, lathe};
pub use refine::{refined, refined_where};
pub(crate) use surface_nets::{NodeGrid, surface_nets};
