//! Products of matrices and vectors of sixteen particles.

use pliant_math::SymMat3;
use pliant_math::simd::{Pack, Row};

use crate::interactions::lanes::load_vector;
use crate::interactions::passes::Rows3;

/// tr(A K A^T).
#[inline(always)]
pub fn mobility<P: Pack>(a: Rows3<P>, k: SymMat3<P>) -> P {
    let mut sum = P::ZERO;
    for row in a {
        let image = [
            k.xx * row[0] + k.xy * row[1] + k.xz * row[2],
            k.xy * row[0] + k.yy * row[1] + k.yz * row[2],
            k.xz * row[0] + k.yz * row[1] + k.zz * row[2],
        ];
        sum += image[0] * row[0] + image[1] * row[1] + image[2] * row[2];
    }
    sum
}

/// Reads the components of matrices.
#[inline(always)]
pub fn load_rows<P: Pack>([x, y, z]: &[[Row; 3]; 3]) -> Rows3<P> {
    [load_vector(x), load_vector(y), load_vector(z)]
}

/// Adds a (x) b.
#[inline(always)]
pub fn add_outer<P: Pack>(sum: &mut Rows3<P>, a: [P; 3], b: [P; 3]) {
    for (row, a) in sum.iter_mut().zip(a) {
        row[0] += a * b[0];
        row[1] += a * b[1];
        row[2] += a * b[2];
    }
}

/// The product of matrices and vectors.
#[inline(always)]
pub fn times<P: Pack>(m: Rows3<P>, [x, y, z]: [P; 3]) -> [P; 3] {
    [
        m[0][0] * x + m[0][1] * y + m[0][2] * z,
        m[1][0] * x + m[1][1] * y + m[1][2] * z,
        m[2][0] * x + m[2][1] * y + m[2][2] * z,
    ]
}

/// The product of matrices and symmetric ones.
#[inline(always)]
pub fn times_symmetric<P: Pack>(m: Rows3<P>, s: SymMat3<P>) -> Rows3<P> {
    let mut product = m;
    for (to, row) in product.iter_mut().zip(m) {
        *to = [
            row[0] * s.xx + row[1] * s.xy + row[2] * s.xz,
            row[0] * s.xy + row[1] * s.yy + row[2] * s.yz,
            row[0] * s.xz + row[1] * s.yz + row[2] * s.zz,
        ];
    }
    product
}

/// Squared lengths.
#[inline(always)]
pub fn squared<P: Pack>([x, y, z]: [P; 3]) -> P {
    x * x + y * y + z * z
}

/// Cross products.
#[inline(always)]
pub fn cross<P: Pack>(a: [P; 3], b: [P; 3]) -> [P; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}
