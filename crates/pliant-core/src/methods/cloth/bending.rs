//! Bending across an edge: the angle between its two triangles, with a rest angle.
//!
//!   C = theta - theta_rest,   energy = k/2 C^2,   k = D l^2 / (A_1 + A_2)
//!
//! l is the length of the edge, A_1 and A_2 the areas of its triangles, all at rest, and D the bending
//! stiffness [N m] of a plate. The coefficient is that of Seung and Nelson 1988 for equilateral
//! triangles; other lattices have a factor on it ([`super::Fabric::bending_factor`]). Gradients of the
//! angle are those of Bridson et al. 2003, sec. 4; the projection is that of `membrane`.

use pliant_math::simd::Number;
use pliant_math::{Real, Vector3};

use super::membrane::{ClothStep, change, time};
use super::point::Point;

/// What an edge with two triangles is in one substep.
#[derive(Clone, Copy, Debug)]
pub struct Hinge<N> {
    /// From the first to the second end of the edge, to the far corner of one triangle and to that of
    /// the other, at the start [m].
    pub start: [Vector3<N>; 3],
    /// Cosine and sine of the angle at rest.
    pub rest: [N; 2],
    /// 1/(k dt^2) [1/(kg m^2)].
    pub compliance: N,
}

/// The angle of a hinge and how it changes with the far corners.
#[derive(Clone, Copy, Debug)]
struct Bend<N> {
    /// theta - theta_rest, in [-pi, pi].
    angle: N,
    /// Gradients with respect to the first and second end and the far corners [1/m].
    gradients: [Vector3<N>; 4],
}

impl<N: Number> Hinge<N> {
    /// Projects the angle.
    ///
    /// * `START` — instead, gives the impulses of the moment at the start
    /// * `points` — the ends of the edge, then the far corners
    /// * `multiplier` — accumulated impulse [J s]
    #[inline(always)]
    pub fn project<const START: bool>(
        &self,
        points: &mut [Point<N>; 4],
        multiplier: &mut N,
        step: ClothStep<N>,
    ) {
        let bend = self.bend(points, time::<N, START>(step));
        let [a, b, c, d] = points;
        let [of_a, of_b, of_c, of_d] = bend.gradients;
        let weight = a.inverse_mass * of_a.squared()
            + b.inverse_mass * of_b.squared()
            + c.inverse_mass * of_c.squared()
            + d.inverse_mass * of_d.squared();
        let change = change::<N, START>(bend.angle, weight, self.compliance, multiplier, step);
        a.push(of_a * change);
        b.push(of_b * change);
        c.push(of_c * change);
        d.push(of_d * change);
    }

    /// The angle less that at rest at the end of a substep of `dt` [s].
    #[cfg(test)]
    pub fn angle(&self, points: &[Point<N>; 4], dt: N) -> N {
        self.bend(points, dt).angle
    }

    #[inline(always)]
    fn bend(&self, [a, b, c, d]: &[Point<N>; 4], dt: N) -> Bend<N> {
        let edge = self.start[0] + (b.velocity - a.velocity) * dt;
        let one = self.start[1] + (c.velocity - a.velocity) * dt;
        let other = self.start[2] + (d.velocity - a.velocity) * dt;
        let (normal_one, normal_other) = (edge.cross(one), other.cross(edge));
        let tiny = N::splat(Real::MIN_POSITIVE);
        let squared = edge.squared().max(tiny);
        let length = squared.sqrt();
        let (square_one, square_other) = (
            normal_one.squared().max(tiny),
            normal_other.squared().max(tiny),
        );
        // Sine and cosine of theta, and of theta - theta_rest, all times the product of the normals.
        let product = square_one.sqrt() * square_other.sqrt();
        let (sine, cosine) = (
            -(length * normal_one.dot(other)),
            normal_one.dot(normal_other),
        );
        let [rest_cosine, rest_sine] = self.rest;
        let bent_sine = sine * rest_cosine - cosine * rest_sine;
        let bent_cosine = cosine * rest_cosine + sine * rest_sine;
        let of_one = normal_one * (-length / square_one);
        let of_other = normal_other * (-length / square_other);
        let (share_one, share_other) = (one.dot(edge) / squared, other.dot(edge) / squared);
        let of_second = of_one * share_one + of_other * share_other;
        Bend {
            angle: angle(bent_sine, bent_cosine, product),
            gradients: [
                of_second - (of_one + of_other),
                -of_second,
                of_one,
                of_other,
            ],
        }
    }
}

/// The angle of a sine and a cosine that are both too large by a factor >= 0.
///
/// The tangent of an eighth of it, which is at most tan(pi/8), by bisection; then the arctangent's series.
#[inline(always)]
fn angle<N: Number>(sine: N, cosine: N, factor: N) -> N {
    let one = N::splat(1.0);
    // Folded flat onto itself, an angle is known but for its sign, and the gradient is not.
    let half = sine / (factor + cosine).max(factor * N::splat(1e-6) + N::splat(Real::MIN_POSITIVE));
    let quarter = half / (one + (one + half * half).sqrt());
    let t = quarter / (one + (one + quarter * quarter).sqrt());
    let z = t * t;
    let mut series = N::ZERO;
    let mut order = SERIES_TERMS;
    while order > 0 {
        order -= 1;
        series = N::splat(1.0 / (2 * order + 1) as Real) - z * series;
    }
    N::splat(8.0) * t * series
}

/// Terms of the series, whose first neglected one is below 2^-24 of the angle up to half a turn.
const SERIES_TERMS: usize = if size_of::<Real>() == 4 { 8 } else { 20 };
