//! Springs and the membrane they are compared with: pure functions of strain, in forces per strain [N/m].

mod cubic;
mod curve;
mod membrane;

pub use cubic::{CubicSpring, NotMonotone};
pub use curve::SpringCurve;
pub use membrane::{Membrane, MembraneResponse};
