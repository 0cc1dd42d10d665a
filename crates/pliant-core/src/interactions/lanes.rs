//! Vectors and tensors of sixteen particles, by component.

use pliant_math::SymMat3;
use pliant_math::simd::{Mask, Number, Pack, Row};

/// Reads the components of vectors.
#[inline(always)]
pub fn load_vector<P: Pack>([x, y, z]: &[Row; 3]) -> [P; 3] {
    [P::load(x), P::load(y), P::load(z)]
}

/// Writes the components of vectors.
#[inline(always)]
pub fn store_vector<P: Pack>([a, b, c]: [P; 3], [x, y, z]: &mut [Row; 3]) {
    a.store(x);
    b.store(y);
    c.store(z);
}

/// A vector times a factor.
#[inline(always)]
pub fn scaled<N: Number>([x, y, z]: [N; 3], factor: N) -> [N; 3] {
    [x * factor, y * factor, z * factor]
}

/// a (x) b of parallel vectors, which is symmetric.
#[inline(always)]
pub fn outer<N: Number>(a: [N; 3], b: [N; 3]) -> SymMat3<N> {
    SymMat3::new(
        a[0] * b[0],
        a[1] * b[1],
        a[2] * b[2],
        a[0] * b[1],
        a[0] * b[2],
        a[1] * b[2],
    )
}

/// True if the tensors are zero in all lanes.
#[inline(always)]
pub fn are_zero<P: Pack>(tensor: SymMat3<P>) -> bool {
    let is_zero = |component: P| component.abs().at_most(P::ZERO);
    let normal = is_zero(tensor.xx) & is_zero(tensor.yy) & is_zero(tensor.zz);
    let shear = is_zero(tensor.xy) & is_zero(tensor.xz) & is_zero(tensor.yz);
    !(!(normal & shear)).any()
}
