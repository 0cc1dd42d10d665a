//! Pseudo-inverse of positive semidefinite tensors, with a cut for directions that carry nothing.

use crate::simd::Number;
use crate::{Real, SymMat3, symmetric_eigen};

/// Tensors worse conditioned than this (least over greatest eigenvalue) are always decomposed: the
/// closed form loses digits with the square of the condition number.
const CLOSED_FORM_CONDITION: Real = 0.05;

/// Share of the determinant that rounding cannot take from a tensor that passes the test above.
const ROUNDING_MARGIN: Real = 0.99;

/// Determinants outside these bounds are left to the decomposition, which scales its tensor.
const LEAST_DETERMINANT: Real = 1e-24;
const GREATEST_DETERMINANT: Real = 1e24;

/// The pseudo-inverse of a positive semidefinite tensor, and the rank that was kept.
///
/// Eigenvalues below `max(relative_cut * greatest, absolute_cut)`, and those not above zero, are
/// cut: the result maps their eigenvectors to zero. Cuts are >= 0; rank 0 gives the zero tensor.
#[inline]
pub fn pseudo_inverse(a: SymMat3, relative_cut: Real, absolute_cut: Real) -> (SymMat3, u8) {
    match plain_inverse(a, relative_cut, absolute_cut) {
        (inverse, true) => (inverse, 3),
        (_, false) => pseudo_inverse_by_eigenvalues(a, relative_cut, absolute_cut),
    }
}

/// The inverse in closed form, and whether it is the [`pseudo_inverse`]: true where the tensor is so
/// well conditioned that nothing is cut and few digits are lost.
#[inline(always)]
pub fn plain_inverse<N: Number>(
    a: SymMat3<N>,
    relative_cut: Real,
    absolute_cut: Real,
) -> (SymMat3<N>, N::Mask) {
    let adjugate = a.adjugate();
    let determinant = a.xx * adjugate.xx + a.xy * adjugate.xy + a.xz * adjugate.xz;
    // With the Frobenius norm, least >= 1/|A^-1| = det/|adj A| and greatest <= |A|: when these
    // bounds clear the cut, the eigenvalues do. The three minors say that the tensor is positive.
    let condition = N::splat(relative_cut.max(CLOSED_FORM_CONDITION));
    let cut = (condition * a.norm()).max(N::splat(absolute_cut));
    let clears_cut = (adjugate.norm() * cut).at_most(N::splat(ROUNDING_MARGIN) * determinant);
    let is_positive = N::ZERO.less(a.xx) & N::ZERO.less(adjugate.zz);
    let is_plain = N::splat(LEAST_DETERMINANT).at_most(determinant)
        & determinant.less(N::splat(GREATEST_DETERMINANT));
    (
        adjugate * (N::splat(1.0) / determinant),
        clears_cut & is_positive & is_plain,
    )
}

#[cold]
#[inline(never)]
fn pseudo_inverse_by_eigenvalues(
    a: SymMat3,
    relative_cut: Real,
    absolute_cut: Real,
) -> (SymMat3, u8) {
    let eigen = symmetric_eigen(a);
    let cut = (relative_cut * eigen.greatest())
        .max(absolute_cut)
        .max(Real::MIN_POSITIVE);
    let is_kept = |value: Real| value >= cut;
    let inverse = eigen.map(|value| if is_kept(value) { 1.0 / value } else { 0.0 });
    let rank = eigen.values.iter().filter(|value| is_kept(**value)).count();
    (inverse, rank as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{extreme_tensors, greatest, rotated, rotation};
    use crate::{DMat3, Mat3, Vec3};
    use proptest::prelude::*;

    const CUT: Real = 0.05;
    const FLOOR: Real = 1e-3;

    /// True if an eigenvalue lies so close to the cut that rounding decides.
    fn is_undecided(values: [f64; 3]) -> bool {
        let greatest = values.into_iter().fold(0.0, f64::max);
        let cut = (0.05 * greatest).max(1e-3);
        values.into_iter().any(|v| (v / cut - 1.0).abs() < 1e-3)
    }

    fn expected_rank(values: [f64; 3]) -> u8 {
        let greatest = values.into_iter().fold(0.0, f64::max);
        let cut = (0.05 * greatest).max(1e-3);
        values.into_iter().filter(|v| *v >= cut).count() as u8
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn rank_and_inverse_follow_the_eigenvalues(
            logs in prop::array::uniform3(-4.0..0.5_f64), q in rotation(),
        ) {
            let values = logs.map(|x| 10.0_f64.powf(x));
            prop_assume!(!is_undecided(values));
            let greatest_value = values.into_iter().fold(0.0, f64::max);
            let cut = (0.05 * greatest_value).max(1e-3);
            let exact = rotated(values.map(|v| if v >= cut { 1.0 / v } else { 0.0 }), q);
            let (inverse, rank) = pseudo_inverse(rotated(values, q), CUT, FLOOR);
            prop_assert_eq!(rank, expected_rank(values));
            // Condition number 20 at most, and the gap at the cut is at least 1e-3 of it.
            let bound = 5e4 * Real::EPSILON * greatest(exact).max(1.0);
            prop_assert!(greatest(inverse - exact) <= bound, "{inverse:?} {exact:?}");
        }

        #[test]
        fn closed_form_and_decomposition_agree(
            logs in prop::array::uniform3(-1.6..0.3_f64), q in rotation(),
        ) {
            let values = logs.map(|x| 10.0_f64.powf(x));
            prop_assume!(!is_undecided(values));
            let a = rotated(values, q);
            let (fast, fast_rank) = pseudo_inverse(a, CUT, FLOOR);
            let (slow, slow_rank) = pseudo_inverse_by_eigenvalues(a, CUT, FLOOR);
            prop_assert_eq!(fast_rank, slow_rank);
            prop_assert!(greatest(fast - slow) <= 512.0 * Real::EPSILON * greatest(slow));
        }

        #[test]
        fn full_rank_inverse_is_the_inverse(
            values in prop::array::uniform3(0.1..1.5_f64), q in rotation(),
        ) {
            let a = rotated(values, q);
            let (inverse, rank) = pseudo_inverse(a, CUT, FLOOR);
            prop_assert_eq!(rank, 3);
            let defect = inverse.mul_commuting(a) - SymMat3::IDENTITY;
            prop_assert!(greatest(defect) <= 512.0 * Real::EPSILON);
        }

        #[test]
        fn indefinite_tensors_lose_their_negative_directions(
            values in prop::array::uniform3(0.2..1.0_f64), signs in 1..8_u8, q in rotation(),
        ) {
            let signed: Vec<f64> = (0..3)
                .map(|i| if signs >> i & 1 == 1 { -values[i] } else { values[i] })
                .collect();
            let (_, rank) = pseudo_inverse(rotated([signed[0], signed[1], signed[2]], q), CUT, FLOOR);
            prop_assert_eq!(rank, 3 - signs.count_ones() as u8);
        }
    }

    #[test]
    fn sheet_keeps_its_plane_and_pair_its_line() {
        let axis = Vec3::new(0.6, 0.8, 0.0);
        let (pair, rank) = pseudo_inverse(SymMat3::outer(axis) * 0.261, CUT, FLOOR);
        assert_eq!(rank, 1);
        assert!(greatest(pair * 0.261 - SymMat3::outer(axis)) < 1e-6);

        let (sheet, rank) = pseudo_inverse(SymMat3::diagonal(0.7, 0.7, 1e-4), CUT, FLOOR);
        assert_eq!((sheet.zz, rank), (0.0, 2));
    }

    #[test]
    fn faint_tensors_are_cut_by_the_absolute_cut() {
        let (inverse, rank) = pseudo_inverse(SymMat3::isotropic(9e-4), CUT, FLOOR);
        assert_eq!((inverse, rank), (SymMat3::ZERO, 0));
        let (_, rank) = pseudo_inverse(SymMat3::isotropic(1.1e-3), CUT, FLOOR);
        assert_eq!(rank, 3);
    }

    #[test]
    fn inverse_does_not_depend_on_the_unit() {
        for unit in [1e-15, 1e-9, 1e9, 1e15] {
            let (inverse, rank) = pseudo_inverse(SymMat3::diagonal(1.0, 2.0, 4.0) * unit, CUT, 0.0);
            let defect = inverse * unit - SymMat3::diagonal(1.0, 0.5, 0.25);
            assert_eq!(rank, 3, "{unit:e}");
            assert!(
                greatest(defect) < 4.0 * Real::EPSILON,
                "{unit:e} {inverse:?}"
            );
        }
    }

    #[test]
    fn any_finite_tensor_has_a_finite_inverse() {
        for a in extreme_tensors() {
            for cuts in [(CUT, FLOOR), (0.0, 0.0)] {
                let (inverse, _) = pseudo_inverse(a, cuts.0, cuts.1);
                assert!(inverse.is_finite(), "{a:?} {inverse:?}");
            }
        }
    }

    #[test]
    fn inverse_turns_with_its_tensor() {
        let a = rotated([0.9, 0.4, 0.01], DMat3::IDENTITY);
        let turn = Mat3::from_cols(Vec3::Y, Vec3::Z, Vec3::X);
        let (inverse, _) = pseudo_inverse(a, CUT, FLOOR);
        let (turned, _) = pseudo_inverse(a.congruence(turn), CUT, FLOOR);
        assert!(greatest(turned - inverse.congruence(turn)) < 1e-5);
    }
}
