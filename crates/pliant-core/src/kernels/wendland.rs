//! The Wendland C2 kernel of Yu et al. 2024, sec. 3.
//!
//!   W(q) = 21/(16 pi r^3) (1 - q/2)^4 (2q + 1),  q = |d|/r < 2
//!   grad W(d) = 21/(16 pi r^5) 5 (1 - q/2)^3 d
//!
//! d = x_j - x_i points from the particle to its neighbour, and the gradient is with respect to x_i.
//! r is half the support radius. The gradient has no singularity at d = 0.

use std::f64::consts::PI;

use pliant_math::Real;
use pliant_math::simd::Number;

/// The kernel of one support radius.
#[derive(Clone, Copy, Debug)]
pub struct Wendland {
    /// Squared support radius [m2].
    pub support_squared: Real,
    inverse_radius: Real,
    weight_scale: Real,
    gradient_scale: Real,
}

impl Wendland {
    /// The kernel that reaches zero at `support_radius` [m], > 0.
    pub fn new(support_radius: f64) -> Self {
        let r = 0.5 * support_radius;
        let scale = 21.0 / (16.0 * PI);
        Self {
            support_squared: (support_radius * support_radius) as Real,
            inverse_radius: (1.0 / r) as Real,
            weight_scale: (scale / r.powi(3)) as Real,
            gradient_scale: (5.0 * scale / r.powi(5)) as Real,
        }
    }

    /// W [1/m3] at a distance [m] below the support radius.
    #[inline(always)]
    pub fn weight<N: Number>(&self, distance: N) -> N {
        let q = distance * N::splat(self.inverse_radius);
        let t = N::splat(1.0) - N::splat(0.5) * q;
        let t2 = t * t;
        N::splat(self.weight_scale) * t2 * t2 * (N::splat(2.0) * q + N::splat(1.0))
    }

    /// The factor of d in grad W [1/m5] at a distance [m] below the support radius.
    #[inline(always)]
    pub fn gradient_factor<N: Number>(&self, distance: N) -> N {
        let t = N::splat(1.0) - N::splat(0.5 * self.inverse_radius) * distance;
        N::splat(self.gradient_scale) * t * t * t
    }

    /// The integral of W over the half-space that begins at a distance [m], negative if the point is
    /// inside, and minus its slope [1/m].
    ///
    ///   u^6 (7 - 9 u + 3 u^2)/2,   21/(2 r) u^5 (1 - 3/2 u + 4/7 u^2),   u = 1 - q/2
    pub fn beyond(&self, distance: Real) -> (Real, Real) {
        let q = distance * self.inverse_radius;
        let u = 1.0 - 0.5 * q.abs();
        if u <= 0.0 {
            return (if q < 0.0 { 1.0 } else { 0.0 }, 0.0);
        }
        let u5 = u * u * u * u * u;
        let share = u5 * u * (3.5 - 4.5 * u + 1.5 * u * u);
        let slope = 10.5 * u5 * (1.0 - 1.5 * u + 4.0 / 7.0 * u * u) * self.inverse_radius;
        (if q < 0.0 { 1.0 - share } else { share }, slope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integral_over_space_is_one() {
        let kernel = Wendland::new(0.2);
        let n = 20_000;
        let dr = 0.2 / n as f64;
        let integral: f64 = (0..n)
            .map(|i| {
                let r = (i as f64 + 0.5) * dr;
                4.0 * PI * r * r * f64::from(kernel.weight(r as Real)) * dr
            })
            .sum();
        assert!((integral - 1.0).abs() < 1e-5, "{integral}");
    }

    #[test]
    fn gradient_is_the_slope_of_the_weight() {
        let kernel = Wendland::new(2.0);
        for distance in [0.1, 0.5, 1.0, 1.5, 1.9] {
            let step = 1e-2;
            let slope =
                (kernel.weight(distance + step) - kernel.weight(distance - step)) / (2.0 * step);
            // d points away from x_i, so grad W = -W'(d) d/|d|.
            let gradient = -kernel.gradient_factor(distance) * distance;
            assert!(
                (slope - gradient).abs() < 2e-4,
                "{distance}: {slope} {gradient}"
            );
        }
    }

    #[test]
    fn a_half_space_holds_the_integral_beyond_it() {
        let kernel = Wendland::new(0.2);
        for distance in [-0.15, -0.03, 0.0, 0.02, 0.1, 0.19, 0.21] {
            let n = 4000;
            let ds = 0.2 / n as f64;
            // Spherical caps: a sphere of radius s has 2 pi s (s - d) beyond a plane at distance d.
            let integral: f64 = (0..n)
                .map(|i| (i as f64 + 0.5) * ds)
                .map(|s| {
                    let height = (s - distance).clamp(0.0, 2.0 * s);
                    2.0 * PI * s * height * f64::from(kernel.weight(s as Real)) * ds
                })
                .sum();
            let (share, slope) = kernel.beyond(distance as Real);
            assert!((f64::from(share) - integral).abs() < 1e-4, "{distance}");
            let step = 1e-3;
            let (less, _) = kernel.beyond((distance + step) as Real);
            let (more, _) = kernel.beyond((distance - step) as Real);
            let difference = (more - less) / (2.0 * step as Real);
            assert!(
                (slope - difference).abs() < 0.05,
                "{distance}: {slope} {difference}"
            );
        }
    }
}
