//! Eigenvalues and eigenvectors of symmetric tensors.

use crate::{Mat3, Real, SymMat3, Vec3};

/// Rounds of the three rotations after which the iteration stops in any case; it converges
/// quadratically and needs four to six.
const MAX_SWEEPS: usize = 12;

/// Greatest components between these bounds are squared without overflow or loss of digits; others
/// are scaled first.
const LEAST_UNSCALED: Real = 1e-9;
const GREATEST_UNSCALED: Real = 1e9;

/// The decomposition `A = sum_i values[i] v_i v_i^T`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eigen {
    /// Eigenvalues, in no particular order.
    pub values: [Real; 3],
    /// Orthonormal eigenvectors, the columns, in the order of the values.
    pub vectors: Mat3,
}

impl Eigen {
    /// The tensor with the same eigenvectors and the eigenvalues `f(value)`.
    pub fn map(&self, f: impl Fn(Real) -> Real) -> SymMat3 {
        let part = |v: Vec3, value: Real| SymMat3::outer(v) * f(value);
        let [a, b, c] = self.values;
        let axes = self.vectors;
        part(axes.x_axis, a) + part(axes.y_axis, b) + part(axes.z_axis, c)
    }

    /// The greatest eigenvalue.
    pub fn greatest(&self) -> Real {
        let [a, b, c] = self.values;
        a.max(b).max(c)
    }
}

/// Eigenvalues and eigenvectors by cyclic Jacobi rotations, finite for any finite tensor.
///
/// Errors of the values are a few roundings of the greatest one, equal values included.
// Golub and Van Loan, Matrix Computations, 4th ed., sec. 8.5.
pub fn symmetric_eigen(tensor: SymMat3) -> Eigen {
    let scale = scale_of(tensor);
    let mut a = scaled_rows(tensor, scale);
    let mut vectors = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for _ in 0..MAX_SWEEPS {
        if is_diagonal(&a) {
            break;
        }
        rotate::<0, 1>(&mut a, &mut vectors);
        rotate::<0, 2>(&mut a, &mut vectors);
        rotate::<1, 2>(&mut a, &mut vectors);
    }
    Eigen {
        values: [a[0][0], a[1][1], a[2][2]].map(|x| (x * scale).clamp(Real::MIN, Real::MAX)),
        vectors: Mat3::from_cols(
            Vec3::from_array(vectors[0]),
            Vec3::from_array(vectors[1]),
            Vec3::from_array(vectors[2]),
        ),
    }
}

fn scale_of(a: SymMat3) -> Real {
    let greatest = [a.xx, a.yy, a.zz, a.xy, a.xz, a.yz]
        .into_iter()
        .fold(0.0, |m: Real, x| m.max(x.abs()));
    let unscaled = (LEAST_UNSCALED..GREATEST_UNSCALED).contains(&greatest) || greatest == 0.0;
    if unscaled { 1.0 } else { greatest }
}

fn scaled_rows(a: SymMat3, scale: Real) -> [[Real; 3]; 3] {
    [[a.xx, a.xy, a.xz], [a.xy, a.yy, a.yz], [a.xz, a.yz, a.zz]].map(|row| row.map(|x| x / scale))
}

/// True if what is left off the diagonal is below a rounding of the greatest entry.
fn is_diagonal(a: &[[Real; 3]; 3]) -> bool {
    let off = a[0][1].abs().max(a[0][2].abs()).max(a[1][2].abs());
    let on = a[0][0].abs().max(a[1][1].abs()).max(a[2][2].abs());
    off <= 0.01 * Real::EPSILON * on
}

/// Makes the entry (P, Q) zero; `vectors` holds one eigenvector a row.
fn rotate<const P: usize, const Q: usize>(a: &mut [[Real; 3]; 3], vectors: &mut [[Real; 3]; 3]) {
    if a[P][Q] == 0.0 {
        return;
    }
    let (sine, tangent, half_tangent) = rotation(a[P][P], a[Q][Q], a[P][Q]);
    let turn = |x: Real, y: Real| {
        (
            x - sine * (y + half_tangent * x),
            y + sine * (x - half_tangent * y),
        )
    };
    a[P][P] -= tangent * a[P][Q];
    a[Q][Q] += tangent * a[P][Q];
    a[P][Q] = 0.0;
    a[Q][P] = 0.0;
    let r = 3 - P - Q;
    let (x, y) = turn(a[r][P], a[r][Q]);
    (a[r][P], a[P][r]) = (x, x);
    (a[r][Q], a[Q][r]) = (y, y);
    for k in 0..3 {
        (vectors[P][k], vectors[Q][k]) = turn(vectors[P][k], vectors[Q][k]);
    }
}

/// Sine, tangent and tangent of the half of the smaller angle that diagonalises `[pp pq; pq qq]`.
fn rotation(pp: Real, qq: Real, pq: Real) -> (Real, Real, Real) {
    let theta = (qq - pp) / (2.0 * pq);
    let tangent = (1.0 as Real).copysign(theta) / (theta.abs() + (theta * theta + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    (sine, tangent, sine / (1.0 + cosine))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{extreme_tensors, greatest, rotated, rotation, tensor};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn values_and_vectors_rebuild_the_tensor(a in tensor(-30..30)) {
            let rebuilt = symmetric_eigen(a).map(|value| value);
            prop_assert!(greatest(rebuilt - a) <= 12.0 * Real::EPSILON * greatest(a));
        }

        #[test]
        fn vectors_are_orthonormal(a in tensor(-30..30)) {
            let q = symmetric_eigen(a).vectors;
            let defect = SymMat3::symmetric_part(q.transpose() * q) - SymMat3::IDENTITY;
            prop_assert!(greatest(defect) <= 16.0 * Real::EPSILON);
        }

        #[test]
        fn the_spectrum_is_found(
            mut values in prop::array::uniform3(-2.0..2.0_f64), q in rotation(),
        ) {
            values.sort_by(f64::total_cmp);
            let mut found = symmetric_eigen(rotated(values, q)).values;
            found.sort_by(Real::total_cmp);
            for (f, v) in found.iter().zip(values) {
                prop_assert!((f - v as Real).abs() <= 24.0 * Real::EPSILON, "{found:?} {values:?}");
            }
        }
    }

    #[test]
    fn equal_eigenvalues_are_exact() {
        assert_eq!(
            symmetric_eigen(SymMat3::isotropic(0.3)).values,
            [0.3, 0.3, 0.3]
        );
        assert_eq!(symmetric_eigen(SymMat3::ZERO).vectors, Mat3::IDENTITY);
    }

    #[test]
    fn any_finite_tensor_has_a_finite_decomposition() {
        for a in extreme_tensors() {
            let eigen = symmetric_eigen(a);
            assert!(eigen.values.iter().all(|v| v.is_finite()), "{a:?}");
            assert!(eigen.vectors.is_finite(), "{a:?}");
        }
    }
}
