//! How a surface is made.

use crate::SurfaceError;

/// How a surface is made. Lengths are parts of the particles' spacing, so that the same settings fit
/// any resolution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceSettings {
    /// Spacing of the particles: the cube root of the volume of each [m].
    pub spacing: f64,
    /// Edge of the cubes of marching cubes, in spacings.
    pub cube_size: f64,
    /// Distance at which the kernel of a particle ends, in spacings. Longer ones bridge wider gaps and
    /// round off more.
    pub support_radius: f64,
    /// Value of the field at the surface; it is 1 deep inside and 0 outside.
    pub threshold: f64,
    /// Passes of Laplacian smoothing; 0 leaves the surface as marching cubes made it.
    pub smoothing_passes: u32,
}

impl SurfaceSettings {
    /// Those that suit most materials, for particles of a spacing [m].
    pub fn of_spacing(spacing: f64) -> Self {
        Self {
            spacing,
            cube_size: 0.5,
            support_radius: 2.0,
            threshold: 0.6,
            smoothing_passes: 10,
        }
    }

    /// Refuses numbers that no surface can be made with.
    pub(crate) fn check(&self) -> Result<(), SurfaceError> {
        let ranges = [
            ("spacing", self.spacing, [f64::MIN_POSITIVE, f64::MAX]),
            ("cube_size", self.cube_size, [0.05, 2.0]),
            ("support_radius", self.support_radius, [1.0, 8.0]),
            ("threshold", self.threshold, [0.05, 0.95]),
        ];
        for (name, value, [least, most]) in ranges {
            if !(least..=most).contains(&value) {
                return Err(SurfaceError::Setting {
                    name,
                    value,
                    least,
                    most,
                });
            }
        }
        Ok(())
    }
}
