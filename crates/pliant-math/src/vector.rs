//! Vectors of numbers, or of packs of them.

use std::ops::{Add, Mul, Neg, Sub};

use crate::matrix::cross;
use crate::simd::{Number, Pack, Row};
use crate::{Matrix3, Real};

/// Three numbers, or three packs.
#[derive(Clone, Copy, Debug)]
pub struct Vector3<N = Real> {
    /// Along the first axis.
    pub x: N,
    /// Along the second axis.
    pub y: N,
    /// Along the third axis.
    pub z: N,
}

impl<N: Number> Vector3<N> {
    /// The zero vector.
    pub const ZERO: Self = Self::new(N::ZERO, N::ZERO, N::ZERO);

    /// A vector from its components.
    #[inline(always)]
    pub const fn new(x: N, y: N, z: N) -> Self {
        Self { x, y, z }
    }

    /// The scalar product.
    #[inline(always)]
    pub fn dot(self, other: Self) -> N {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// The vector product.
    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        let [x, y, z] = cross([self.x, self.y, self.z], [other.x, other.y, other.z]);
        Self { x, y, z }
    }

    /// `a b^T`.
    #[inline(always)]
    pub fn outer(self, other: Self) -> Matrix3<N> {
        let Self { x, y, z } = other;
        Matrix3::outer([self.x, self.y, self.z], [x, y, z])
    }

    /// The square of the length.
    #[inline(always)]
    pub fn squared(self) -> N {
        self.dot(self)
    }
}

impl<P: Pack> Vector3<P> {
    /// Reads three rows.
    #[inline(always)]
    pub fn load([x, y, z]: &[Row; 3]) -> Self {
        Self {
            x: P::load(x),
            y: P::load(y),
            z: P::load(z),
        }
    }

    /// Writes three rows.
    #[inline(always)]
    pub fn store(self, [x, y, z]: &mut [Row; 3]) {
        self.x.store(x);
        self.y.store(y);
        self.z.store(z);
    }
}

impl<N: Number> Add for Vector3<N> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self {
            x: self.x + other.x,
            y: self.y + other.y,
            z: self.z + other.z,
        }
    }
}

impl<N: Number> Sub for Vector3<N> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self {
            x: self.x - other.x,
            y: self.y - other.y,
            z: self.z - other.z,
        }
    }
}

impl<N: Number> Neg for Vector3<N> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self {
            x: -self.x,
            y: -self.y,
            z: -self.z,
        }
    }
}

impl<N: Number> Mul<N> for Vector3<N> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: N) -> Self {
        Self {
            x: self.x * factor,
            y: self.y * factor,
            z: self.z * factor,
        }
    }
}
