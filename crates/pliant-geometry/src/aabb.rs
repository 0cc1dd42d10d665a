//! Axis-aligned boxes.

use pliant_math::DVec3;

/// An axis-aligned box [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Least corner.
    pub min: DVec3,
    /// Greatest corner.
    pub max: DVec3,
}

impl Aabb {
    /// The box that contains nothing.
    pub const EMPTY: Self = Self {
        min: DVec3::INFINITY,
        max: DVec3::NEG_INFINITY,
    };

    /// The smallest box around points.
    pub fn around(points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, Self::including)
    }

    /// The box grown to contain a point.
    pub fn including(self, point: DVec3) -> Self {
        Self {
            min: self.min.min(point),
            max: self.max.max(point),
        }
    }

    /// The smallest box around both.
    pub fn union(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// The box grown by a margin [m] on every side.
    pub fn grown(self, margin: f64) -> Self {
        Self {
            min: self.min - DVec3::splat(margin),
            max: self.max + DVec3::splat(margin),
        }
    }

    /// True if the point is inside or on the surface.
    pub fn contains(&self, point: DVec3) -> bool {
        point.cmpge(self.min).all() && point.cmple(self.max).all()
    }

    /// True if it has a point in common with another.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// Edge lengths [m].
    pub fn extent(&self) -> DVec3 {
        self.max - self.min
    }

    /// The middle.
    pub fn center(&self) -> DVec3 {
        0.5 * (self.min + self.max)
    }

    /// The eight corners.
    pub fn corners(&self) -> [DVec3; 8] {
        std::array::from_fn(|i| {
            DVec3::new(
                if i & 1 == 0 { self.min.x } else { self.max.x },
                if i & 2 == 0 { self.min.y } else { self.max.y },
                if i & 4 == 0 { self.min.z } else { self.max.z },
            )
        })
    }
}
