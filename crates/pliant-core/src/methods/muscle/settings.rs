//! Settings of the method.

/// How stress is integrated over a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integration {
    /// Explicitly in steps that this stands, implicitly in longer ones; automatic steps are those that cost less.
    #[default]
    Automatic,
    /// Symplectic Euler: stress at the start of a step.
    Explicit,
    /// One linearised step of implicit Euler.
    Implicit,
}

/// What keeps the volume.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Incompressibility {
    /// Velocities are projected so that det F is 1 at the end of each step.
    #[default]
    Velocity,
    /// Pressure keeps densities from exceeding those at rest, of all bodies together (DFSPH).
    Density,
    /// Nothing but the stress of the law.
    None,
}

/// Settings of the method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MuscleSettings {
    /// How stress is integrated.
    pub integration: Integration,
    /// What keeps the volume.
    pub incompressibility: Incompressibility,
    /// Most iterations for the volume in a substep, >= 1: steps of conjugate gradients, or of each of the two
    /// solvers of the density.
    pub volume_steps: u32,
    /// Mean error of the density over that at rest that is left at the end of a substep, > 0; less, in proportion, in
    /// one that is shorter than four of the longest explicit steps.
    pub density_tolerance: f64,
    /// Root mean square of det F - 1 that is left at the end of a substep, > 0.
    pub volume_tolerance: f64,
    /// Residual of the implicit system over its right side at which a solve ends, > 0.
    pub tolerance: f64,
    /// Strength of the control of zero-energy modes, a part of the shear modulus, >= 0.
    pub hourglass: f64,
    /// Viscosity of flesh over its shear modulus [s], >= 0: the time in which it follows a force.
    pub retardation_time: f64,
}

impl Default for MuscleSettings {
    fn default() -> Self {
        Self {
            integration: Integration::Automatic,
            incompressibility: Incompressibility::Velocity,
            volume_steps: 20,
            density_tolerance: 1e-3,
            volume_tolerance: 1e-3,
            tolerance: 1e-3,
            hourglass: 0.1,
            retardation_time: 0.0,
        }
    }
}
