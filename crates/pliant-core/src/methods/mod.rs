//! Methods of simulation: which neighbours, which deformation gradient, which stages.

pub mod cloth;
pub mod fluid;
pub mod granules;
pub mod muscle;
pub mod rigid;
pub mod shape_groups;
pub mod springs;
pub mod strain_energy;
pub mod xpbi;
