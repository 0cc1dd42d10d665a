//! The packs of what every processor of the target has.

#[cfg(all(
    not(feature = "double"),
    any(
        target_arch = "x86_64",
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    )
))]
mod of_target {
    use crate::simd::quad::{NAME as INSTRUCTIONS, Quads, Register};

    /// What they are called.
    pub const NAME: &str = INSTRUCTIONS;

    /// Sixteen lanes.
    pub type Baseline = Quads<Register>;
}

#[cfg(not(all(
    not(feature = "double"),
    any(
        target_arch = "x86_64",
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    )
)))]
mod of_target {
    /// What they are called.
    pub const NAME: &str = "portable";

    /// Sixteen lanes.
    pub type Baseline = crate::simd::Portable;
}

pub use of_target::{Baseline, NAME};
