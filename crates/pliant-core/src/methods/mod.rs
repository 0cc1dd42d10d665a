//! Methods of simulation: which neighbours, which deformation gradient, which stages.

pub mod cloth;
pub mod fluid;
pub mod granules;
mod list;
mod longest_step;
mod method;
pub mod rigid;
pub mod springs;
mod state;
pub mod strain_energy;
mod vector;
pub mod xpbi;

pub use list::Methods;
pub use longest_step::LongestStep;
pub use method::{
    Answer, Counts, Method, Offers, Sheets, Substep, Unsound, Walls, relative_residual,
};
pub use state::{MethodState, MethodStates};

/// A method of simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodKind {
    /// Position-based inelasticity.
    Xpbi,
    /// Position-based fluid.
    Fluid,
    /// Grains that interact by contacts only.
    Granules,
    /// Triangles of cloth.
    Cloth,
    /// Solids with an energy.
    StrainEnergy,
    /// Networks of springs.
    Springs,
    /// What does not deform.
    Rigid,
}
