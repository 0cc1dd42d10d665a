//! Vectors of numbers or of packs, as the constraints are written in.

use std::ops::{Add, Mul, Neg, Sub};

use pliant_math::simd::{Number, Pack, Row};

/// Three numbers, or three packs.
#[derive(Clone, Copy, Debug)]
pub struct Vector<N> {
    pub x: N,
    pub y: N,
    pub z: N,
}

impl<N: Number> Vector<N> {
    /// The scalar product.
    #[inline(always)]
    pub fn dot(self, other: Self) -> N {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// The vector product.
    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    /// The square of the length.
    #[inline(always)]
    pub fn squared(self) -> N {
        self.dot(self)
    }
}

impl<P: Pack> Vector<P> {
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

impl<N: Number> Add for Vector<N> {
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

impl<N: Number> Sub for Vector<N> {
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

impl<N: Number> Neg for Vector<N> {
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

impl<N: Number> Mul<N> for Vector<N> {
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

/// Position and velocity of a particle as constraints read them.
#[derive(Clone, Copy, Debug)]
pub struct Point<N> {
    /// Velocity [m/s].
    pub velocity: Vector<N>,
    /// Inverse mass [1/kg].
    pub inverse_mass: N,
    /// Impulses that it was given [kg m/s], be it free or held.
    pub received: Vector<N>,
}

impl<N: Number> Point<N> {
    /// From a record of a velocity and an inverse mass.
    #[inline(always)]
    pub fn new([x, y, z, inverse_mass]: [N; 4]) -> Self {
        Self {
            velocity: Vector { x, y, z },
            inverse_mass,
            received: Vector {
                x: N::ZERO,
                y: N::ZERO,
                z: N::ZERO,
            },
        }
    }

    /// The record.
    #[inline(always)]
    pub fn record(self) -> [N; 4] {
        let Vector { x, y, z } = self.velocity;
        [x, y, z, self.inverse_mass]
    }

    /// Takes an impulse [kg m/s].
    #[inline(always)]
    pub fn push(&mut self, impulse: Vector<N>) {
        self.velocity = self.velocity + impulse * self.inverse_mass;
        self.received = self.received + impulse;
    }
}
