//! Symmetric 3x3 tensors, stored as their six independent components.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use crate::{Mat3, Real, Vec3};

/// A symmetric 3x3 tensor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct SymMat3 {
    /// Component (0, 0).
    pub xx: Real,
    /// Component (1, 1).
    pub yy: Real,
    /// Component (2, 2).
    pub zz: Real,
    /// Components (0, 1) and (1, 0).
    pub xy: Real,
    /// Components (0, 2) and (2, 0).
    pub xz: Real,
    /// Components (1, 2) and (2, 1).
    pub yz: Real,
}

impl SymMat3 {
    /// The zero tensor.
    pub const ZERO: Self = Self::diagonal(0.0, 0.0, 0.0);
    /// The identity tensor.
    pub const IDENTITY: Self = Self::diagonal(1.0, 1.0, 1.0);

    /// A tensor from its six components.
    #[inline(always)]
    pub const fn new(xx: Real, yy: Real, zz: Real, xy: Real, xz: Real, yz: Real) -> Self {
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
    pub const fn diagonal(xx: Real, yy: Real, zz: Real) -> Self {
        Self::new(xx, yy, zz, 0.0, 0.0, 0.0)
    }

    /// `s I`.
    #[inline(always)]
    pub const fn isotropic(s: Real) -> Self {
        Self::diagonal(s, s, s)
    }

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

    /// The sum of the diagonal.
    #[inline(always)]
    pub fn trace(self) -> Real {
        self.xx + self.yy + self.zz
    }

    /// The tensor without its mean: `A - tr(A)/3 I`.
    #[inline(always)]
    pub fn deviator(self) -> Self {
        self - Self::isotropic(self.trace() * (1.0 / 3.0))
    }

    /// The determinant.
    #[inline(always)]
    pub fn determinant(self) -> Real {
        self.xx * (self.yy * self.zz - self.yz * self.yz)
            - self.xy * (self.xy * self.zz - self.yz * self.xz)
            + self.xz * (self.xy * self.yz - self.yy * self.xz)
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
        self.adjugate() * (1.0 / self.determinant())
    }

    /// The scalar product `A : B`.
    #[inline(always)]
    pub fn dot(self, other: Self) -> Real {
        self.xx * other.xx
            + self.yy * other.yy
            + self.zz * other.zz
            + 2.0 * (self.xy * other.xy + self.xz * other.xz + self.yz * other.yz)
    }

    /// The Frobenius norm `sqrt(A : A)`.
    #[inline(always)]
    pub fn norm(self) -> Real {
        self.dot(self).sqrt()
    }

    /// The product with a vector.
    #[inline(always)]
    pub fn mul_vec3(self, v: Vec3) -> Vec3 {
        Vec3::new(self.xx, self.xy, self.xz) * v.x
            + Vec3::new(self.xy, self.yy, self.yz) * v.y
            + Vec3::new(self.xz, self.yz, self.zz) * v.z
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

    /// The greatest absolute row sum: a bound on the greatest eigenvalue (Gershgorin).
    #[inline(always)]
    pub fn gershgorin_bound(self) -> Real {
        let (xy, xz, yz) = (self.xy.abs(), self.xz.abs(), self.yz.abs());
        let x = self.xx.abs() + xy + xz;
        let y = self.yy.abs() + xy + yz;
        let z = self.zz.abs() + xz + yz;
        x.max(y).max(z)
    }

    /// True if every component is finite.
    #[inline(always)]
    pub fn is_finite(self) -> bool {
        (self.xx + self.yy + self.zz + self.xy + self.xz + self.yz).is_finite()
    }
}

impl Add for SymMat3 {
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

impl Sub for SymMat3 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        self + (-o)
    }
}

impl Neg for SymMat3 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self * -1.0
    }
}

impl Mul<Real> for SymMat3 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: Real) -> Self {
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

impl AddAssign for SymMat3 {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl SubAssign for SymMat3 {
    #[inline(always)]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}
