//! Projections that any method may use, and what they take from bodies.

mod coloring;
pub mod dilation;
mod free_parts;
mod lanes;
pub mod maximum_density;
pub mod minimum_distance;
pub mod missing_stress;

pub use coloring::{TakenColors, colors};
pub use free_parts::FreeParts;
pub use lanes::source_lane;

/// Order of the projections in a sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ordering {
    /// Each projection uses the results of those before it; blocks of one colour run in parallel.
    GaussSeidel,
    /// All projections use the state before the sweep; each update is relaxed.
    Jacobi,
}
