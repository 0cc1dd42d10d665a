//! Sixteen numbers at once.
//!
//! The only room that names the vector instructions of a processor. Code above it is written once,
//! for any [`Number`] or [`Pack`], and compiled for each instruction set; [`Instructions`] chooses at
//! run time. A pack has sixteen lanes whatever the width of the registers, every operation of a lane
//! is rounded by itself and no multiplication is fused with an addition: results have the same bits
//! on all of them.

#[cfg(all(target_arch = "x86_64", not(feature = "double")))]
mod avx2;
#[cfg(all(target_arch = "x86_64", not(feature = "double")))]
mod avx512;
mod baseline;
#[cfg(all(target_arch = "x86_64", not(feature = "double")))]
mod eight;
mod half;
#[cfg(test)]
mod half_tests;
mod instructions;
#[cfg(all(target_arch = "x86_64", not(feature = "double")))]
mod narrow;
mod near;
mod number;
mod pack;
mod places;
mod portable;
#[cfg(all(
    not(feature = "double"),
    any(
        target_arch = "x86_64",
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    )
))]
mod quad;
#[cfg(test)]
mod tests;
#[cfg(all(target_arch = "x86_64", feature = "double"))]
mod wide;

pub use half::HalfRow;
pub use instructions::{Instructions, Job, RowJob};
pub use near::{List, Near, Run, Runs};
pub use number::{Mask, Number};
pub use pack::{LANES, Pack, Row};
pub use places::{Places, place_to_real, real_to_place};
pub use portable::Portable;
