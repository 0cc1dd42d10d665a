//! General 3x3 matrices of numbers, or of packs of them.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use crate::simd::{LANES, Mask, Number, Pack, Row};
use crate::{Real, SymMat3, Vector3};

/// A 3x3 matrix of numbers, or of packs of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Matrix3<N = Real> {
    /// `rows[i][j]` is the component in row i and column j.
    pub rows: [[N; 3]; 3],
}

impl<N: Number> Matrix3<N> {
    /// The zero matrix.
    pub const ZERO: Self = Self::from_rows([[N::ZERO; 3]; 3]);

    /// A matrix from its rows.
    #[inline(always)]
    pub const fn from_rows(rows: [[N; 3]; 3]) -> Self {
        Self { rows }
    }

    /// `s I`.
    #[inline(always)]
    pub fn isotropic(s: N) -> Self {
        let zero = N::ZERO;
        Self::from_rows([[s, zero, zero], [zero, s, zero], [zero, zero, s]])
    }

    /// The identity.
    #[inline(always)]
    pub fn identity() -> Self {
        Self::isotropic(N::splat(1.0))
    }

    /// A matrix of numbers in every lane.
    #[inline(always)]
    pub fn splat(matrix: Matrix3) -> Self {
        let [a, b, c] = matrix.rows;
        Self::from_rows([splat_row(a), splat_row(b), splat_row(c)])
    }

    /// `a b^T`.
    #[inline(always)]
    pub fn outer(a: [N; 3], b: [N; 3]) -> Self {
        Self::from_rows([
            scaled_row(b, a[0]),
            scaled_row(b, a[1]),
            scaled_row(b, a[2]),
        ])
    }

    /// The transpose.
    #[inline(always)]
    pub fn transpose(self) -> Self {
        let [a, b, c] = self.rows;
        Self::from_rows([[a[0], b[0], c[0]], [a[1], b[1], c[1]], [a[2], b[2], c[2]]])
    }

    /// The sum of the diagonal.
    #[inline(always)]
    pub fn trace(self) -> N {
        self.rows[0][0] + self.rows[1][1] + self.rows[2][2]
    }

    /// The sum of the three principal minors: `(tr(A)^2 - tr(A^2)) / 2`.
    #[inline(always)]
    pub fn second_invariant(self) -> N {
        let [a, b, c] = self.rows;
        (a[0] * b[1] - a[1] * b[0]) + (a[0] * c[2] - a[2] * c[0]) + (b[1] * c[2] - b[2] * c[1])
    }

    /// The determinant.
    #[inline(always)]
    pub fn determinant(self) -> N {
        let [a, b, c] = self.rows;
        dot(a, cross(b, c))
    }

    /// The cofactor matrix `det(A) A^-T`, the derivative of the determinant.
    #[inline(always)]
    pub fn cofactor(self) -> Self {
        let [a, b, c] = self.rows;
        Self::from_rows([cross(b, c), cross(c, a), cross(a, b)])
    }

    /// The scalar product `A : B`.
    #[inline(always)]
    pub fn double_dot(self, other: Self) -> N {
        let ([a, b, c], [d, e, f]) = (self.rows, other.rows);
        dot(a, d) + dot(b, e) + dot(c, f)
    }

    /// The square of the Frobenius norm: `A : A`.
    #[inline(always)]
    pub fn norm_squared(self) -> N {
        self.double_dot(self)
    }

    /// The product with a vector.
    #[inline(always)]
    pub fn times_vector(self, v: [N; 3]) -> [N; 3] {
        let [a, b, c] = self.rows;
        [dot(a, v), dot(b, v), dot(c, v)]
    }

    /// The product with a symmetric tensor.
    #[inline(always)]
    pub fn times_symmetric(self, tensor: SymMat3<N>) -> Self {
        self * Self::from(tensor)
    }

    /// The symmetric tensor `A^T A`.
    #[inline(always)]
    pub fn gram(self) -> SymMat3<N> {
        let [x, y, z] = self.transpose().rows;
        SymMat3::new(
            dot(x, x),
            dot(y, y),
            dot(z, z),
            dot(x, y),
            dot(x, z),
            dot(y, z),
        )
    }

    /// The symmetric part `(A + A^T) / 2`.
    #[inline(always)]
    pub fn symmetric_part(self) -> SymMat3<N> {
        let ([a, b, c], half) = (self.rows, N::splat(0.5));
        SymMat3::new(
            a[0],
            b[1],
            c[2],
            half * (a[1] + b[0]),
            half * (a[2] + c[0]),
            half * (b[2] + c[1]),
        )
    }

    /// The Green strain `(F^T F - I) / 2 = (H + H^T + H^T H) / 2` of the displacement gradient
    /// `self` = `H = F - I`: small where `H` is, without a difference of large numbers.
    #[inline(always)]
    pub fn green_strain(self) -> SymMat3<N> {
        self.symmetric_part() + self.gram() * N::splat(0.5)
    }

    /// `self` where the mask is true, `other` elsewhere.
    #[inline(always)]
    pub fn or_where_not(self, mask: N::Mask, other: Self) -> Self {
        let mut rows = self.rows;
        for (row, other) in rows.iter_mut().zip(other.rows) {
            for (x, y) in row.iter_mut().zip(other) {
                *x = x.or_where_not(mask, y);
            }
        }
        Self::from_rows(rows)
    }

    /// The same with `f(matrix of the lane in source)` in the lanes of a mask: for rare cases that
    /// formulas without branches do not cover.
    #[inline(always)]
    pub fn replaced(self, mask: N::Mask, source: Self, f: impl FnMut(Matrix3) -> Matrix3) -> Self {
        let mut lanes = self.lanes();
        replace_lanes(&mut lanes, &source.lanes(), mask.bits(), f);
        let mut rows = self.rows;
        for (i, row) in rows.iter_mut().enumerate() {
            for (j, component) in row.iter_mut().enumerate() {
                *component = N::from_lanes(lanes[i][j]);
            }
        }
        Self::from_rows(rows)
    }

    #[inline(always)]
    fn lanes(self) -> Lanes {
        let mut lanes = [[[0.0; LANES]; 3]; 3];
        for (i, row) in self.rows.into_iter().enumerate() {
            for (j, component) in row.into_iter().enumerate() {
                lanes[i][j] = component.lanes();
            }
        }
        lanes
    }
}

impl<P: Pack> Matrix3<P> {
    /// Reads rows, those of each row of the matrix.
    #[inline(always)]
    pub fn load([a, b, c]: &[[Row; 3]; 3]) -> Self {
        Self::from_rows([load_row(a), load_row(b), load_row(c)])
    }

    /// Writes rows.
    #[inline(always)]
    pub fn store(self, rows: &mut [[Row; 3]; 3]) {
        for (rows, values) in rows.iter_mut().flatten().zip(self.rows.as_flattened()) {
            values.store(rows);
        }
    }
}

#[inline(always)]
fn load_row<P: Pack>([x, y, z]: &[Row; 3]) -> [P; 3] {
    [P::load(x), P::load(y), P::load(z)]
}

/// The numbers in the lanes of a matrix of packs: row, column, lane.
type Lanes = [[[Real; LANES]; 3]; 3];

/// Behind a call because it is rare, and reads and writes memory because what is behind a call is
/// compiled without the vector instructions.
#[cold]
#[inline(never)]
fn replace_lanes(
    lanes: &mut Lanes,
    source: &Lanes,
    bits: u32,
    mut f: impl FnMut(Matrix3) -> Matrix3,
) {
    for lane in (0..LANES).filter(|lane| bits >> lane & 1 == 1) {
        let matrix = Matrix3::from_rows(source.map(|row| row.map(|component| component[lane])));
        let replacement = f(matrix);
        for (row, values) in lanes.iter_mut().zip(replacement.rows) {
            for (component, value) in row.iter_mut().zip(values) {
                component[lane] = value;
            }
        }
    }
}

impl Matrix3 {
    /// The identity.
    pub const IDENTITY: Self = Self::from_rows([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);

    /// True if every component is finite.
    pub fn is_finite(self) -> bool {
        self.rows.iter().flatten().all(|x| x.is_finite())
    }
}

impl<N: Number> From<SymMat3<N>> for Matrix3<N> {
    #[inline(always)]
    fn from(t: SymMat3<N>) -> Self {
        Self::from_rows([[t.xx, t.xy, t.xz], [t.xy, t.yy, t.yz], [t.xz, t.yz, t.zz]])
    }
}

#[inline(always)]
fn dot<N: Number>(a: [N; 3], b: [N; 3]) -> N {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The vector product.
#[inline(always)]
pub(crate) fn cross<N: Number>(a: [N; 3], b: [N; 3]) -> [N; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[inline(always)]
fn splat_row<N: Number>([x, y, z]: [Real; 3]) -> [N; 3] {
    [N::splat(x), N::splat(y), N::splat(z)]
}

#[inline(always)]
fn scaled_row<N: Number>([x, y, z]: [N; 3], s: N) -> [N; 3] {
    [x * s, y * s, z * s]
}

impl<N: Number> Add for Matrix3<N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let mut rows = self.rows;
        for (row, other) in rows.iter_mut().zip(other.rows) {
            for (x, y) in row.iter_mut().zip(other) {
                *x += y;
            }
        }
        Self::from_rows(rows)
    }
}

impl<N: Number> AddAssign for Matrix3<N> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<N: Number> Sub for Matrix3<N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let mut rows = self.rows;
        for (row, other) in rows.iter_mut().zip(other.rows) {
            for (x, y) in row.iter_mut().zip(other) {
                *x = *x - y;
            }
        }
        Self::from_rows(rows)
    }
}

impl<N: Number> Neg for Matrix3<N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        let [[a, b, c], [d, e, f], [g, h, i]] = self.rows;
        Self::from_rows([[-a, -b, -c], [-d, -e, -f], [-g, -h, -i]])
    }
}

impl<N: Number> Mul<N> for Matrix3<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: N) -> Self {
        let [a, b, c] = self.rows;
        Self::from_rows([scaled_row(a, s), scaled_row(b, s), scaled_row(c, s)])
    }
}

impl<N: Number> Mul<Vector3<N>> for Matrix3<N> {
    type Output = Vector3<N>;
    #[inline(always)]
    fn mul(self, v: Vector3<N>) -> Vector3<N> {
        let [x, y, z] = self.times_vector([v.x, v.y, v.z]);
        Vector3 { x, y, z }
    }
}

impl<N: Number> Mul for Matrix3<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let columns = other.transpose();
        let [a, b, c] = self.rows;
        Self::from_rows([
            columns.times_vector(a),
            columns.times_vector(b),
            columns.times_vector(c),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Instructions, Job, Pack, Row};
    use proptest::prelude::*;

    fn matrix() -> impl Strategy<Value = Matrix3> {
        prop::array::uniform3(prop::array::uniform3(-1.0..1.0_f64))
            .prop_map(|rows| Matrix3::from_rows(rows.map(|row| row.map(|x| x as Real))))
    }

    fn greatest(a: Matrix3) -> Real {
        a.rows
            .iter()
            .flatten()
            .fold(0.0, |m: Real, x| m.max(x.abs()))
    }

    proptest! {
        #[test]
        fn cofactor_is_the_transposed_inverse_times_the_determinant(a in matrix()) {
            let product = a * a.cofactor().transpose();
            let defect = product - Matrix3::isotropic(a.determinant());
            prop_assert!(greatest(defect) < 16.0 * Real::EPSILON, "{defect:?}");
        }

        #[test]
        fn determinant_of_a_product_is_the_product(a in matrix(), b in matrix()) {
            let difference = (a * b).determinant() - a.determinant() * b.determinant();
            prop_assert!(difference.abs() < 64.0 * Real::EPSILON, "{difference:e}");
        }

        #[test]
        fn volume_of_a_displacement_gradient_is_a_sum_of_its_invariants(h in matrix()) {
            let f = h + Matrix3::IDENTITY;
            let sum = h.trace() + h.second_invariant() + h.determinant();
            prop_assert!((f.determinant() - 1.0 - sum).abs() < 64.0 * Real::EPSILON);
        }

        #[test]
        fn green_strain_is_that_of_the_deformation_gradient(h in matrix()) {
            let f = h + Matrix3::IDENTITY;
            let twice = f.transpose() * f - Matrix3::IDENTITY;
            let difference = Matrix3::from(h.green_strain()) - twice * 0.5;
            prop_assert!(greatest(difference) < 16.0 * Real::EPSILON, "{difference:?}");
        }

        #[test]
        fn products_of_matrices_are_associative(a in matrix(), b in matrix(), v in prop::array::uniform3(-1.0..1.0_f64)) {
            let v = v.map(|x| x as Real);
            let (once, twice) = ((a * b).times_vector(v), a.times_vector(b.times_vector(v)));
            for (x, y) in once.into_iter().zip(twice) {
                prop_assert!((x - y).abs() < 32.0 * Real::EPSILON);
            }
            // A : B = tr(A^T B) = u . (A v) for B = u v^T
            let outer = Matrix3::outer([1.0, -2.0, 0.5], v);
            let image = a.times_vector(v);
            let expected = image[0] - 2.0 * image[1] + 0.5 * image[2];
            prop_assert!((a.double_dot(outer) - expected).abs() < 32.0 * Real::EPSILON);
        }

        #[test]
        fn lanes_of_a_mask_are_replaced(a in matrix(), b in matrix(), bits in 0u32..1 << 16) {
            for instructions in Instructions::available() {
                let rows = instructions.run(Replace(a, b, bits));
                for (lane, &found) in rows.0.iter().enumerate() {
                    let doubled = bits >> lane & 1 == 1;
                    let expected = if doubled { 2.0 * b.rows[1][2] } else { a.rows[1][2] };
                    prop_assert_eq!(found, expected);
                }
            }
        }
    }

    struct Replace(Matrix3, Matrix3, u32);

    impl Job for Replace {
        type Output = Row;

        fn run<P: Pack>(self) -> Row {
            let (a, b) = (Matrix3::<P>::splat(self.0), Matrix3::<P>::splat(self.1));
            let replaced = a.replaced(P::Mask::from_bits(self.2), b, |m| m * 2.0);
            let mut row = Row::ZERO;
            replaced.rows[1][2].store(&mut row);
            row
        }
    }

    #[test]
    fn tiny_displacement_gradients_keep_their_strain() {
        let h = Matrix3::from_rows([[1e-20, 4e-20, 0.0], [0.0, -2e-20, 0.0], [0.0, 0.0, 3e-20]]);
        let strain = h.green_strain();
        let expected = SymMat3::new(1e-20, -2e-20, 3e-20, 2e-20, 0.0, 0.0);
        assert!((strain - expected).norm() < 1e-26, "{strain:?}");
    }
}
