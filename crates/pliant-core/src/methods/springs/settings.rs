//! Settings of the method.

/// Settings of the method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringsSettings {
    /// Steps of conjugate gradients; `None`: until the system is solved.
    pub cg_iterations: Option<u32>,
    /// Residual over right side at which the system is solved, > 0.
    pub tolerance: f64,
    /// Leaves out of the Jacobian what would push: it is then positive semi-definite.
    pub clamp_jacobian: bool,
    /// Part of b and d that the Jacobian leaves out (one minus the factor of Vogiannou et al. 2010,
    /// sec. 3.2), in [0, 1]; 0 changes nothing.
    pub jacobian_damping: f64,
    /// Gives bodies that nothing pins the angular momentum back that linearisation takes.
    pub keep_angular_momentum: bool,
}

impl Default for SpringsSettings {
    fn default() -> Self {
        Self {
            cg_iterations: None,
            tolerance: 1e-3,
            clamp_jacobian: true,
            jacobian_damping: 0.0,
            keep_angular_momentum: true,
        }
    }
}
