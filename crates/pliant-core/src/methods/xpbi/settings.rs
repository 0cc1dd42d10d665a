//! Settings of the method.

/// Settings of the method `xpbi`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct XpbiSettings {
    /// The unknown that accumulates the impulse.
    pub multiplier: Multiplier,
    /// Whether the stress at the start of a substep is applied before its first sweep. Without it a
    /// few sweeps leave a body softer than it is. The scalar multiplier always starts cold.
    pub warm_start: bool,
    /// When the return mapping is applied.
    pub plasticity: PlasticityScheme,
    /// Digits of the kernel gradients.
    pub gradient_precision: GradientPrecision,
    /// What is done about particles that flow has crowded.
    pub correction: PositionCorrection,
    /// Least distance of two particles [spacings], for correction by distance; in (0, 0.9].
    pub minimum_distance: f64,
    /// Greatest density as a multiple of that at rest, for correction by density; in [1, 2].
    pub maximum_density: f64,
    /// Factor on each Jacobi update, in (0, 1].
    pub jacobi_relaxation: f64,
}

impl Default for XpbiSettings {
    /// The defaults of a scene.
    fn default() -> Self {
        Self {
            multiplier: Multiplier::Tensor,
            warm_start: true,
            plasticity: PlasticityScheme::Implicit,
            gradient_precision: GradientPrecision::Automatic,
            correction: PositionCorrection::Distance,
            minimum_distance: 0.75,
            maximum_density: 1.25,
            jacobi_relaxation: 0.2,
        }
    }
}

/// The unknown that accumulates a constraint's impulse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Multiplier {
    /// Six numbers, the Kirchhoff stress: converges to implicit Euler.
    Tensor,
    /// The paper's one number.
    Scalar,
}

/// What is done about particles that flow has crowded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PositionCorrection {
    /// Nothing.
    None,
    /// Pairs keep a minimum distance, as in the paper.
    Distance,
    /// The density is bounded, as in Takahashi and Lin 2019.
    Density,
}

/// Digits of the kernel gradients that a substep keeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GradientPrecision {
    /// Half where the laws of all that shares neighbours admit it, full elsewhere and in builds in
    /// double precision.
    Automatic,
    /// Those of all else.
    Full,
    /// Eleven bits: less memory and faster sweeps.
    Half,
}

/// When the return mapping is applied.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlasticityScheme {
    /// In every projection: the stress is always admissible.
    Implicit,
    /// Once at the end of the step, for comparison (Stomakhin et al. 2013).
    SemiImplicit,
}
