//! Spheres: exact hits of rays, and the pixels a sphere covers.

use glam::Vec3;

use super::bins::{PixelBox, pixel_box};
use super::{SAMPLE_OFFSETS, SAMPLES, Seen, Sphere, Tile};
use crate::view::View;

/// The pixels a sphere covers, `None` if it is not in the picture or the camera nearly touches it.
pub(crate) fn screen_bounds(sphere: &Sphere, view: &View) -> Option<PixelBox> {
    let c = sphere.center;
    if c.z - sphere.radius <= view.near {
        return None;
    }
    let [x_low, x_high] = silhouette(c.x, c.z, sphere.radius);
    let [y_low, y_high] = silhouette(c.y, c.z, sphere.radius);
    let middle = [0.5 * view.width as f32, 0.5 * view.height as f32];
    pixel_box(
        [
            middle[0] + view.focal * x_low,
            middle[1] - view.focal * y_high,
        ],
        [
            middle[0] + view.focal * x_high,
            middle[1] - view.focal * y_low,
        ],
        view.width,
        view.height,
    )
}

/// Slopes of the two tangents from the origin to a circle at (x, z), z > radius.
fn silhouette(x: f32, z: f32, radius: f32) -> [f32; 2] {
    let below = z * z - radius * radius;
    let root = radius * (x * x + below).sqrt();
    [(x * z - root) / below, (x * z + root) / below]
}

/// The distance z at which the ray along (x, y, 1) enters the sphere; clamped to its rim if it misses.
pub(crate) fn nearest_hit(sphere: &Sphere, ray: Vec3) -> f32 {
    let inverse = 1.0 / ray.length_squared();
    let middle = ray.dot(sphere.center) * inverse;
    let apart = (sphere.center - ray * middle).length_squared();
    let depth = (sphere.radius * sphere.radius - apart).max(0.0) * inverse;
    middle - depth.sqrt()
}

impl Tile {
    /// Draws a sphere into the tile.
    ///
    /// The distance of the ray from the centre is taken from their difference, not from squares of
    /// the distance to the camera, which would lose small far spheres to rounding.
    pub fn draw_sphere(&mut self, index: u32, sphere: &Sphere, pixels: PixelBox, view: &View) {
        let nearest = sphere.center.z - sphere.radius;
        for (pixel, x, y) in self.pixels_in(pixels) {
            if nearest < self.farthest[pixel] {
                let depth = sample_depths(sphere, view.ray(x as f32, y as f32), view.focal);
                self.keep_nearer(pixel, &depth, Seen::sphere(index));
            }
        }
    }
}

/// Distance z of the sphere at each sample of the pixel whose corner looks along `corner`.
#[inline]
fn sample_depths(sphere: &Sphere, corner: Vec3, focal: f32) -> [f32; SAMPLES] {
    let c = sphere.center;
    let squared_radius = sphere.radius * sphere.radius;
    let step = 1.0 / focal;
    let mut depth = [f32::INFINITY; SAMPLES];
    for k in 0..SAMPLES {
        let x = corner.x + SAMPLE_OFFSETS[k][0] * step;
        let y = corner.y - SAMPLE_OFFSETS[k][1] * step;
        let inverse = 1.0 / (x * x + y * y + 1.0);
        let middle = (x * c.x + y * c.y + c.z) * inverse;
        let (ex, ey, ez) = (c.x - x * middle, c.y - y * middle, c.z - middle);
        let inside = squared_radius - (ex * ex + ey * ey + ez * ez);
        let hit = middle - (inside.max(0.0) * inverse).sqrt();
        depth[k] = if inside > 0.0 { hit } else { f32::INFINITY };
    }
    depth
}
