//! The nearest point of an ellipse of friction, in the precision that a contact is computed in: particles in `Real`,
//! rigid bodies in double precision.

use std::ops::{Add, Div, Mul, Neg, Sub};

use pliant_math::{DMat3, DVec3, to_double};

use super::friction::{Grain, NOTHING, UPRIGHT};

/// Steps of Newton's method for the nearest point of an ellipse, from below, where it converges from the first step on.
const ELLIPSE_STEPS: usize = 6;

/// A number of either precision.
pub(super) trait Scalar:
    Copy
    + PartialOrd
    + From<f32>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Square of the distance, in units of the semi-axis across the grain, from which the nearest point of an ellipse
    /// is that in the limit: the root of `nearest` would lose its digits far beyond.
    const FAR: Self;

    /// The absolute value.
    fn abs(self) -> Self;

    /// The greater of two.
    fn max(self, other: Self) -> Self;

    /// The square root.
    fn sqrt(self) -> Self;
}

macro_rules! scalar {
    ($number:ty, $far:literal) => {
        impl Scalar for $number {
            const FAR: Self = $far;

            #[inline(always)]
            fn abs(self) -> Self {
                Self::abs(self)
            }

            #[inline(always)]
            fn max(self, other: Self) -> Self {
                Self::max(self, other)
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                Self::sqrt(self)
            }
        }
    };
}

scalar!(f32, 1e8);
scalar!(f64, 1e24);

/// The nearest point of an ellipse with the semi-axes a and 1 to (x, y), y >= 0; `None` if that is inside.
#[inline(always)]
pub(super) fn nearest<S: Scalar>([x, y]: [S; 2], a: S) -> Option<[S; 2]> {
    let [zero, one, two] = [0.0, 1.0, 2.0].map(S::from);
    let a2 = a * a;
    if x * x / a2 + y * y <= one {
        return None;
    }
    if x * x + y * y > S::FAR {
        // From afar the nearest point is that whose normal has the direction.
        let [p, q] = [x / x.abs().max(y), y / x.abs().max(y)];
        let length = (a2 * p * p + q * q).sqrt();
        return Some([a2 * p / length, q / length]);
    }
    // (a x)^2/(t + a^2)^2 + y^2/(t + 1)^2 = 1 has one root t > 0, found from below.
    // Where one of the terms alone is 1.
    let mut t = (a * x.abs() - a2).max(y - one).max(zero);
    for _ in 0..ELLIPSE_STEPS {
        let [p, q] = [a * x / (t + a2), y / (t + one)];
        let value = p * p + q * q - one;
        let slope = -two * (p * p / (t + a2) + q * q / (t + one));
        t = t - value / slope;
    }
    Some([a2 * x / (t + a2), y / (t + one)])
}

/// A grain in the plane of a contact whose normal does not change.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlanarGrain {
    /// Unit vectors in the plane: along the grain, and across.
    axes: [DVec3; 2],
    /// Factor on the coefficient along it, > 0.
    factor: f64,
}

impl PlanarGrain {
    /// `None` where the grain stands upright.
    pub(super) fn new(grain: Grain, normal: DVec3) -> Option<Self> {
        let axis = to_double(grain.axis);
        let along = axis - normal * axis.dot(normal);
        let is_upright = along.length() < f64::from(UPRIGHT);
        let along = along.normalize_or_zero();
        (!is_upright).then(|| Self {
            axes: [along, normal.cross(along)],
            factor: grain.factor.into(),
        })
    }

    /// The greatest factor on the coefficient in any direction.
    pub(super) fn greatest_factor(&self) -> f64 {
        self.factor.max(1.0)
    }

    /// The nearest that friction may come to of what is wanted along the surface; `across` as in [`Grain::nearest`].
    pub(super) fn nearest(&self, wanted: DVec3, across: f64) -> DVec3 {
        if across <= f64::from(NOTHING) * wanted.length() {
            return DVec3::ZERO;
        }
        let [x, y] = self.in_plane(wanted, across);
        match nearest([x, y.abs()], self.factor) {
            None => wanted,
            Some([p, q]) => (self.axes[0] * p + self.axes[1] * q.copysign(y)) * across,
        }
    }

    /// How [`Self::nearest`] changes with what is wanted, a symmetric matrix.
    ///
    /// With p on the ellipse p.A p = 1 and the wanted w = p + t A p, and B = (1 + t A)^-1:
    ///
    ///   dp/dw = B - (B A p)(B A p)^T/(p.A B A p)
    // dw = (1 + t A) dp + A p dt, and A p.dp = 0.
    pub(super) fn slope(&self, wanted: DVec3, across: f64) -> DMat3 {
        let dyad = |v: DVec3| DMat3::from_cols(v * v.x, v * v.y, v * v.z);
        if across <= f64::from(NOTHING) * wanted.length() {
            return DMat3::ZERO;
        }
        let ([x, y], a2) = (self.in_plane(wanted, across), self.factor * self.factor);
        let [along, aside] = self.axes;
        let Some([p, q]) = nearest([x, y.abs()], self.factor) else {
            return dyad(along) + dyad(aside);
        };
        let q = q.copysign(y);
        // From the greater component of p in units of its semi-axis, which is not 0.
        let t = match p.abs() > self.factor * q.abs() {
            true => a2 * (x / p - 1.0),
            false => y / q - 1.0,
        };
        let b = [a2 / (a2 + t), 1.0 / (1.0 + t)];
        let normal = [p / a2, q];
        let turned = along * (b[0] * normal[0]) + aside * (b[1] * normal[1]);
        let length = b[0] * normal[0] * normal[0] + b[1] * normal[1] * normal[1];
        dyad(along) * b[0] + dyad(aside) * b[1] - dyad(turned) * (1.0 / length)
    }

    /// Along and across the grain, in units of the semi-axis across it.
    fn in_plane(&self, v: DVec3, across: f64) -> [f64; 2] {
        self.axes.map(|axis| v.dot(axis) / across)
    }
}

#[cfg(test)]
mod tests {
    use pliant_math::to_real;

    use super::*;

    /// Grains along and beside an edge of the plane, and points inside and outside of their ellipses.
    fn cases() -> Vec<(PlanarGrain, DVec3)> {
        let mut cases = Vec::new();
        let normal = DVec3::new(0.3, 0.9, -0.2).normalize();
        for factor in [0.02, 0.3, 1.0, 2.5, 40.0] {
            let grain = Grain {
                axis: to_real(DVec3::new(0.8, 0.1, 0.6).normalize()),
                factor,
            };
            let grain = PlanarGrain::new(grain, normal).expect("it is not along the normal");
            for turn in 0..12 {
                let angle = 0.1 + f64::from(turn) * 0.52;
                let [along, aside] = grain.axes;
                let way = along * angle.cos() + aside * angle.sin();
                cases.extend([0.01, 0.9, 3.0, 70.0, 1e5].map(|size| (grain, way * size)));
            }
        }
        cases
    }

    #[test]
    fn what_is_left_is_normal_to_the_ellipse_to_rounding() {
        for (grain, wanted) in cases() {
            let found = grain.nearest(wanted, 0.7);
            let [p, q] = grain.in_plane(found, 0.7);
            let a2 = grain.factor * grain.factor;
            let size = p * p / a2 + q * q;
            if found == wanted {
                assert!(size <= 1.0 + 1e-12, "{size}");
                continue;
            }
            assert!((size - 1.0).abs() < 1e-9, "{grain:?} {wanted}: {size}");
            let (left, outward) = (wanted - found, grain.axes[0] * (p / a2) + grain.axes[1] * q);
            let off = left.cross(outward).length() / outward.length();
            assert!(off < 1e-12 * wanted.length(), "{grain:?} {wanted}: {off:e}");
            assert!(left.dot(outward) > 0.0, "{grain:?} {wanted}");
        }
    }

    #[test]
    fn its_slope_is_that_of_differences() {
        for (grain, wanted) in cases() {
            let slope = grain.slope(wanted, 0.7);
            let step = 1e-6 * wanted.length();
            for way in grain.axes {
                let at = |share: f64| grain.nearest(wanted + way * (share * step), 0.7);
                let expected = (at(1.0) - at(-1.0)) / (2.0 * step);
                let off = (slope * way - expected).length();
                assert!(off < 1e-5, "{grain:?} {wanted} {way}: {off:e}");
            }
        }
    }

    #[test]
    fn a_grain_that_stands_upright_is_none() {
        let grain = Grain {
            axis: to_real(DVec3::Y),
            factor: 0.1,
        };
        for (lean, is_upright) in [(0.0, true), (1e-6, true), (0.01, false)] {
            let normal = DVec3::new(lean, 1.0, 0.0).normalize();
            assert_eq!(PlanarGrain::new(grain, normal).is_none(), is_upright);
        }
    }
}
