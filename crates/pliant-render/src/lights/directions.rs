//! Evenly spread directions of a disc and of a half sphere.

use glam::Vec3;

/// The lowest light of the sky, as height over distance.
const LOWEST_SKY: f32 = 0.06;
/// The golden angle [rad], which spreads points of a spiral evenly.
const GOLDEN_ANGLE: f32 = 2.399_963_2;

/// `count` directions of a round lamp around a direction, of a radius [rad].
pub(super) fn lamp_directions((middle, widest): (Vec3, f32), count: u32) -> Vec<Vec3> {
    let (u, v) = middle.any_orthonormal_pair();
    (0..count)
        .map(|i| {
            let radius = widest * ((i as f32 + 0.5) / count as f32).sqrt();
            let (sin, cos) = (i as f32 * GOLDEN_ANGLE).sin_cos();
            (middle + radius * (cos * u + sin * v)).normalize()
        })
        .collect()
}

/// `count` directions of the sky, each for an equal solid angle of the upper half sphere.
pub(crate) fn sky_directions(up: Vec3, count: u32) -> Vec<Vec3> {
    let (u, v) = up.any_orthonormal_pair();
    (0..count)
        .map(|i| {
            let height = ((i as f32 + 0.5) / count as f32).max(LOWEST_SKY);
            let radius = (1.0 - height * height).sqrt();
            let (sin, cos) = (i as f32 * GOLDEN_ANGLE).sin_cos();
            height * up + radius * (cos * u + sin * v)
        })
        .collect()
}
