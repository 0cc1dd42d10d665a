//! How a velocity gradient deforms, and what the deformation costs.

use pliant_math::{Mat3, Real, SymMat3, hencky_strain};

/// Greatest |dt grad v| that one step is taken to describe. Beyond it the velocity field is not
/// consistent with one step, and A = I + dt grad v could turn inside out, which b cannot tell.
const GREATEST_STEP: Real = 0.5;

/// D = dt grad v, shortened to the greatest deformation of a step.
#[inline(always)]
pub fn limited_step(velocity_gradient: Mat3, dt: Real) -> Mat3 {
    let step = velocity_gradient * dt;
    let squared =
        step.x_axis.length_squared() + step.y_axis.length_squared() + step.z_axis.length_squared();
    if squared <= GREATEST_STEP * GREATEST_STEP {
        step
    } else {
        step * (GREATEST_STEP / squared.sqrt())
    }
}

/// The elastic trial strain E_tr = A (I + E) A^T - I, A = I + D, without cancellation near zero.
///
/// Yu et al. 2024, eq. 10, with b - I in place of F: E_tr = E + Q + Q^T + Q D^T, Q = D (I + E).
///
/// * `strain` — E = b - I at the start of the step
/// * `step` — D = dt grad v
#[inline(always)]
pub fn trial_strain(strain: SymMat3, step: Mat3) -> SymMat3 {
    let q = step + step * strain.to_mat3();
    let (q0, q1, q2) = (q.row(0), q.row(1), q.row(2));
    let (d0, d1, d2) = (step.row(0), step.row(1), step.row(2));
    SymMat3::new(
        strain.xx + 2.0 * q0.x + q0.dot(d0),
        strain.yy + 2.0 * q1.y + q1.dot(d1),
        strain.zz + 2.0 * q2.z + q2.dot(d2),
        strain.xy + q0.y + q1.x + q0.dot(d1),
        strain.xz + q0.z + q2.x + q0.dot(d2),
        strain.yz + q1.z + q2.y + q1.dot(d2),
    )
}

/// The Hencky trial strain 1/2 log(b) at the end of a step with this velocity gradient.
#[inline(always)]
pub fn trial_hencky_strain(strain: SymMat3, velocity_gradient: Mat3, dt: Real) -> SymMat3 {
    hencky_strain(trial_strain(strain, limited_step(velocity_gradient, dt)))
}

/// Ratio of the elastic volume to the rest volume, sqrt(det b).
#[inline(always)]
pub fn volume_ratio(strain: SymMat3) -> Real {
    (strain + SymMat3::IDENTITY).determinant().max(0.0).sqrt()
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
        assert!((trial_strain(strain, step) - direct).norm() < 1e-6);
    }

    #[test]
    fn an_inverting_step_is_shortened_until_it_does_not_invert() {
        let step = limited_step(Mat3::from_diagonal(Vec3::splat(-30.0).into()), 1.0);
        assert!((step + Mat3::IDENTITY).determinant() > 0.0);
    }

    #[test]
    fn volume_ratio_is_the_determinant_of_the_deformation() {
        let stretch = SymMat3::diagonal(1.2 * 1.2 - 1.0, 0.9 * 0.9 - 1.0, 0.0);
        assert!((volume_ratio(stretch) - 1.2 * 0.9).abs() < 1e-6);
    }
}
