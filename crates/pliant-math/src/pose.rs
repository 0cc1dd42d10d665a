//! Rigid transforms.

use glam::{DMat3, DQuat, DVec3};

/// A rigid transform from local to world coordinates: `x_world = rotation x_local + translation`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Rotation, a unit quaternion.
    pub rotation: DQuat,
    /// Translation (m).
    pub translation: DVec3,
}

impl Pose {
    /// The transform that leaves everything where it is.
    pub const IDENTITY: Self = Self {
        rotation: DQuat::IDENTITY,
        translation: DVec3::ZERO,
    };

    /// From a position (m) and intrinsic rotations about x, then y, then z (rad).
    ///
    /// Sines come from `libm`, so that the same scene gives the same bits on every platform.
    pub fn from_euler(position: DVec3, angles: DVec3) -> Self {
        let about = |axis: DVec3, angle: f64| {
            DQuat::from_vec4((axis * libm::sin(0.5 * angle)).extend(libm::cos(0.5 * angle)))
        };
        let rotation =
            about(DVec3::X, angles.x) * about(DVec3::Y, angles.y) * about(DVec3::Z, angles.z);
        Self {
            rotation,
            translation: position,
        }
    }

    /// A point from local to world coordinates.
    #[inline]
    pub fn to_world(&self, local: DVec3) -> DVec3 {
        self.rotation * local + self.translation
    }

    /// A point from world to local coordinates.
    #[inline]
    pub fn to_local(&self, world: DVec3) -> DVec3 {
        self.rotation.conjugate() * (world - self.translation)
    }

    /// A direction from local to world coordinates.
    #[inline]
    pub fn direction_to_world(&self, local: DVec3) -> DVec3 {
        self.rotation * local
    }

    /// The rotation as a matrix.
    pub fn rotation_matrix(&self) -> DMat3 {
        DMat3::from_quat(self.rotation)
    }
}
