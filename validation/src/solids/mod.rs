//! Solids with an energy against closed forms, and what they stand.

mod bar;
mod cantilever;
mod recovery;
mod rings;

pub use bar::{JACOBI, LARGE, Pull, Pulled, STEPS, WIDELY};
pub use cantilever::CANTILEVERS;
pub use recovery::{CRUSHED, STIRRED};
pub use rings::RINGS;
