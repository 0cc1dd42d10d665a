//! The interface of a method of simulation: what the substep asks, what it keeps, what can be read of it.

mod list;
mod longest_step;
mod reading;
mod state;
mod substep;
mod tensors;

pub use list::Methods;
pub use longest_step::{LongestStep, ResolvedStep};
pub use reading::{
    DrawnAs, JoinedBody, MuscleReading, Reading, Readings, StretchOf, principal_stretches,
};
pub use state::{Columns, MethodState, MethodStates, SavedState, take_over};
pub use substep::{Answer, Counts, Method, Substep, Unsound, Walls, relative_residual};
pub use tensors::{Tensors, TensorsOf, cauchy_stress, von_mises};
