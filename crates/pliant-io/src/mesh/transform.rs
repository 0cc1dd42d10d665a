//! Where a node of a tree is, seen from its parent.

use pliant_math::{DMat3, DVec3};

/// An affine map: `x_world = linear x_local + offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Transform {
    pub(super) linear: DMat3,
    pub(super) offset: DVec3,
}

impl Transform {
    /// Everything stays.
    pub(super) const IDENTITY: Self = Self {
        linear: DMat3::IDENTITY,
        offset: DVec3::ZERO,
    };

    /// This transform after another one.
    pub(super) fn after(self, other: Self) -> Self {
        Self {
            linear: self.linear * other.linear,
            offset: self.linear * other.offset + self.offset,
        }
    }

    /// Where it takes a point.
    pub(super) fn place(&self, point: DVec3) -> DVec3 {
        self.linear * point + self.offset
    }

    /// Whether it turns what is right into what is left.
    pub(super) fn is_mirrored(&self) -> bool {
        self.linear.determinant() < 0.0
    }
}
