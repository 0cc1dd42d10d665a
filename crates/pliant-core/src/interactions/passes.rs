//! Sums over the neighbours of a row, and impulses at them.

use pliant_math::simd::Pack;
use pliant_math::{Real, SymMat3};

use super::lanes::scaled;
use super::records::{RecordRow, fetched};
use crate::parallel::{Source, View};

/// Matrices by rows: `m[i][j]` is dv_i/dx_j of a velocity gradient.
pub type Rows3<N> = [[N; 3]; 3];

/// grad v [1/s] of a row by rows: sum_j (v_j - v_i) (x) g_ij (Yu et al. 2024, eq. 7).
#[inline(always)]
pub fn gradient<P: Pack, R: RecordRow>(
    records: &[R],
    unit: Real,
    own: [P; 3],
    velocity: &(impl Source + ?Sized),
) -> Rows3<P> {
    let mut sum = [[P::ZERO; 3]; 3];
    for record in fetched::<P, R>(records) {
        let v: [P; 4] = velocity.at(record.neighbors());
        let g: [P; 3] = record.gradient();
        let difference = [v[0] - own[0], v[1] - own[1], v[2] - own[2]];
        for (row, difference) in sum.iter_mut().zip(difference) {
            row[0] += difference * g[0];
            row[1] += difference * g[1];
            row[2] += difference * g[2];
        }
    }
    let unit = P::splat(unit);
    let [x, y, z] = sum;
    [scaled(x, unit), scaled(y, unit), scaled(z, unit)]
}

/// Applies impulses dt V0 S at the neighbours: v_j -= dt V0/m_j S g_ij (Yu et al. 2024, eq. 19 with
/// S = tau); the impulses are per multiple of a gradient.
#[inline(always)]
pub fn scatter<P: Pack, R: RecordRow>(
    records: &[R],
    impulse: SymMat3<P>,
    velocity: &mut View<'_, [Real; 4]>,
) {
    for record in fetched::<P, R>(records) {
        let v: [P; 4] = velocity.gather(record.neighbors());
        let push = times(impulse, record.gradient());
        velocity.scatter(record.neighbors(), moved(v, push, -v[3]));
    }
}

/// Velocities changed by a factor times a direction; the fourth component stays.
#[inline(always)]
pub fn moved<P: Pack>(v: [P; 4], direction: [P; 3], factor: P) -> [P; 4] {
    [
        v[0] + direction[0] * factor,
        v[1] + direction[1] * factor,
        v[2] + direction[2] * factor,
        v[3],
    ]
}

/// The product of tensors and vectors.
#[inline(always)]
pub fn times<P: Pack>(s: SymMat3<P>, [x, y, z]: [P; 3]) -> [P; 3] {
    [
        s.xx * x + s.xy * y + s.xz * z,
        s.xy * x + s.yy * y + s.yz * z,
        s.xz * x + s.yz * y + s.zz * z,
    ]
}
