//! Rotation and stretch of a deformation: `F = R U`.

use pliant_math::simd::{Mask, Number};
use pliant_math::{Matrix3, Real, SymMat3, signed_singular_values};

use super::Deformation;

/// Steps of Newton's method for the stretch of small strains: the first guess is within 0.4 %, and
/// every step squares the error.
#[cfg(not(feature = "double"))]
const STRETCH_STEPS: usize = 2;
/// Steps of Newton's method for the stretch of small strains: the first guess is within 0.4 %, and
/// every step squares the error.
#[cfg(feature = "double")]
const STRETCH_STEPS: usize = 3;

/// Least principal stretch with which the iteration for the rotation ends in `ROTATION_STEPS`; its
/// inverse is the greatest.
const LEAST_REGULAR_STRETCH: Real = 0.1;

/// Steps of the iteration `s <- (s + 1/s)/2` from 0.1 or 10 to 1, to double precision.
const ROTATION_STEPS: usize = 8;

/// The Biot strain `U - I` of the Green strain E, accurate to roundings of it for norms up to 0.2.
// B^2 + 2B = 2E by Newton's method, from the Pade approximant of the root.
#[inline(always)]
pub(crate) fn biot_strain<N: Number>(strain: SymMat3<N>) -> SymMat3<N> {
    let isotropic = |x: Real| SymMat3::isotropic(N::splat(x));
    let twice = strain * N::splat(2.0);
    let mut biot = strain.mul_commuting((isotropic(1.0) + strain * N::splat(0.5)).inverse());
    for _ in 0..STRETCH_STEPS {
        let numerator = biot.mul_commuting(biot) + twice;
        let denominator = isotropic(2.0) + biot * N::splat(2.0);
        biot = numerator.mul_commuting(denominator.inverse());
    }
    biot
}

/// The rotation R nearest to a deformation gradient, a proper one also for inverted material.
// Newton's iteration for the polar decomposition: Higham, Functions of Matrices, 2008, sec. 8.3.
#[inline(always)]
pub(crate) fn rotation<N: Number>(deformation: &Deformation<N>) -> Matrix3<N> {
    let gradient = deformation.gradient;
    let greatest = N::splat(1.0 / (LEAST_REGULAR_STRETCH * LEAST_REGULAR_STRETCH));
    let is_regular = deformation.is_stretched_beyond(LEAST_REGULAR_STRETCH)
        & gradient.norm_squared().at_most(greatest);
    let mut rotation = gradient.or_where_not(is_regular, Matrix3::identity());
    for _ in 0..ROTATION_STEPS {
        let cofactor = rotation.cofactor();
        let half_of_inverse = N::splat(0.5) / rotation.determinant();
        rotation = rotation * N::splat(0.5) + cofactor * half_of_inverse;
    }
    if (!is_regular).any() {
        let nearest = |gradient| signed_singular_values(gradient).rotation();
        return rotation.replaced(!is_regular, gradient, nearest);
    }
    rotation
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn matrix(size: f64) -> impl Strategy<Value = Matrix3> {
        prop::array::uniform3(prop::array::uniform3(-size..size))
            .prop_map(|rows| Matrix3::from_rows(rows.map(|row| row.map(|x| x as Real))))
    }

    fn greatest(a: Matrix3) -> Real {
        a.rows
            .iter()
            .flatten()
            .fold(0.0, |m: Real, x| m.max(x.abs()))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn rotation_is_the_nearest_one(h in matrix(2.0)) {
            let deformation = Deformation::from_displacement_gradient(h);
            let exact = signed_singular_values(deformation.gradient);
            // The nearest rotation turns fast where two stretches cancel.
            prop_assume!(exact.values[1] + exact.values[2] > 0.05);
            let difference = rotation(&deformation) - exact.rotation();
            prop_assert!(greatest(difference) < 400.0 * Real::EPSILON, "{difference:?} {exact:?}");
        }

        #[test]
        fn biot_strain_is_the_root_of_the_green_strain(h in matrix(0.1), power in -12..1) {
            let h = h * (10.0 as Real).powi(power);
            let strain = h.green_strain();
            prop_assume!(strain.norm() < 0.2);
            let biot = biot_strain(strain);
            let back = biot + biot.mul_commuting(biot) * 0.5;
            prop_assert!((back - strain).norm() < 8.0 * Real::EPSILON * strain.norm());
        }
    }
}
