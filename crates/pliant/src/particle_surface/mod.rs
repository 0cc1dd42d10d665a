//! Surfaces around loose particles as columns of a frame, for files and for pictures.

mod columns;
mod group;
mod maker;

pub use group::{Group, groups};
pub use maker::{NoSurface, SurfaceMaker, SurfaceOf, SurfaceRequest, UnknownSurface};
