//! Symmetric 3x3 tensors, stored as their six independent components.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use crate::simd::{LANES, Mask, Number, Pack, Row};
use crate::{Mat3, Real, Vec3, Vector3};

/// A symmetric 3x3 tensor of numbers, or of packs of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[repr(C)]
pub struct SymMat3<N = Real> {
    /// Component (0, 0).
    pub xx: N,
    /// Component (1, 1).
    pub yy: N,
    /// Component (2, 2).
    pub zz: N,
    /// Components (0, 1) and (1, 0).
    pub xy: N,
    /// Components (0, 2) and (2, 0).
    pub xz: N,
    /// Components (1, 2) and (2, 1).
    pub yz: N,
}

impl<N: Number> SymMat3<N> {
    /// The zero tensor.
    pub const ZERO: Self = Self::diagonal(N::ZERO, N::ZERO, N::ZERO);

    /// A tensor from its six components.
    #[inline(always)]
    pub const fn new(xx: N, yy: N, zz: N, xy: N, xz: N, yz: N) -> Self {
        Self {
            xx,
            yy,
            zz,
            xy,
            xz,
            yz,
        }
    }

    /// A diagonal tensor.
    #[inline(always)]
    pub const fn diagonal(xx: N, yy: N, zz: N) -> Self {
        Self::new(xx, yy, zz, N::ZERO, N::ZERO, N::ZERO)
    }

    /// `s I`.
    #[inline(always)]
    pub const fn isotropic(s: N) -> Self {
        Self::diagonal(s, s, s)
    }

    /// The sum of the diagonal.
    #[inline(always)]
    pub fn trace(self) -> N {
        self.xx + self.yy + self.zz
    }

    /// The tensor without its mean: `A - tr(A)/3 I`.
    #[inline(always)]
    pub fn deviator(self) -> Self {
        self - Self::isotropic(self.trace() * N::splat(1.0 / 3.0))
    }

    /// The determinant.
    #[inline(always)]
    pub fn determinant(self) -> N {
        self.xx * (self.yy * self.zz - self.yz * self.yz)
            - self.xy * (self.xy * self.zz - self.yz * self.xz)
            + self.xz * (self.xy * self.yz - self.yy * self.xz)
    }

    /// The sum of the three principal minors: `(tr(A)^2 - tr(A^2)) / 2`.
    #[inline(always)]
    pub fn second_invariant(self) -> N {
        (self.xx * self.yy - self.xy * self.xy)
            + (self.xx * self.zz - self.xz * self.xz)
            + (self.yy * self.zz - self.yz * self.yz)
    }

    /// True where every eigenvalue is positive, to rounding (Sylvester's criterion).
    #[inline(always)]
    pub fn is_positive_definite(self) -> N::Mask {
        let minor = self.xx * self.yy - self.xy * self.xy;
        N::ZERO.less(self.xx) & N::ZERO.less(minor) & N::ZERO.less(self.determinant())
    }

    /// The inverse times the determinant (the adjugate), finite for any finite tensor.
    #[inline(always)]
    pub fn adjugate(self) -> Self {
        Self::new(
            self.yy * self.zz - self.yz * self.yz,
            self.xx * self.zz - self.xz * self.xz,
            self.xx * self.yy - self.xy * self.xy,
            self.xz * self.yz - self.xy * self.zz,
            self.xy * self.yz - self.xz * self.yy,
            self.xy * self.xz - self.xx * self.yz,
        )
    }

    /// The inverse; not finite for a singular tensor.
    #[inline(always)]
    pub fn inverse(self) -> Self {
        self.adjugate() * (N::splat(1.0) / self.determinant())
    }

    /// The scalar product `A : B`.
    #[inline(always)]
    pub fn dot(self, other: Self) -> N {
        self.xx * other.xx
            + self.yy * other.yy
            + self.zz * other.zz
            + N::splat(2.0) * (self.xy * other.xy + self.xz * other.xz + self.yz * other.yz)
    }

    /// The Frobenius norm `sqrt(A : A)`.
    #[inline(always)]
    pub fn norm(self) -> N {
        self.dot(self).sqrt()
    }

    /// `A B` for commuting tensors, whose product is symmetric again.
    #[inline(always)]
    pub fn mul_commuting(self, b: Self) -> Self {
        let a = self;
        Self::new(
            a.xx * b.xx + a.xy * b.xy + a.xz * b.xz,
            a.xy * b.xy + a.yy * b.yy + a.yz * b.yz,
            a.xz * b.xz + a.yz * b.yz + a.zz * b.zz,
            a.xx * b.xy + a.xy * b.yy + a.xz * b.yz,
            a.xx * b.xz + a.xy * b.yz + a.xz * b.zz,
            a.xy * b.xz + a.yy * b.yz + a.yz * b.zz,
        )
    }

    /// The greatest absolute row sum: a bound on the greatest eigenvalue (Gershgorin).
    #[inline(always)]
    pub fn gershgorin_bound(self) -> N {
        let (xy, xz, yz) = (self.xy.abs(), self.xz.abs(), self.yz.abs());
        let x = self.xx.abs() + xy + xz;
        let y = self.yy.abs() + xy + yz;
        let z = self.zz.abs() + xz + yz;
        x.max(y).max(z)
    }
}

impl<N: Number> SymMat3<N> {
    /// The components in the order of the fields.
    #[inline(always)]
    pub fn components(self) -> [N; 6] {
        [self.xx, self.yy, self.zz, self.xy, self.xz, self.yz]
    }

    /// From components in the order of the fields.
    #[inline(always)]
    pub fn from_components([xx, yy, zz, xy, xz, yz]: [N; 6]) -> Self {
        Self::new(xx, yy, zz, xy, xz, yz)
    }

    /// `self` where the mask is true, `other` elsewhere.
    #[inline(always)]
    pub fn or_where_not(self, mask: N::Mask, other: Self) -> Self {
        Self::new(
            self.xx.or_where_not(mask, other.xx),
            self.yy.or_where_not(mask, other.yy),
            self.zz.or_where_not(mask, other.zz),
            self.xy.or_where_not(mask, other.xy),
            self.xz.or_where_not(mask, other.xz),
            self.yz.or_where_not(mask, other.yz),
        )
    }

    /// The same with `f(lane, tensor of the lane in source)` in the lanes of a mask: for rare cases
    /// that formulas without branches do not cover.
    #[inline(always)]
    pub fn replaced(
        self,
        mask: N::Mask,
        source: Self,
        f: impl FnMut(usize, SymMat3) -> SymMat3,
    ) -> Self {
        let mut lanes = self.lanes();
        replace_lanes(&mut lanes, &source.lanes(), mask.bits(), f);
        let [xx, yy, zz, xy, xz, yz] = lanes;
        Self::new(
            N::from_lanes(xx),
            N::from_lanes(yy),
            N::from_lanes(zz),
            N::from_lanes(xy),
            N::from_lanes(xz),
            N::from_lanes(yz),
        )
    }

    #[inline(always)]
    fn lanes(self) -> [[Real; LANES]; 6] {
        [
            self.xx.lanes(),
            self.yy.lanes(),
            self.zz.lanes(),
            self.xy.lanes(),
            self.xz.lanes(),
            self.yz.lanes(),
        ]
    }
}

impl<P: Pack> SymMat3<P> {
    /// Reads six rows, in the order of the fields.
    #[inline(always)]
    pub fn load([xx, yy, zz, xy, xz, yz]: &[Row; 6]) -> Self {
        Self::new(
            P::load(xx),
            P::load(yy),
            P::load(zz),
            P::load(xy),
            P::load(xz),
            P::load(yz),
        )
    }

    /// Writes six rows.
    #[inline(always)]
    pub fn store(self, [xx, yy, zz, xy, xz, yz]: &mut [Row; 6]) {
        self.xx.store(xx);
        self.yy.store(yy);
        self.zz.store(zz);
        self.xy.store(xy);
        self.xz.store(xz);
        self.yz.store(yz);
    }
}

/// Behind a call because it is rare, and reads and writes memory because what is behind a call is
/// compiled without the vector instructions.
#[cold]
#[inline(never)]
fn replace_lanes(
    lanes: &mut [[Real; LANES]; 6],
    source: &[[Real; LANES]; 6],
    bits: u32,
    mut f: impl FnMut(usize, SymMat3) -> SymMat3,
) {
    for lane in (0..LANES).filter(|lane| bits >> lane & 1 == 1) {
        let tensor = SymMat3::from_components(source.map(|component| component[lane]));
        let replacement = f(lane, tensor).components();
        for (component, value) in lanes.iter_mut().zip(replacement) {
            component[lane] = value;
        }
    }
}

impl SymMat3 {
    /// The identity tensor.
    pub const IDENTITY: Self = Self::diagonal(1.0, 1.0, 1.0);

    /// `v v^T`.
    #[inline(always)]
    pub fn outer(v: Vec3) -> Self {
        let (x, y, z) = (v.x, v.y, v.z);
        Self::new(x * x, y * y, z * z, x * y, x * z, y * z)
    }

    /// The symmetric part of a matrix.
    #[inline(always)]
    pub fn symmetric_part(m: Mat3) -> Self {
        let half = 0.5;
        Self::new(
            m.x_axis.x,
            m.y_axis.y,
            m.z_axis.z,
            half * (m.y_axis.x + m.x_axis.y),
            half * (m.z_axis.x + m.x_axis.z),
            half * (m.z_axis.y + m.y_axis.z),
        )
    }

    /// The tensor as a full matrix.
    #[inline(always)]
    pub fn to_mat3(self) -> Mat3 {
        Mat3::from_cols(
            Vec3::new(self.xx, self.xy, self.xz),
            Vec3::new(self.xy, self.yy, self.yz),
            Vec3::new(self.xz, self.yz, self.zz),
        )
    }

    /// The product with a vector.
    #[inline(always)]
    pub fn mul_vec3(self, v: Vec3) -> Vec3 {
        Vec3::new(self.xx, self.xy, self.xz) * v.x
            + Vec3::new(self.xy, self.yy, self.yz) * v.y
            + Vec3::new(self.xz, self.yz, self.zz) * v.z
    }

    /// `M A M^T`.
    #[inline(always)]
    pub fn congruence(self, m: Mat3) -> Self {
        let p = m * self.to_mat3();
        let row = |i: usize| m.row(i);
        let p_row = |i: usize| p.row(i);
        Self::new(
            p_row(0).dot(row(0)),
            p_row(1).dot(row(1)),
            p_row(2).dot(row(2)),
            p_row(0).dot(row(1)),
            p_row(0).dot(row(2)),
            p_row(1).dot(row(2)),
        )
    }

    /// True if every component is finite.
    #[inline(always)]
    pub fn is_finite(self) -> bool {
        // Zero times a finite number is zero, times any other it is not a number.
        let zero = self * 0.0;
        zero.xx + zero.yy + zero.zz + zero.xy + zero.xz + zero.yz == 0.0
    }
}

impl<N: Number> Add for SymMat3<N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self::new(
            self.xx + o.xx,
            self.yy + o.yy,
            self.zz + o.zz,
            self.xy + o.xy,
            self.xz + o.xz,
            self.yz + o.yz,
        )
    }
}

impl<N: Number> Sub for SymMat3<N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        self + (-o)
    }
}

impl<N: Number> Neg for SymMat3<N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.xx, -self.yy, -self.zz, -self.xy, -self.xz, -self.yz)
    }
}

impl<N: Number> Mul<N> for SymMat3<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: N) -> Self {
        Self::new(
            self.xx * s,
            self.yy * s,
            self.zz * s,
            self.xy * s,
            self.xz * s,
            self.yz * s,
        )
    }
}

impl<N: Number> Mul<Vector3<N>> for SymMat3<N> {
    type Output = Vector3<N>;
    #[inline(always)]
    fn mul(self, v: Vector3<N>) -> Vector3<N> {
        Vector3::new(
            self.xx * v.x + self.xy * v.y + self.xz * v.z,
            self.xy * v.x + self.yy * v.y + self.yz * v.z,
            self.xz * v.x + self.yz * v.y + self.zz * v.z,
        )
    }
}

impl<N: Number> AddAssign for SymMat3<N> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl<N: Number> SubAssign for SymMat3<N> {
    #[inline(always)]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{extreme_tensors, greatest, rotated, rotation, tensor};
    use crate::symmetric_eigen;
    use proptest::prelude::*;

    fn matrix() -> impl Strategy<Value = Mat3> {
        prop::array::uniform9(-1.0..1.0_f64)
            .prop_map(|m| Mat3::from_cols_array(&m.map(|x| x as Real)))
    }

    proptest! {
        #[test]
        fn congruence_is_the_product_of_three_matrices(a in tensor(0..1), m in matrix()) {
            let product = SymMat3::symmetric_part(m * a.to_mat3() * m.transpose());
            prop_assert!(greatest(a.congruence(m) - product) < 16.0 * Real::EPSILON);
        }

        #[test]
        fn product_with_a_vector_is_that_of_the_matrix(a in tensor(0..1), m in matrix()) {
            let difference = a.mul_vec3(m.x_axis) - a.to_mat3() * m.x_axis;
            prop_assert!(difference.length() < 16.0 * Real::EPSILON);
            let (x, image) = (m.x_axis, a.mul_vec3(m.x_axis));
            let product = a * Vector3::new(x.x, x.y, x.z);
            let difference = Vec3::new(product.x, product.y, product.z) - image;
            prop_assert!(difference.length() < 16.0 * Real::EPSILON);
        }

        #[test]
        fn commuting_product_is_the_matrix_product(a in tensor(0..1)) {
            let b = a.mul_commuting(a) + a;
            let product = SymMat3::symmetric_part(a.to_mat3() * b.to_mat3());
            prop_assert!(greatest(a.mul_commuting(b) - product) < 64.0 * Real::EPSILON);
        }

        #[test]
        fn determinant_trace_and_inverse_are_those_of_the_eigenvalues(
            values in prop::array::uniform3(0.3..2.0_f64), q in rotation(),
        ) {
            let a = rotated(values, q);
            let near = |x: Real, exact: f64| (x - exact as Real).abs() < 256.0 * Real::EPSILON;
            prop_assert!(near(a.determinant(), values.iter().product()));
            prop_assert!(near(a.trace(), values.iter().sum()));
            prop_assert!(near(a.norm(), values.iter().map(|v| v * v).sum::<f64>().sqrt()));
            let inverse = rotated(values.map(|v| 1.0 / v), q);
            prop_assert!(greatest(a.inverse() - inverse) < 256.0 * Real::EPSILON);
        }

        #[test]
        fn gershgorin_bounds_every_eigenvalue(a in tensor(0..1)) {
            let bound = a.gershgorin_bound() * (1.0 + 16.0 * Real::EPSILON);
            for value in symmetric_eigen(a).values {
                prop_assert!(value.abs() <= bound);
            }
        }

        #[test]
        fn one_component_makes_a_tensor_not_finite(a in tensor(-30..30), which in 0..6_usize) {
            for bad in [Real::NAN, Real::INFINITY, Real::NEG_INFINITY] {
                let mut c = [a.xx, a.yy, a.zz, a.xy, a.xz, a.yz];
                c[which] = bad;
                prop_assert!(!SymMat3::new(c[0], c[1], c[2], c[3], c[4], c[5]).is_finite());
            }
        }

        #[test]
        fn definiteness_is_that_of_the_least_eigenvalue(a in tensor(0..1)) {
            let least = symmetric_eigen(a).values.into_iter().fold(Real::MAX, Real::min);
            prop_assume!(least.abs() > 1e-4);
            prop_assert_eq!(a.is_positive_definite(), least > 0.0);
            prop_assert!(!(a - SymMat3::isotropic(least + 0.01)).is_positive_definite());
            prop_assert!((a - SymMat3::isotropic(least - 0.01)).is_positive_definite());
        }

        #[test]
        fn second_invariant_is_that_of_the_traces(a in tensor(0..1)) {
            let traces = 0.5 * (a.trace() * a.trace() - a.dot(a));
            prop_assert!((a.second_invariant() - traces).abs() < 32.0 * Real::EPSILON);
        }

        #[test]
        fn deviator_has_no_trace(a in tensor(0..1)) {
            prop_assert!(a.deviator().trace().abs() < 4.0 * Real::EPSILON);
        }
    }

    #[test]
    fn extreme_components_are_finite() {
        assert!(extreme_tensors().iter().all(|a| a.is_finite()));
    }
}
