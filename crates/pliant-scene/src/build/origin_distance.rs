//! Whether positions are near enough to the origin to tell particles apart.

use pliant_math::DVec3;
use pliant_parameters::Values;

use super::Builder;
use crate::document::address_text;

/// Greatest coordinate of a particle, in spacings: double precision tells places there apart to two
/// ten-millionths of a spacing, about what single precision keeps of a strain.
const FARTHEST: f64 = 1e9;

impl Builder<'_> {
    /// True if places [m] of particles of a spacing [m] are not so far from the origin that rounding
    /// moves them; collects an error otherwise, at the key `position` if that is far, else at the shape.
    pub(super) fn is_near(
        &mut self,
        path: &str,
        values: &Values,
        spacing: f64,
        places: impl IntoIterator<Item = DVec3>,
    ) -> bool {
        let limit = FARTHEST * spacing;
        let size = |x: DVec3| x.abs().max_element();
        let farthest = places.into_iter().map(size).fold(0.0, f64::max);
        if farthest <= limit {
            return true;
        }
        let position = DVec3::from_array(values.vector3("position"));
        let key = match size(position) > limit {
            true => "position",
            false => "shape",
        };
        // Half of the distance between numbers of this size.
        let rounding = 0.5 * f64::EPSILON * farthest;
        let message = format!(
            "at {farthest:.1e} m from the origin places are rounded by up to {rounding:.1e} m, too much for particles {spacing:?} m apart"
        );
        let remedy = format!("bring it within {limit:.1e} m of the origin");
        self.fail(&address_text(path, key), message, remedy);
        false
    }
}
