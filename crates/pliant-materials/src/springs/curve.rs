//! The force of a spring as a cubic polynomial of its strain.

use std::ops::{Add, Mul, Neg, Sub};

/// Tension of a spring of rest length L at a strain s = (r - L)/L, > -1:
///
///   g = L (K s + B s^2/2 + A s^3/3),   g' = K + B s + A s^2
///
/// which is a r^3 + b r^2 + c r + d of Vogiannou et al. 2010, eq. 2, without its cancellation near rest.
/// Linear springs (A = B = 0) and two-term StVK springs (eq. 1) are special cases. Positive tension pulls
/// the ends together; the pull on end i of x = x_i - x_j is -g x/r.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringCurve<T = f64> {
    /// K, the stiffness at rest [N/m].
    pub stiffness: T,
    /// B/2 [N/m].
    pub half_slope: T,
    /// A/3 [N/m].
    pub third_curvature: T,
}

/// What a curve is evaluated in: a number or a pack.
pub trait Scalar:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
}

impl<T> Scalar for T where
    T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Neg<Output = T>
{
}

impl<T: Scalar> SpringCurve<T> {
    /// Tension over the rest length [N/m].
    #[inline(always)]
    pub fn tension(&self, strain: T) -> T {
        let bent = self.half_slope + strain * self.third_curvature;
        strain * (self.stiffness + strain * bent)
    }

    /// The slope g' of the tension over the length [N/m].
    #[inline(always)]
    pub fn slope(&self, strain: T) -> T {
        let twice = |x: T| x + x;
        let bent =
            twice(self.half_slope) + strain * (twice(self.third_curvature) + self.third_curvature);
        self.stiffness + strain * bent
    }

    /// How much stiffer [N/m] along and across the spring its Jacobian is with b and d scaled by
    /// 1 - `lack` (Vogiannou et al. 2010, sec. 3.2).
    ///
    /// * `ratio` — length over rest length, `inverse` — one over it
    ///
    /// b and d are the coefficients in [`SpringCurve::coefficients`]; in the Jacobian (eq. 9) they stand
    /// as 2 b r along, and b r + d/r across.
    #[inline(always)]
    pub fn scaling(&self, ratio: T, inverse: T, lack: T) -> [T; 2] {
        let twice = |x: T| x + x;
        let third = self.third_curvature;
        let b = self.half_slope - (twice(third) + third);
        let d = self.half_slope - third - self.stiffness;
        let across = b * ratio + d * inverse;
        [-(lack * twice(b * ratio)), -(lack * across)]
    }
}

impl SpringCurve {
    /// A spring with one stiffness [N/m].
    pub fn linear(stiffness: f64) -> Self {
        Self {
            stiffness,
            half_slope: 0.0,
            third_curvature: 0.0,
        }
    }

    /// The two-term spring f = K r^3/(2 L^2) - K r/2 of a St. Venant-Kirchhoff energy (Vogiannou et al.
    /// 2010, eq. 1): g' = K (3 (1 + s)^2 - 1)/2.
    pub fn two_term(stiffness: f64) -> Self {
        Self {
            stiffness,
            half_slope: 1.5 * stiffness,
            third_curvature: 0.5 * stiffness,
        }
    }

    /// Every stiffness times a factor.
    pub fn scaled(&self, factor: f64) -> Self {
        Self {
            stiffness: factor * self.stiffness,
            half_slope: factor * self.half_slope,
            third_curvature: factor * self.third_curvature,
        }
    }

    /// Energy over the squared rest length [N/m]: the integral of the tension over the strain.
    pub fn energy(&self, strain: f64) -> f64 {
        let Self {
            stiffness,
            half_slope,
            third_curvature,
        } = self;
        let bent = half_slope / 3.0 + strain * third_curvature / 4.0;
        strain * strain * (0.5 * stiffness + strain * bent)
    }

    /// Axial stiffness g' and transverse stiffness g/r [N/m], negative in compression: the eigenvalues of
    /// minus the force's derivative with respect to the end it acts on.
    pub fn moduli(&self, strain: f64) -> [f64; 2] {
        [self.slope(strain), self.tension(strain) / (1.0 + strain)]
    }

    /// a, b, c, d of g = a r^3 + b r^2 + c r + d for a rest length [m].
    pub fn coefficients(&self, rest_length: f64) -> [f64; 4] {
        let (slope, curvature) = (2.0 * self.half_slope, 3.0 * self.third_curvature);
        let rest = rest_length;
        [
            curvature / (3.0 * rest * rest),
            (slope - 2.0 * curvature) / (2.0 * rest),
            self.stiffness - slope + curvature,
            -rest * (curvature / 3.0 - slope / 2.0 + self.stiffness),
        ]
    }
}
