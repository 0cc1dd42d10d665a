//! Constitutive laws: pure functions of strain, which know no particle, no file and no thread.
//!
//! A law lives in its own file under `laws/` with its parameters; a line in `laws/mod.rs` registers it.

mod elasticity;
pub mod laws;

pub use elasticity::HenckyElasticity;
pub use laws::{HenckyLaw, LawKind};

use pliant_math::simd::Number;
use pliant_math::{Real, SymMat3};

/// A law whose elastic part is the Hencky (logarithmic) StVK model and whose plastic part is a
/// projection of the trial strain: what `xpbi` takes.
pub trait ReturnMapping: Copy + Send + Sync {
    /// False if `project` returns its input unchanged, always: solvers skip the work.
    const IS_PLASTIC: bool;

    /// True if gradients may be rounded to half precision (1 in 2000): for grains, which slide all
    /// the time and forget. Elastic bodies remember.
    const ADMITS_HALF_GRADIENTS: bool = false;

    /// The elastic moduli.
    fn elasticity(&self) -> HenckyElasticity;

    /// The plastic state of undeformed material.
    fn initial_state(&self) -> Real {
        0.0
    }

    /// The admissible strain and state nearest, in the sense of the law, to a trial strain.
    ///
    /// * `trial` — elastic trial strain `1/2 log(b)`, any finite symmetric tensor
    /// * `state` — the law's one scalar of history, as committed at the end of the last step
    /// * `dt` — the step (s), for laws that flow with time
    ///
    /// Written without branches, for one strain or a pack of them.
    fn project<N: Number>(&self, trial: SymMat3<N>, state: N, dt: Real) -> (SymMat3<N>, N);

    /// How far (Pa) the stress of an elastic strain lies outside the yield surface of a state: at
    /// most 0, to rounding, for what `project` returns; minus infinity for a law without a surface.
    ///
    /// For diagnostics and tests; solvers only project.
    fn yield_excess(&self, strain: SymMat3, state: Real) -> Real;
}
