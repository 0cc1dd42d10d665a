//! Settings of the method.

/// Settings of the method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FluidSettings {
    /// Distance [spacings] that two particles keep, in [0, 0.9]; 0 switches it off.
    pub minimum_distance: f64,
    /// Rate of vorticity confinement [1/s], >= 0; 0 switches it off.
    pub vorticity_confinement: f64,
}

impl Default for FluidSettings {
    /// The defaults of a scene.
    fn default() -> Self {
        Self {
            minimum_distance: 0.7,
            vorticity_confinement: 0.0,
        }
    }
}
