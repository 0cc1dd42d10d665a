//! What laws read of a deformation.

use pliant_math::simd::Number;
use pliant_math::{Matrix3, Real, SymMat3};

/// Greatest Frobenius norm of the Green strain that counts as small: principal stretches between
/// 0.77 and 1.19 at least.
const GREATEST_SMALL_STRAIN: Real = 0.2;

/// A deformation and the invariants of it, such that small ones are small numbers and not the
/// difference of large ones.
#[derive(Clone, Copy, Debug)]
pub struct Deformation<N: Number = Real> {
    /// The deformation gradient `F = I + H`.
    pub gradient: Matrix3<N>,
    /// The Green strain `E = (F^T F - I) / 2`.
    pub strain: SymMat3<N>,
    /// The volume `J = det F`, negative for inverted material.
    pub volume: N,
    /// The change of volume `J - 1`.
    pub volume_change: N,
    /// The change of shape `tr(E) - (J - 1)`: of second order in the strain.
    pub distortion: N,
    /// True where the strain is small and the material is not inverted. There everything but the
    /// gradient is a function of the strain alone, accurate to roundings of it; elsewhere the volume
    /// comes from the gradient.
    pub is_small: N::Mask,
}

impl<N: Number> Deformation<N> {
    /// From the displacement gradient `H = F - I`.
    ///
    /// The volume of small strains is that of the strain, not of the gradient: a rotation leaves
    /// roundings of 1 in both, and energies need them to be the same.
    // J^2 = det(I + 2E); tr(E) - (J - 1) = (J - 1)^2/2 - 2 II(E) - 4 det(E).
    #[inline(always)]
    pub fn from_displacement_gradient(h: Matrix3<N>) -> Self {
        let (one, two, four) = (N::splat(1.0), N::splat(2.0), N::splat(4.0));
        let gradient = h + Matrix3::identity();
        let strain = h.green_strain();
        let limit = N::splat(GREATEST_SMALL_STRAIN * GREATEST_SMALL_STRAIN);
        let of_gradient = gradient.determinant();
        let is_small = strain.dot(strain).at_most(limit) & N::ZERO.less(of_gradient);

        let (trace, minors) = (strain.trace(), strain.second_invariant());
        let determinant = strain.determinant();
        let of_square = two * trace + four * minors + N::splat(8.0) * determinant;
        let root = (one + of_square).max(N::ZERO).sqrt();
        let of_strain = of_square / (one + root);
        let second_order = N::splat(0.5) * of_strain * of_strain - two * minors;

        let volume_change = of_strain.or_where_not(is_small, of_gradient - one);
        Self {
            gradient,
            strain,
            volume: root.or_where_not(is_small, of_gradient),
            volume_change,
            distortion: (second_order - four * determinant)
                .or_where_not(is_small, trace - volume_change),
            is_small,
        }
    }

    /// True where material is not inverted and every principal stretch is greater than a number > 0,
    /// to rounding of the greatest one.
    #[inline(always)]
    pub fn is_stretched_beyond(&self, least: Real) -> N::Mask {
        let excess =
            self.strain * N::splat(2.0) + SymMat3::isotropic(N::splat(1.0 - least * least));
        N::ZERO.less(self.volume) & excess.is_positive_definite()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_math::{DMat3, DQuat, DVec3, signed_singular_values};
    use proptest::prelude::*;

    const ROUNDING: f64 = Real::EPSILON as f64;

    fn rounded(m: DMat3) -> Matrix3 {
        Matrix3::from_rows([0, 1, 2].map(|i| [0, 1, 2].map(|j| m.col(j)[i] as Real)))
    }

    fn rotation(q: [f64; 4]) -> DMat3 {
        DMat3::from_quat(DQuat::from_array(q).normalize())
    }

    /// The displacement gradient of a symmetric stretch along turned axes.
    fn stretch(excess: [f64; 3], axes: DMat3) -> Matrix3 {
        rounded(axes * DMat3::from_diagonal(DVec3::from_array(excess)) * axes.transpose())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn invariants_of_small_stretches_are_exact(
            excess in prop::array::uniform3(-1.0..1.0_f64), power in -9..1,
            q in prop::array::uniform4(0.1..1.0_f64),
        ) {
            let excess = excess.map(|x| 0.1 * x * 10.0_f64.powi(power));
            let found = Deformation::from_displacement_gradient(stretch(excess, rotation(q)));
            let [a, b, c] = excess;
            let size = excess.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            // J - 1 without a product of numbers near 1.
            let change = a + b + c + a * b + b * c + c * a + a * b * c;
            let error = f64::from(found.volume_change) - change;
            prop_assert!(error.abs() < 24.0 * ROUNDING * size, "{found:?} {change}");
            // tr E = sum (a + a^2/2)
            let distortion = 0.5 * (a * a + b * b + c * c) - (a * b + b * c + c * a) - a * b * c;
            let error = f64::from(found.distortion) - distortion;
            prop_assert!(error.abs() < 120.0 * ROUNDING * size * size, "{found:?} {distortion}");
        }

        #[test]
        fn both_formulas_of_the_volume_agree_at_the_switch(
            excess in prop::array::uniform3(-1.0..1.0_f64), q in prop::array::uniform4(0.1..1.0_f64),
        ) {
            let length = excess.iter().map(|x| x * x).sum::<f64>().sqrt();
            prop_assume!(length > 0.1);
            let h = |size: f64| stretch(excess.map(|x| x * size / length), rotation(q));
            let near = Deformation::from_displacement_gradient(h(0.15));
            prop_assert!(near.is_small);
            let error = near.gradient.determinant() - 1.0 - near.volume_change;
            prop_assert!(error.abs() < 16.0 * Real::EPSILON);
            let error = near.strain.trace() - near.volume_change - near.distortion;
            prop_assert!(error.abs() < 16.0 * Real::EPSILON);
            prop_assert!(!Deformation::from_displacement_gradient(h(0.35)).is_small);
        }

        #[test]
        fn least_stretch_is_that_of_the_singular_values(
            rows in prop::array::uniform3(prop::array::uniform3(-1.5..1.5_f64)),
            least in prop::sample::select(vec![0.1, 0.3, 0.58]),
        ) {
            let h = Matrix3::from_rows(rows.map(|row| row.map(|x| x as Real)));
            let found = Deformation::from_displacement_gradient(h);
            let [_, _, smallest] = signed_singular_values(found.gradient).values;
            prop_assume!((smallest - least).abs() > 1e-4);
            prop_assert_eq!(found.is_stretched_beyond(least as Real), smallest > least);
        }
    }

    #[test]
    fn mirrored_material_never_takes_the_small_strain_branch() {
        let mirror = Matrix3::from_rows([[-2.0, 0.0, 0.0], [0.0; 3], [0.0; 3]]);
        let found = Deformation::from_displacement_gradient(mirror);
        assert_eq!(found.strain, SymMat3::ZERO);
        assert!(!found.is_small && found.volume == -1.0);
    }
}
