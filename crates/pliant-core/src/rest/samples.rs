//! Sheets that tests are made of.

use pliant_math::DVec3;

use super::{ALTERNATING_DIAGONALS, Fabric};

/// A sheet of so many vertices along x and z, `spacing` [m] apart, in the plane y = 0, from the origin on.
pub fn grid([nx, nz]: [u32; 2], spacing: f64) -> Fabric {
    let at = |x: u32, z: u32| DVec3::new(f64::from(x), 0.0, f64::from(z)) * spacing;
    let vertex = |x: u32, z: u32| z * nx + x;
    let mut triangles = Vec::new();
    for z in 0..nz - 1 {
        for x in 0..nx - 1 {
            let [a, b] = [vertex(x, z), vertex(x + 1, z)];
            let [c, d] = [vertex(x, z + 1), vertex(x + 1, z + 1)];
            if (x + z) % 2 == 0 {
                triangles.extend([[a, c, d], [a, d, b]]);
            } else {
                triangles.extend([[a, c, b], [b, c, d]]);
            }
        }
    }
    let rest_position = (0..nz).flat_map(|z| (0..nx).map(move |x| at(x, z)));
    Fabric::new(
        triangles,
        rest_position.collect(),
        DVec3::X,
        ALTERNATING_DIAGONALS,
    )
}
