//! What files write another way than code: degrees, and words for how something goes on.

use pliant_core::schedule::Ease;
use pliant_math::{DVec3, Pose};
use pliant_parameters::Values;

/// Radians of an angle in degrees.
pub(crate) fn radians(degrees: f64) -> f64 {
    degrees * (std::f64::consts::PI / 180.0)
}

/// Radians of three angles in degrees.
pub(crate) fn radians3(degrees: [f64; 3]) -> DVec3 {
    DVec3::from_array(degrees) * (std::f64::consts::PI / 180.0)
}

/// The pose of a table with `position` [m] and `rotation` [degrees].
pub(crate) fn pose(values: &Values) -> Pose {
    Pose::from_euler(
        DVec3::from_array(values.vector3("position")),
        radians3(values.vector3("rotation")),
    )
}

/// The word under `ease`.
pub(crate) fn ease(values: &Values) -> Ease {
    match values.text("ease") {
        "smooth" => Ease::Smooth,
        _ => Ease::Linear,
    }
}
