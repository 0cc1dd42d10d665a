//! Settings of the method.

/// What the energy of a particle is projected by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnergyConstraint {
    /// The gradient of the energy: the impulses of a substep tend to those of the stress at its end. Consistent with the
    /// energy.
    Consistent,
    /// C = Psi with the compliance 1, as Cao et al. (2023) print it: stiffness depends on the size of
    /// particles, the step and the sweeps.
    Energy,
}

/// Settings of the method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrainEnergySettings {
    /// The constraint.
    pub constraint: EnergyConstraint,
    /// Strength of the control of zero-energy modes, a part of Young's modulus, >= 0.
    pub hourglass: f64,
}

impl Default for StrainEnergySettings {
    fn default() -> Self {
        Self {
            constraint: EnergyConstraint::Consistent,
            hourglass: 0.3,
        }
    }
}
