//! What lights a picture, for whoever draws one: the lamp, the sky, the ground, the background. Linear sRGB.

use glam::Vec3;

/// Irradiance of the lamp over π on a surface that faces it.
pub const LAMP: Vec3 = Vec3::new(1.60, 1.565, 1.50);
/// Radiance of the sky.
pub const SKY: Vec3 = Vec3::new(0.385, 0.40, 0.42);
/// Light that the ground throws back onto what faces down.
pub const BOUNCE: Vec3 = Vec3::new(0.21, 0.20, 0.185);
/// Radiance of the background at the horizon.
pub const HORIZON: Vec3 = Vec3::new(0.262, 0.272, 0.288);
/// Radiance of the background high above the horizon.
pub const ZENITH: Vec3 = Vec3::new(0.085, 0.092, 0.105);

/// The direction to the middle of the lamp, in view space: x right, y up, z ahead.
///
/// From the upper left, a little from behind the camera: shows form and throws shadows to the right.
///
/// * `up` — the scene's vertical in view space, a unit vector
pub fn lamp_direction(up: Vec3) -> Vec3 {
    let right = Vec3::X;
    let ahead = (Vec3::Z - up * up.z).normalize_or(right.cross(up).normalize_or(Vec3::Z));
    (0.86 * up - 0.62 * right - 0.22 * ahead).normalize()
}
