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

/// Which eigenvalues of a positive semidefinite tensor count, and how much.
///
/// The inverse of an eigenvalue is weighted by 0 up to the cut, `max(relative * greatest, absolute)`, by 1
/// from `full` times the cut, and linearly between: so no inverse jumps as its tensor changes.
#[derive(Clone, Copy, Debug)]
pub struct CutOff {
    /// Cut relative to the greatest eigenvalue, >= 0.
    pub relative: Real,
    /// Least cut, >= 0.
    pub absolute: Real,
    /// Multiple of the cut from which an eigenvalue counts in full, > 1.
    pub full: Real,
}

/// The pseudo-inverse of a positive semidefinite tensor, and the rank that was kept.
///
/// Eigenvalues up to the cut, and those not above zero, are cut: the result maps their eigenvectors to
/// zero. Rank 0 gives the zero tensor.
#[inline]
pub fn pseudo_inverse(a: SymMat3, cut: CutOff) -> (SymMat3, u8) {
    match plain_inverse(a, cut) {
        (inverse, true) => (inverse, 3),
        (_, false) => pseudo_inverse_by_eigenvalues(a, cut),
    }
}

/// The inverse in closed form, and whether it is the [`pseudo_inverse`]: true where the tensor is so
/// well conditioned that every eigenvalue counts in full and few digits are lost.
#[inline(always)]
pub fn plain_inverse<N: Number>(a: SymMat3<N>, cut: CutOff) -> (SymMat3<N>, N::Mask) {
    let adjugate = a.adjugate();
    let determinant = a.xx * adjugate.xx + a.xy * adjugate.xy + a.xz * adjugate.xz;
    // With the Frobenius norm, least >= 1/|A^-1| = det/|adj A| and greatest <= |A|: when these
    // bounds clear the cut, the eigenvalues do. The three minors say that the tensor is positive.
    let condition = N::splat((cut.full * cut.relative).max(CLOSED_FORM_CONDITION));
    let least = (condition * a.norm()).max(N::splat(cut.full * cut.absolute));
    let clears_cut = (adjugate.norm() * least).at_most(N::splat(ROUNDING_MARGIN) * determinant);
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
fn pseudo_inverse_by_eigenvalues(a: SymMat3, cut: CutOff) -> (SymMat3, u8) {
    let eigen = symmetric_eigen(a);
    let least = (cut.relative * eigen.greatest())
        .max(cut.absolute)
        .max(Real::MIN_POSITIVE);
    let range = (cut.full - 1.0) * least;
    let inverse = eigen.map(|value| {
        if value > least {
            ((value - least) / range).min(1.0) / value
        } else {
            0.0
        }
    });
    let rank = eigen.values.iter().filter(|value| **value > least).count();
    (inverse, rank as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{extreme_tensors, greatest, rotated, rotation};
    use crate::{DMat3, Mat3, Vec3};
    use proptest::prelude::*;

    const CUT: CutOff = CutOff {
        relative: 0.05,
        absolute: 1e-3,
        full: 3.0,
    };

    const NO_FLOOR: CutOff = CutOff {
        absolute: 0.0,
        ..CUT
    };
    const NOTHING_CUT: CutOff = CutOff {
        relative: 0.0,
        ..NO_FLOOR
    };

    /// The cut of such eigenvalues.
    fn least(values: [f64; 3]) -> f64 {
        (0.05 * values.into_iter().fold(0.0, f64::max)).max(1e-3)
    }

    /// True if an eigenvalue lies so close to the cut that rounding decides.
    fn is_undecided(values: [f64; 3]) -> bool {
        values
            .into_iter()
            .any(|v| (v / least(values) - 1.0).abs() < 1e-3)
    }

    fn expected_rank(values: [f64; 3]) -> u8 {
        values.into_iter().filter(|v| *v > least(values)).count() as u8
    }

    fn expected_inverse(values: [f64; 3]) -> [f64; 3] {
        values.map(|v| ((v / least(values) - 1.0) / 2.0).clamp(0.0, 1.0) / v)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn rank_and_inverse_follow_the_eigenvalues(
            logs in prop::array::uniform3(-4.0..0.5_f64), q in rotation(),
        ) {
            let values = logs.map(|x| 10.0_f64.powf(x));
            prop_assume!(!is_undecided(values));
            let exact = rotated(expected_inverse(values), q);
            let (inverse, rank) = pseudo_inverse(rotated(values, q), CUT);
            prop_assert_eq!(rank, expected_rank(values));
            // Of an eigenvalue at the cut rounding leaves 1 in 20, and its inverse there changes by ten of it.
            let bound = 1e3 * Real::EPSILON * greatest(exact).max(1.0 / least(values) as Real);
            prop_assert!(greatest(inverse - exact) <= bound, "{inverse:?} {exact:?}");
        }

        #[test]
        fn closed_form_and_decomposition_agree(
            logs in prop::array::uniform3(-1.6..0.3_f64), q in rotation(),
        ) {
            let values = logs.map(|x| 10.0_f64.powf(x));
            prop_assume!(!is_undecided(values));
            let a = rotated(values, q);
            let (fast, fast_rank) = pseudo_inverse(a, CUT);
            let (slow, slow_rank) = pseudo_inverse_by_eigenvalues(a, CUT);
            prop_assert_eq!(fast_rank, slow_rank);
            prop_assert!(greatest(fast - slow) <= 512.0 * Real::EPSILON * greatest(slow));
        }

        #[test]
        fn full_rank_inverse_is_the_inverse(
            values in prop::array::uniform3(0.25..1.5_f64), q in rotation(),
        ) {
            let a = rotated(values, q);
            let (inverse, rank) = pseudo_inverse(a, CUT);
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
            let (_, rank) = pseudo_inverse(rotated([signed[0], signed[1], signed[2]], q), CUT);
            prop_assert_eq!(rank, 3 - signs.count_ones() as u8);
        }
    }

    #[test]
    fn inverse_grows_from_nothing_at_the_cut_and_is_never_far_above_it() {
        let mut last: Real = 0.0;
        for step in 0..1000 {
            let thickness = 0.001 * step as Real;
            let (inverse, _) = pseudo_inverse(SymMat3::diagonal(1.0, 1.0, thickness), CUT);
            // The weighted inverse is greatest where it counts in full, 1 / (3 * 0.05).
            assert!(inverse.zz <= 1.001 / 0.15, "{thickness}: {}", inverse.zz);
            assert!(
                (inverse.zz - last).abs() < 0.21,
                "{thickness}: {}",
                inverse.zz
            );
            last = inverse.zz;
        }
    }

    #[test]
    fn sheet_keeps_its_plane_and_pair_its_line() {
        let axis = Vec3::new(0.6, 0.8, 0.0);
        let (pair, rank) = pseudo_inverse(SymMat3::outer(axis) * 0.261, CUT);
        assert_eq!(rank, 1);
        assert!(greatest(pair * 0.261 - SymMat3::outer(axis)) < 1e-6);

        let (sheet, rank) = pseudo_inverse(SymMat3::diagonal(0.7, 0.7, 1e-4), CUT);
        assert_eq!((sheet.zz, rank), (0.0, 2));
    }

    #[test]
    fn faint_tensors_are_cut_by_the_absolute_cut() {
        let (inverse, rank) = pseudo_inverse(SymMat3::isotropic(9e-4), CUT);
        assert_eq!((inverse, rank), (SymMat3::ZERO, 0));
        let (_, rank) = pseudo_inverse(SymMat3::isotropic(1.1e-3), CUT);
        assert_eq!(rank, 3);
    }

    #[test]
    fn inverse_does_not_depend_on_the_unit() {
        for unit in [1e-15, 1e-9, 1e9, 1e15] {
            let (inverse, rank) = pseudo_inverse(SymMat3::diagonal(1.0, 2.0, 4.0) * unit, NO_FLOOR);
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
            for cut in [CUT, NO_FLOOR, NOTHING_CUT] {
                let (inverse, _) = pseudo_inverse(a, cut);
                assert!(inverse.is_finite(), "{a:?} {inverse:?}");
            }
        }
    }

    #[test]
    fn inverse_turns_with_its_tensor() {
        let a = rotated([0.9, 0.4, 0.01], DMat3::IDENTITY);
        let turn = Mat3::from_cols(Vec3::Y, Vec3::Z, Vec3::X);
        let (inverse, _) = pseudo_inverse(a, CUT);
        let (turned, _) = pseudo_inverse(a.congruence(turn), CUT);
        assert!(greatest(turned - inverse.congruence(turn)) < 1e-5);
    }
}
