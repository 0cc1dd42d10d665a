//! View space: the camera at the origin, x right, y up, z forward; where pixels look.

use glam::Vec3;
use pliant_math::DVec3;

use crate::camera::Camera;

/// The camera's axes and the size of its picture.
#[derive(Debug)]
pub(crate) struct View {
    origin: DVec3,
    right: DVec3,
    true_up: DVec3,
    forward: DVec3,
    /// The scene's vertical.
    world_up: DVec3,
    /// The same in view space.
    pub up: Vec3,
    /// Pixels a unit of x/z.
    pub focal: f32,
    /// Columns of the picture.
    pub width: u32,
    /// Rows of the picture.
    pub height: u32,
    /// Nothing nearer than this is drawn [m].
    pub near: f32,
}

impl View {
    /// The view of a camera; one that looks nowhere looks along -z.
    pub fn new(camera: &Camera, width: u32, height: u32) -> Self {
        let toward = camera.target - camera.position;
        let forward = toward.normalize_or(DVec3::NEG_Z);
        let up = camera.up.normalize_or(DVec3::Y);
        let right = forward.cross(up);
        let right = if right.length_squared() > 1e-12 {
            right.normalize()
        } else {
            forward.any_orthonormal_vector()
        };
        let true_up = right.cross(forward);
        let half_angle = 0.5 * camera.vertical_field_of_view.clamp(1e-3, 3.1);
        let mut view = Self {
            origin: camera.position,
            right,
            true_up,
            forward,
            world_up: up,
            up: Vec3::Y,
            focal: (0.5 * f64::from(height) / libm::tan(half_angle)) as f32,
            width,
            height,
            near: (1e-3 * toward.length()).max(1e-9) as f32,
        };
        view.up = view.direction_to_view(up);
        view
    }

    /// The view from a place aside of the camera, by shares of its right and its up [m], at the same target `distance`
    /// [m] ahead: turned no further about what it looks along than it has to be, also where it looks straight down.
    pub fn aside(&self, right: f64, up: f64, distance: f64) -> Self {
        let aside = self.right * right + self.true_up * up;
        let forward = (self.forward * distance - aside).normalize_or(self.forward);
        let across = forward.cross(self.true_up).normalize_or(self.right);
        let mut view = Self {
            origin: self.origin + aside,
            right: across,
            true_up: across.cross(forward),
            forward,
            ..*self
        };
        view.up = view.direction_to_view(view.world_up);
        view
    }

    /// A world point in view space.
    #[inline]
    pub fn to_view(&self, world: DVec3) -> Vec3 {
        self.direction_to_view(world - self.origin)
    }

    /// A world direction in view space.
    #[inline]
    pub fn direction_to_view(&self, d: DVec3) -> Vec3 {
        DVec3::new(d.dot(self.right), d.dot(self.true_up), d.dot(self.forward)).as_vec3()
    }

    /// Directions in view space: to the right of what is ahead in the scene, up, and ahead, which is -z, or y where z
    /// points up, turned to the left about the vertical by an angle [rad].
    pub fn level_axes(&self, turn: f64) -> [Vec3; 3] {
        let up = self.world_up;
        let ahead = if up.z.abs() > 0.5 * up.length() {
            DVec3::Y
        } else {
            DVec3::NEG_Z
        };
        let ahead = (ahead - up * ahead.dot(up)).normalize_or(DVec3::X);
        let right = ahead.cross(up);
        let (sin, cos) = (libm::sin(turn), libm::cos(turn));
        let turned = [right * cos + ahead * sin, up, ahead * cos - right * sin];
        turned.map(|axis| self.direction_to_view(axis))
    }

    /// The direction (x, y, 1) that the point (x, y) of the picture looks in, in pixels.
    #[inline]
    pub fn ray(&self, x: f32, y: f32) -> Vec3 {
        Vec3::new(
            (x - 0.5 * self.width as f32) / self.focal,
            (0.5 * self.height as f32 - y) / self.focal,
            1.0,
        )
    }

    /// Where a point before the camera appears, in pixels.
    #[inline]
    pub fn pixel_of(&self, p: Vec3) -> (f32, f32) {
        (
            0.5 * self.width as f32 + self.focal * p.x / p.z,
            0.5 * self.height as f32 - self.focal * p.y / p.z,
        )
    }
}
