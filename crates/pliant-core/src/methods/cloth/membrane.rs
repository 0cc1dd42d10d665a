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

use pliant_math::Real;
use pliant_math::simd::Number;

use crate::methods::vector::{Point, Vector};

/// What a triangle is in one substep.
#[derive(Clone, Copy, Debug)]
pub struct Membrane<N> {
    /// Shape gradients [1/m] of the second and the third corner along warp and weft; that of the
    /// first is minus their sum.
    pub gradient: [[N; 2]; 2],
    /// F_u and F_v at the start.
    pub start: [Vector<N>; 2],
    /// |F_u|^2 - 1, |F_v|^2 - 1 and F_u . F_v at the start.
    pub start_strain: [N; 3],
    /// 1/(A k dt^2) [1/kg m^2] for warp, weft and shear.
    pub compliance: [N; 3],
}

/// What a pass does in a step.
#[derive(Clone, Copy, Debug)]
pub struct Step<N> {
    /// Time from the start of the step to where constraints are evaluated [s].
    pub dt: N,
    /// One over the length of the step [1/s].
    pub inverse_dt: N,
    /// Multipliers change by what is lacking over the greatest of a + `added` W, `bounding` W and
    /// `straining` |C| W.
    pub added: N,
    /// See there.
    pub bounding: N,
    /// See there.
    pub straining: N,
}

/// (omega dt)^2 = W/a of a constraint over the sweeps beyond which not all of its stress is taken over.
const RESOLVED: Real = 1.0;
/// By how much the stress taken over may change a constraint by itself: strains and angles beyond that are not
/// linear, and sweeps would not find back.
const FARTHEST: Real = 0.4;

impl Step<Real> {
    /// A projection in a step of `dt` [s].
    pub fn projection(dt: Real) -> Self {
        Self {
            dt,
            inverse_dt: 1.0 / dt,
            added: 1.0,
            bounding: 0.0,
            straining: 0.0,
        }
    }

    /// The start of a step of `dt` [s]: the impulses of the stress that there is, as far as so many sweeps
    /// can make up for what is wrong with them.
    pub fn start(dt: Real, sweeps: u32) -> Self {
        Self {
            dt: 0.0,
            inverse_dt: 1.0 / dt,
            added: 0.0,
            bounding: 1.0 / (RESOLVED * sweeps.max(1) as Real),
            straining: 1.0 / FARTHEST,
        }
    }

    /// The same for sixteen.
    #[inline(always)]
    pub fn splat<N: Number>(self) -> Step<N> {
        Step {
            dt: N::splat(self.dt),
            inverse_dt: N::splat(self.inverse_dt),
            added: N::splat(self.added),
            bounding: N::splat(self.bounding),
            straining: N::splat(self.straining),
        }
    }
}

/// F_u, or F_v, at the end of the substep.
#[derive(Clone, Copy, Debug)]
struct Column<N> {
    /// The vector itself.
    end: Vector<N>,
    /// |F|^2 - 1.
    strain: N,
}

impl<N: Number> Membrane<N> {
    /// Projects warp, weft and shear, one after the other.
    ///
    /// * `corners` — velocities and inverse masses
    /// * `multiplier` — accumulated impulses [J s]
    #[inline(always)]
    pub fn project(&self, corners: &mut [Point<N>; 3], multiplier: &mut [N; 3], step: Step<N>) {
        self.stretch(0, corners, &mut multiplier[0], step);
        self.stretch(1, corners, &mut multiplier[1], step);
        self.shear(corners, &mut multiplier[2], step);
    }

    /// Projects warp (0) or weft (1).
    #[inline(always)]
    fn stretch(
        &self,
        direction: usize,
        corners: &mut [Point<N>; 3],
        multiplier: &mut N,
        step: Step<N>,
    ) {
        let [first, second, third] = self.shape_gradients(direction);
        let column = self.column(direction, corners, step.dt);
        let length = (column.strain + N::splat(1.0))
            .max(N::splat(SHORTEST))
            .sqrt();
        let constraint = column.strain / (length + N::splat(1.0));
        let [a, b, c] = corners;
        let weight = a.inverse_mass * (first * first)
            + b.inverse_mass * (second * second)
            + c.inverse_mass * (third * third);
        let compliance = self.compliance[direction];
        let change = change(constraint, weight, compliance, multiplier, step);
        let push = column.end * (change / length);
        a.push(push * first);
        b.push(push * second);
        c.push(push * third);
    }

    #[inline(always)]
    fn shear(&self, corners: &mut [Point<N>; 3], multiplier: &mut N, step: Step<N>) {
        let warp = self.column(0, corners, step.dt).end;
        let weft = self.column(1, corners, step.dt).end;
        let [u0, u1, u2] = self.shape_gradients(0);
        let [v0, v1, v2] = self.shape_gradients(1);
        let constraint = self.shear_strain(corners, step.dt);
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
        let change = change(constraint, weight, compliance, multiplier, step);
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
    fn rate(&self, direction: usize, [a, b, c]: &[Point<N>; 3]) -> Vector<N> {
        (b.velocity - a.velocity) * self.gradient[0][direction]
            + (c.velocity - a.velocity) * self.gradient[1][direction]
    }

    #[inline(always)]
    fn column(&self, direction: usize, corners: &[Point<N>; 3], dt: N) -> Column<N> {
        let start = self.start[direction];
        let change = self.rate(direction, corners) * dt;
        Column {
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

/// The change of a multiplier, which is updated.
///
/// * `constraint` — C
/// * `weight` — W
/// * `compliance` — a
#[inline(always)]
pub fn change<N: Number>(
    constraint: N,
    weight: N,
    compliance: N,
    multiplier: &mut N,
    step: Step<N>,
) -> N {
    let rate = constraint * step.inverse_dt;
    let bound = step.bounding.max(constraint.abs() * step.straining);
    let opposed = (weight * step.added + compliance).max(weight * bound);
    let change = -(rate + compliance * *multiplier) / opposed;
    *multiplier += change;
    change
}
