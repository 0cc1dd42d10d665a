//! The kernel sum of a regular packing at rest.

use pliant_math::Real;

use super::wendland::Wendland;

/// sum V W at rest density, the particle itself included: that of the densest packing of spheres. Other
/// lattices differ from it by half a percent at a support of two spacings, and by less beyond.
///
/// * `support_radius` — where the kernel reaches zero [m]
/// * `spacing` — cube root of a particle's volume [m]
pub fn rest_fraction(support_radius: f64, spacing: f64) -> Real {
    let kernel = Wendland::new(support_radius);
    // Four particles in a cube of this side have a volume of a spacing cubed each.
    let side = spacing * libm::cbrt(4.0);
    let reach = libm::ceil(2.0 * support_radius / side) as i64;
    let across = 2 * reach + 1;
    let weight = |cell: i64| {
        let [i, j, k] = [cell, cell / across, cell / (across * across)].map(|c| c % across - reach);
        let distance = 0.5 * side * libm::sqrt((i * i + j * j + k * k) as f64);
        if (i + j + k) % 2 == 0 && distance < support_radius {
            f64::from(kernel.weight(distance as Real))
        } else {
            0.0
        }
    };
    let sum: f64 = (0..across * across * across).map(weight).sum();
    (sum * spacing * spacing * spacing) as Real
}
