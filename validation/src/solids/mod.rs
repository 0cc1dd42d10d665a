//! Hyperelastic solids against closed forms, and their robustness.

mod bar;
mod cantilever;
mod crushed;
mod curves;
mod impact;
mod kernels;
mod metal;
mod recovery;
mod rings;
mod samples;
mod steps;

pub use bar::{JACOBI, LARGE, Pull, Pulled, STEPS, WIDELY};
pub use cantilever::CANTILEVERS;
pub use crushed::BLENDS;
pub use curves::CURVES;
pub use impact::IMPACTS;
pub use kernels::KERNELS;
pub use metal::DRAWN;
pub use recovery::{CRUSHED, STIRRED};
pub use rings::RINGS;
pub use samples::SAMPLED;
pub use steps::PAIRS;
