//! Constitutive laws: pure functions of strain, which know no particle, no file and no thread.
//!
//! A law lives in its own file under `laws/` with its parameters; a line in `laws/mod.rs` registers it.
//! Materials with numbers already in them stand in `presets`.

mod elasticity;
pub mod laws;
pub mod presets;
pub mod springs;
pub mod strain_energy;

pub use elasticity::{HenckyElasticity, LameModuli};
pub use laws::{
    ClothLaw, HenckyLaw, Law, LawInfo, LawKind, Newtonian, Solid, SolidLaw, SpringLaw, Springs,
};
pub use presets::MaterialPreset;
pub use strain_energy::ElasticEnergy;

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

    /// The elastic moduli of undeformed material.
    fn elasticity(&self) -> HenckyElasticity;

    /// The factor on both moduli at a state: 1 unless the material hardens elastically.
    #[inline(always)]
    fn stiffness_factor<N: Number>(&self, _state: N) -> N {
        N::splat(1.0)
    }

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

    /// Kirchhoff stress (Pa) of an elastic strain at a state.
    #[inline(always)]
    fn kirchhoff_stress<N: Number>(&self, strain: SymMat3<N>, state: N) -> SymMat3<N> {
        self.elasticity().splat().kirchhoff_stress(strain) * self.stiffness_factor(state)
    }

    /// How far (Pa) the stress of an elastic strain lies outside the yield surface of a state, the
    /// moduli taken as undeformed: at most 0, to rounding, for what `project` returns at this state;
    /// minus infinity for a law without a surface.
    ///
    /// Laws that flow with time end above it by the stress that drives the flow. For diagnostics and
    /// tests; solvers only project.
    fn yield_excess(&self, strain: SymMat3, state: Real) -> Real;
}
