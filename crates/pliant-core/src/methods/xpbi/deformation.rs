//! Trial strain from the velocity gradient.

use pliant_math::simd::Number;
use pliant_math::{Mat3, Real, SymMat3, hencky_strain};

use crate::interactions::passes::Rows3;

/// Greatest |dt grad v| that one step is taken to describe. Beyond it the velocity field is not
/// consistent with one step, and A = I + dt grad v could be inverted, which b does not show.
const GREATEST_STEP: Real = 0.5;

/// D = dt grad v, shortened to the greatest deformation of a step.
#[inline(always)]
pub fn limited_step<N: Number>(velocity_gradient: Rows3<N>, dt: Real) -> Rows3<N> {
    let dt = N::splat(dt);
    let [x, y, z] = velocity_gradient;
    let (x, y, z) = (scaled(x, dt), scaled(y, dt), scaled(z, dt));
    let squared = dot(x, x) + dot(y, y) + dot(z, z);
    let is_short = squared.at_most(N::splat(GREATEST_STEP * GREATEST_STEP));
    let shortening = N::splat(GREATEST_STEP) / squared.sqrt();
    let factor = N::splat(1.0).or_where_not(is_short, shortening);
    [scaled(x, factor), scaled(y, factor), scaled(z, factor)]
}

#[inline(always)]
fn scaled<N: Number>([x, y, z]: [N; 3], factor: N) -> [N; 3] {
    [x * factor, y * factor, z * factor]
}

#[inline(always)]
fn dot<N: Number>(a: [N; 3], b: [N; 3]) -> N {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The elastic trial strain E_tr = A (I + E) A^T - I, A = I + D, without cancellation near zero.
///
/// Yu et al. 2024, eq. 10, with b - I in place of F: E_tr = E + Q + Q^T + Q D^T, Q = D (I + E).
///
/// * `strain` — E = b - I at the start of the step
/// * `step` — D = dt grad v
#[inline(always)]
pub fn trial_strain<N: Number>(strain: SymMat3<N>, step: Rows3<N>) -> SymMat3<N> {
    let e = strain;
    let [d0, d1, d2] = step;
    let (q0, q1, q2) = (stretched(d0, e), stretched(d1, e), stretched(d2, e));
    let two = N::splat(2.0);
    SymMat3::new(
        e.xx + two * q0[0] + dot(q0, d0),
        e.yy + two * q1[1] + dot(q1, d1),
        e.zz + two * q2[2] + dot(q2, d2),
        e.xy + q0[1] + q1[0] + dot(q0, d1),
        e.xz + q0[2] + q2[0] + dot(q0, d2),
        e.yz + q1[2] + q2[1] + dot(q1, d2),
    )
}

/// d (I + E).
#[inline(always)]
fn stretched<N: Number>(d: [N; 3], e: SymMat3<N>) -> [N; 3] {
    [
        d[0] + dot(d, [e.xx, e.xy, e.xz]),
        d[1] + dot(d, [e.xy, e.yy, e.yz]),
        d[2] + dot(d, [e.xz, e.yz, e.zz]),
    ]
}

/// The Hencky trial strain 1/2 log(b) at the end of a step with this velocity gradient.
#[inline(always)]
pub fn trial_hencky_strain(strain: SymMat3, velocity_gradient: Mat3, dt: Real) -> SymMat3 {
    let step = limited_step(by_rows(velocity_gradient), dt);
    hencky_strain(trial_strain(strain, step))
}

/// The rows of a matrix.
#[inline(always)]
pub fn by_rows(m: Mat3) -> Rows3<Real> {
    [m.row(0).into(), m.row(1).into(), m.row(2).into()]
}

/// Ratio of the elastic volume to the rest volume, sqrt(det b).
#[inline(always)]
pub fn volume_ratio<N: Number>(strain: SymMat3<N>) -> N {
    let b = strain + SymMat3::isotropic(N::splat(1.0));
    b.determinant().max(N::ZERO).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_math::Vec3;

    #[test]
    fn trial_strain_is_that_of_the_product_of_deformations() {
        let strain = SymMat3::new(0.1, -0.05, 0.2, 0.03, -0.02, 0.04);
        let step = Mat3::from_cols(
            Vec3::new(0.1, 0.2, -0.1),
            Vec3::new(-0.05, 0.05, 0.15),
            Vec3::new(0.02, -0.1, -0.1),
        );
        let direct =
            (strain + SymMat3::IDENTITY).congruence(step + Mat3::IDENTITY) - SymMat3::IDENTITY;
        assert!((trial_strain(strain, by_rows(step)) - direct).norm() < 1e-6);
    }

    #[test]
    fn an_inverting_step_is_shortened_until_it_does_not_invert() {
        let inward = Mat3::from_diagonal(Vec3::splat(-30.0).into());
        let [x, y, z] = limited_step(by_rows(inward), 1.0).map(Vec3::from_array);
        assert!((Mat3::from_cols(x, y, z) + Mat3::IDENTITY).determinant() > 0.0);
    }

    #[test]
    fn volume_ratio_is_the_determinant_of_the_deformation() {
        let stretch = SymMat3::diagonal(1.2 * 1.2 - 1.0, 0.9 * 0.9 - 1.0, 0.0);
        assert!((volume_ratio(stretch) - 1.2 * 0.9).abs() < 1e-6);
    }
}
