//! Methods of simulation: which neighbours, which deformation gradient, which stages.

pub mod xpbi;
