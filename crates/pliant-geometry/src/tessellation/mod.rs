//! Surfaces of shapes as triangles.

mod lathe;
mod refine;
mod surface_nets;

pub(crate) use lathe::{arc, lathe};
pub use refine::{refined, refined_where};
pub use surface_nets::meshed;
pub(crate) use surface_nets::{NodeGrid, surface_nets};
