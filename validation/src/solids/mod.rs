//! Solids with an energy against closed forms, and what they stand.

mod bar;
mod cantilever;
mod curves;
mod metal;
mod recovery;
mod rings;

pub use bar::{JACOBI, LARGE, Pull, Pulled, STEPS, WIDELY};
pub use cantilever::CANTILEVERS;
pub use curves::CURVES;
pub use metal::DRAWN;
pub use recovery::{CRUSHED, STIRRED};
pub use rings::RINGS;
