//! Stretch of warp and weft and shear of a triangle, after Baraff and Witkin 1998, sec. 4.2, as
//! constraints of Macklin et al. 2016.
//!
//!   F_u = sum_k u_k x_k,  F_v = sum_k v_k x_k      (columns of the in-plane deformation gradient)
//!   C_u = |F_u| - 1,  C_v = |F_v| - 1,  C_s = F_u . F_v
//!   energy = A/2 (k_u C_u^2 + k_v C_v^2 + k_s C_s^2)
//!
//! u_k and v_k are the gradients of the corners' shape functions along warp and weft, A the area at
//! rest, k_u, k_v, k_s stiffnesses [N/m]. So a strip has the modulus k_u along the warp, none is
//! coupled to another (Poisson's ratio 0), and a small shear by the angle g has the stress k_s g.
//!
//! Unknowns are velocities and the multipliers p are impulses [J s]. Each update solves
//!
//!   C/dt + a p + (W + a) dp = 0,   a = 1/(A k dt^2),   W = sum_k w_k |grad_k C|^2
//!
//! which is eq. 18 of that paper with positions x_start + dt v and p = lambda/dt. Deviation: stretch is
//! computed from |F_u|^2 - 1, kept as such from the start of the substep: single precision loses a
//! small strain in 1 + strain.

use pliant_math::simd::Number;
use pliant_math::{Real, Vector3};

use super::point::Point;

/// What a triangle is in one substep.
#[derive(Clone, Copy, Debug)]
pub struct Membrane<N> {
    /// Shape gradients [1/m] of the second and the third corner along warp and weft; that of the
    /// first is minus their sum.
    pub gradient: [[N; 2]; 2],
    /// F_u and F_v at the start.
    pub start: [Vector3<N>; 2],
    /// |F_u|^2 - 1, |F_v|^2 - 1 and F_u . F_v at the start.
    pub start_strain: [N; 3],
    /// 1/(A k dt^2) [1/kg m^2] for warp, weft and shear.
    pub compliance: [N; 3],
}

/// The length of a step and its inverse, and how many sweeps it has.
#[derive(Clone, Copy, Debug)]
pub struct ClothStep<N> {
    /// dt [s].
    pub dt: N,
    /// 1/dt [1/s].
    pub inverse_dt: N,
    /// Sweeps, > 0.
    pub sweeps: N,
}

impl ClothStep<Real> {
    /// A step of `dt` [s] and so many sweeps.
    pub fn new(dt: f64, sweeps: u32) -> Self {
        let dt = dt as Real;
        Self {
            dt,
            inverse_dt: 1.0 / dt,
            sweeps: sweeps.max(1) as Real,
        }
    }

    /// The same for sixteen.
    #[inline(always)]
    pub fn splat<N: Number>(self) -> ClothStep<N> {
        ClothStep {
            dt: N::splat(self.dt),
            inverse_dt: N::splat(self.inverse_dt),
            sweeps: N::splat(self.sweeps),
        }
    }
}

/// (omega dt)^2 = W/a of a constraint over the sweeps beyond which not all of its stress is taken over, but a part
/// that falls with the square of it: in inverse proportion, cloth vibrated at a step seven times as long as this
/// gives.
const RESOLVED: Real = 1.0;
/// By how much the stress taken over may change a constraint by itself: strains and angles beyond that are not
/// linear, and sweeps would not find back.
const MAX_WARM_START_CHANGE: Real = 0.4;

/// F_u, or F_v, at the end of the substep.
#[derive(Clone, Copy, Debug)]
struct GradientColumn<N> {
    /// The vector itself.
    end: Vector3<N>,
    /// |F|^2 - 1.
    strain: N,
}

impl<N: Number> Membrane<N> {
    /// Projects warp, weft and shear, one after the other.
    ///
    /// * `START` — instead, gives the impulses of the stress at the start
    /// * `corners` — velocities and inverse masses
    /// * `multiplier` — accumulated impulses [J s]
    #[inline(always)]
    pub fn project<const START: bool>(
        &self,
        corners: &mut [Point<N>; 3],
        multiplier: &mut [N; 3],
        step: ClothStep<N>,
    ) {
        self.stretch::<START>(0, corners, &mut multiplier[0], step);
        self.stretch::<START>(1, corners, &mut multiplier[1], step);
        self.shear::<START>(corners, &mut multiplier[2], step);
    }

    /// Projects warp (0) or weft (1).
    #[inline(always)]
    fn stretch<const START: bool>(
        &self,
        direction: usize,
        corners: &mut [Point<N>; 3],
        multiplier: &mut N,
        step: ClothStep<N>,
    ) {
        let [first, second, third] = self.shape_gradients(direction);
        let column = self.column(direction, corners, time::<N, START>(step));
        let length = (column.strain + N::splat(1.0))
            .max(N::splat(SHORTEST))
            .sqrt();
        let constraint = column.strain / (length + N::splat(1.0));
        let [a, b, c] = corners;
        let weight = a.inverse_mass * (first * first)
            + b.inverse_mass * (second * second)
            + c.inverse_mass * (third * third);
        let compliance = self.compliance[direction];
        let change = change::<N, START>(constraint, weight, compliance, multiplier, step);
        let push = column.end * (change / length);
        a.push(push * first);
        b.push(push * second);
        c.push(push * third);
    }

    #[inline(always)]
    fn shear<const START: bool>(
        &self,
        corners: &mut [Point<N>; 3],
        multiplier: &mut N,
        step: ClothStep<N>,
    ) {
        let time = time::<N, START>(step);
        let warp = self.column(0, corners, time).end;
        let weft = self.column(1, corners, time).end;
        let [u0, u1, u2] = self.shape_gradients(0);
        let [v0, v1, v2] = self.shape_gradients(1);
        let constraint = self.shear_strain(corners, time);
        let gradients = [
            weft * u0 + warp * v0,
            weft * u1 + warp * v1,
            weft * u2 + warp * v2,
        ];
        let [a, b, c] = corners;
        let weight = a.inverse_mass * gradients[0].squared()
            + b.inverse_mass * gradients[1].squared()
            + c.inverse_mass * gradients[2].squared();
        let compliance = self.compliance[2];
        let change = change::<N, START>(constraint, weight, compliance, multiplier, step);
        a.push(gradients[0] * change);
        b.push(gradients[1] * change);
        c.push(gradients[2] * change);
    }

    #[inline(always)]
    fn shape_gradients(&self, direction: usize) -> [N; 3] {
        let (second, third) = (self.gradient[0][direction], self.gradient[1][direction]);
        [-(second + third), second, third]
    }

    /// How fast a column of F changes [1/s].
    #[inline(always)]
    fn rate(&self, direction: usize, [a, b, c]: &[Point<N>; 3]) -> Vector3<N> {
        (b.velocity - a.velocity) * self.gradient[0][direction]
            + (c.velocity - a.velocity) * self.gradient[1][direction]
    }

    #[inline(always)]
    fn column(&self, direction: usize, corners: &[Point<N>; 3], dt: N) -> GradientColumn<N> {
        let start = self.start[direction];
        let change = self.rate(direction, corners) * dt;
        GradientColumn {
            end: start + change,
            strain: self.start_strain[direction] + change.dot(start + start + change),
        }
    }

    #[inline(always)]
    fn shear_strain(&self, corners: &[Point<N>; 3], dt: N) -> N {
        let [warp, weft] = self.start;
        let warp_change = self.rate(0, corners) * dt;
        let weft_change = self.rate(1, corners) * dt;
        self.start_strain[2] + warp_change.dot(weft) + (warp + warp_change).dot(weft_change)
    }
}

/// A triangle whose sides have shrunk to less than this square of a length is not computed further:
/// the direction of what is no longer there is not known.
const SHORTEST: Real = 1e-6;

/// From the start of a step to where constraints are evaluated [s].
#[inline(always)]
pub fn time<N: Number, const START: bool>(step: ClothStep<N>) -> N {
    if START { N::ZERO } else { step.dt }
}

/// The change of a multiplier, which is updated: by a projection, or at the start of a step to that of the
/// stress, -C/(dt a), as far as the sweeps can make up for what is wrong with it.
///
/// * `constraint` — C
/// * `weight` — W
/// * `compliance` — a
#[inline(always)]
pub fn change<N: Number, const START: bool>(
    constraint: N,
    weight: N,
    compliance: N,
    multiplier: &mut N,
    step: ClothStep<N>,
) -> N {
    let rate = constraint * step.inverse_dt;
    let opposed = if START {
        // W/a over the sweeps, times a.
        let resolved = weight * N::splat(1.0 / RESOLVED) / step.sweeps;
        let straining = weight * constraint.abs() * N::splat(1.0 / MAX_WARM_START_CHANGE);
        compliance
            .max(resolved * resolved / compliance)
            .max(straining)
    } else {
        weight + compliance
    };
    let change = -(rate + compliance * *multiplier) / opposed;
    *multiplier += change;
    change
}
