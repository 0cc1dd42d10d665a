//! Bodies at rest: what follows from the shape in which nothing is deformed, for all methods that remember it.

mod correction;
mod direction;
mod fabric;
mod rest_shape;
mod rows;
#[cfg(test)]
pub(crate) mod samples;
mod start_shape;
mod surface_carrier;
mod surface_particles;

pub use correction::{RestCorrection, weight};
pub use direction::direction_now;
pub use fabric::{ALTERNATING_DIAGONALS, Fabric, RestHinge, RestTriangle, SharedEdge};
pub use rest_shape::RestShape;
pub use rows::{
    BondRow, Neighborhood, RestRow, hourglass_stiffness, hourglass_weight, set_symmetric,
    set_vector, symmetric,
};
pub use start_shape::StartShape;
pub use surface_carrier::{CutPoint, SurfaceCarrier};
pub use surface_particles::{BondedBody, SurfaceParticles};
