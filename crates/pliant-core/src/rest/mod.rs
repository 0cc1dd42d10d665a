//! Bodies at rest: what follows from the shape in which nothing is deformed, for all methods that remember it.

mod fabric;
mod rest_shape;
#[cfg(test)]
pub(crate) mod samples;
mod surface_carrier;

pub use fabric::{ALTERNATING_DIAGONALS, Fabric, RestHinge, RestTriangle, SharedEdge};
pub use rest_shape::RestShape;
pub use surface_carrier::{CutPoint, SurfaceCarrier};
