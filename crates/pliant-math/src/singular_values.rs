//! Singular values with the sign of the determinant, and the rotation nearest to a matrix.

use crate::{DMat3, DVec3, Matrix3, Real};

/// Rounds of three rotations after which the iteration stops in any case; it converges quadratically
/// and needs four to six.
const MAX_SWEEPS: usize = 20;

/// Cosine of the angle between two columns below which they count as orthogonal.
const ORTHOGONAL: f64 = 1e-15;

/// The decomposition `A = U diag(values) V^T` with two rotations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedSingularValues {
    /// Proper rotation: its columns are the directions that lengths are along after.
    pub u: DMat3,
    /// The values, by size, the greatest first: the last one has the sign of the determinant, the
    /// others are at least zero.
    pub values: [f64; 3],
    /// Proper rotation: its columns are the directions that lengths are along before.
    pub v: DMat3,
}

impl SignedSingularValues {
    /// The rotation `U V^T` nearest to the matrix.
    pub fn rotation(&self) -> Matrix3 {
        from_double(self.u * self.v.transpose())
    }
}

/// Signed singular values of any finite matrix, in double precision in either build.
///
/// Where singular values are zero the directions that belong to them are completed to a rotation.
// Hestenes' one-sided rotations: Golub and Van Loan, Matrix Computations, 4th ed., sec. 8.6.3.
// The sign convention is that of Irving et al. 2004, sec. 4.
pub fn signed_singular_values(matrix: Matrix3) -> SignedSingularValues {
    let scale = greatest_component(matrix);
    if scale == 0.0 {
        return SignedSingularValues {
            u: DMat3::IDENTITY,
            values: [0.0; 3],
            v: DMat3::IDENTITY,
        };
    }
    let mut columns = scaled_columns(matrix, scale);
    let mut v = [DVec3::X, DVec3::Y, DVec3::Z];
    for _ in 0..MAX_SWEEPS {
        let pairs = [(0, 1), (0, 2), (1, 2)];
        let turned = pairs.map(|(p, q)| make_orthogonal(&mut columns, &mut v, p, q));
        if turned == [false; 3] {
            break;
        }
    }
    sort(&mut columns, &mut v);
    let u = rotation_along(columns);
    let [first, second, third] = [0, 1, 2].map(|k| scale * u.col(k).dot(columns[k]));
    let values = [first, second.max(0.0), third];
    let v = DMat3::from_cols(v[0], v[1], v[2]);
    SignedSingularValues { u, values, v }
}

fn greatest_component(matrix: Matrix3) -> f64 {
    let components = matrix.rows.iter().flatten();
    components.fold(0.0, |m: f64, &x| m.max(f64::from(x.abs())))
}

fn scaled_columns(matrix: Matrix3, scale: f64) -> [DVec3; 3] {
    let [a, b, c] = matrix.rows.map(|row| row.map(|x| f64::from(x) / scale));
    [0, 1, 2].map(|k| DVec3::new(a[k], b[k], c[k]))
}

/// Turns two columns in their plane until they are orthogonal; false if they are already.
fn make_orthogonal(columns: &mut [DVec3; 3], v: &mut [DVec3; 3], p: usize, q: usize) -> bool {
    let (x, y) = (columns[p], columns[q]);
    let product = x.dot(y);
    if product.abs() <= ORTHOGONAL * x.length() * y.length() {
        return false;
    }
    let theta = (y.length_squared() - x.length_squared()) / (2.0 * product);
    let tangent = 1.0_f64.copysign(theta) / (theta.abs() + (theta * theta + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    for pair in [columns, v] {
        let (x, y) = (pair[p], pair[q]);
        (pair[p], pair[q]) = (x * cosine - y * sine, x * sine + y * cosine);
    }
    true
}

/// Orders the columns by length, the longest first, and keeps `v` a rotation.
fn sort(columns: &mut [DVec3; 3], v: &mut [DVec3; 3]) {
    for (p, q) in [(0, 1), (1, 2), (0, 1)] {
        if columns[p].length_squared() < columns[q].length_squared() {
            for pair in [&mut *columns, &mut *v] {
                (pair[p], pair[q]) = (pair[q], -pair[p]);
            }
        }
    }
}

/// The rotation whose first columns point along the first of these, which are orthogonal.
fn rotation_along([first, second, _]: [DVec3; 3]) -> DMat3 {
    let x = first.normalize();
    // What is left of the rounding of the first column stands on it in any direction.
    let along = second.try_normalize().map(|y| y - x * x.dot(y));
    let y = along.filter(|y| y.length() > 0.5);
    let y = y.map_or_else(|| x.any_orthonormal_vector(), DVec3::normalize);
    DMat3::from_cols(x, y, x.cross(y))
}

fn from_double(m: DMat3) -> Matrix3 {
    Matrix3::from_rows([0, 1, 2].map(|i| [0, 1, 2].map(|j| m.col(j)[i] as Real)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::rotation;
    use proptest::prelude::*;

    const ROUNDING: f64 = 1e-14;
    /// What the rounding of the components leaves of values up to 3.
    const TOLERANCE: f64 = 64.0 * Real::EPSILON as f64;

    /// Two rotations and their product with the values between, rounded once.
    fn product(u: DMat3, values: [f64; 3], v: DMat3) -> Matrix3 {
        from_double(u * DMat3::from_diagonal(DVec3::from_array(values)) * v.transpose())
    }

    fn is_rotation(m: DMat3) -> bool {
        let defect = m * m.transpose() - DMat3::IDENTITY;
        let components = defect.to_cols_array().into_iter();
        let greatest = components.map(f64::abs).fold(0.0, f64::max);
        greatest < ROUNDING && (m.determinant() - 1.0).abs() < ROUNDING
    }

    /// What every decomposition promises.
    fn check(matrix: Matrix3) -> Result<SignedSingularValues, TestCaseError> {
        let found = signed_singular_values(matrix);
        prop_assert!(is_rotation(found.u) && is_rotation(found.v), "{found:?}");
        let [a, b, c] = found.values;
        let slack = ROUNDING * a;
        prop_assert!(a + slack >= b && b + slack >= c.abs(), "{found:?}");
        let rebuilt = found.u * DMat3::from_diagonal(DVec3::new(a, b, c)) * found.v.transpose();
        for i in 0..3 {
            for j in 0..3 {
                let defect = rebuilt.col(j)[i] - f64::from(matrix.rows[i][j]);
                prop_assert!(defect.abs() <= ROUNDING * a, "{matrix:?} {found:?}");
            }
        }
        Ok(found)
    }

    proptest! {
        #[test]
        fn any_matrix_is_rebuilt(
            rows in prop::array::uniform3(prop::array::uniform3(-1.0..1.0_f64)), power in -20..20,
        ) {
            let scale = 10.0_f64.powi(power);
            check(Matrix3::from_rows(rows.map(|row| row.map(|x| (x * scale) as Real))))?;
        }

        #[test]
        fn known_values_are_found(
            mut values in prop::array::uniform3(-2.0..2.0_f64), u in rotation(), v in rotation(),
        ) {
            let found = check(product(u, values, v))?;
            let sign: f64 = values.iter().map(|x| x.signum()).product();
            values = values.map(f64::abs);
            values.sort_by(|a, b| b.total_cmp(a));
            values[2] *= sign;
            for (f, x) in found.values.iter().zip(values) {
                prop_assert!((f - x).abs() < TOLERANCE, "{found:?} {values:?}");
            }
        }

        #[test]
        fn singular_and_equal_values_have_rotations(
            u in rotation(), v in rotation(), value in 0.1..3.0_f64,
            which in prop::sample::select(vec![
                [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [1.0, 1.0, -1.0], [-1.0, -1.0, -1.0],
            ]),
        ) {
            let matrix = product(u, which.map(|x| x * value), v);
            let found = check(matrix)?;
            let mut sizes = which.map(|x| (x * value).abs());
            sizes.sort_by(|a, b| b.total_cmp(a));
            for (f, size) in found.values.iter().zip(sizes) {
                prop_assert!((f.abs() - size).abs() < TOLERANCE, "{found:?}");
            }
        }

        #[test]
        fn columns_that_are_exactly_dependent_have_rotations(
            u in prop::array::uniform3(-9..10_i32), v in prop::array::uniform3(-9..10_i32),
        ) {
            // Rank one, or zero, with no rounding that fills it up.
            let rows = u.map(|a| v.map(|b| (a * b) as Real));
            let found = check(Matrix3::from_rows(rows))?;
            let length = |w: [i32; 3]| f64::from(w.iter().map(|x| x * x).sum::<i32>()).sqrt();
            prop_assert!((found.values[0] - length(u) * length(v)).abs() < 1e-12);
            prop_assert!(found.values[1] < 1e-12 && found.values[2].abs() < 1e-12);
        }
    }

    #[test]
    fn ends_of_the_range_are_finite() {
        let full = |x: Real| Matrix3::from_rows([[x; 3]; 3]);
        let diagonal = |x: Real, y: Real, z: Real| {
            Matrix3::from_rows([[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]])
        };
        let (max, min) = (Real::MAX, Real::MIN_POSITIVE);
        for matrix in [
            Matrix3::ZERO,
            full(0.1 * max),
            full(min),
            diagonal(max, min, -1.0),
            diagonal(min, 0.0, max),
            diagonal(0.0, 0.0, -1.0),
        ] {
            let found = signed_singular_values(matrix);
            assert!(
                is_rotation(found.u) && is_rotation(found.v),
                "{matrix:?} {found:?}"
            );
            assert!(found.values.iter().all(|x| x.is_finite()), "{found:?}");
        }
    }

    #[test]
    fn a_reflection_has_a_rotation_and_one_negative_value() {
        let mirror = Matrix3::from_rows([[1.0, 0.0, 0.0], [0.0, -0.5, 0.0], [0.0, 0.0, 2.0]]);
        let found = signed_singular_values(mirror);
        assert_eq!(found.values, [2.0, 1.0, -0.5]);
        assert_eq!(found.rotation(), Matrix3::IDENTITY);
    }
}
