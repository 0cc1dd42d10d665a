//! Functions of the eigenvalues of symmetric tensors, for one tensor or a pack of them.

use crate::simd::{Mask, Number};
use crate::{Real, SymMat3};

/// Rounds of the three rotations after which the iteration stops in any case; it converges
/// quadratically and needs three to six.
const MAX_SWEEPS: usize = 12;

/// A matrix by rows.
type MatrixRows<N> = [[N; 3]; 3];

/// The tensor with the same eigenvectors and the eigenvalues `f(value)`, by cyclic Jacobi rotations.
///
/// Finite for tensors with components up to a tenth of the greatest number, if `f` is. A lane stops
/// turning when it is diagonal, so its bits do not depend on its neighbours'.
// Golub and Van Loan, Matrix Computations, 4th ed., sec. 8.5.
#[inline(always)]
pub fn map_eigenvalues<N: Number>(tensor: SymMat3<N>, f: impl Fn(N) -> N) -> SymMat3<N> {
    let (one, zero) = (N::splat(1.0), N::ZERO);
    let t = tensor;
    let mut a = [[t.xx, t.xy, t.xz], [t.xy, t.yy, t.yz], [t.xz, t.yz, t.zz]];
    let mut vectors = [[one, zero, zero], [zero, one, zero], [zero, zero, one]];
    for _ in 0..MAX_SWEEPS {
        let turns = !is_diagonal(&a);
        if !turns.any() {
            break;
        }
        rotate::<N, 0, 1>(&mut a, &mut vectors, turns);
        rotate::<N, 0, 2>(&mut a, &mut vectors, turns);
        rotate::<N, 1, 2>(&mut a, &mut vectors, turns);
    }
    let [u, v, w] = vectors;
    square(u) * f(a[0][0]) + square(v) * f(a[1][1]) + square(w) * f(a[2][2])
}

/// `v v^T`.
#[inline(always)]
fn square<N: Number>([x, y, z]: [N; 3]) -> SymMat3<N> {
    SymMat3::new(x * x, y * y, z * z, x * y, x * z, y * z)
}

/// True where what is left off the diagonal is below a rounding of the greatest entry.
#[inline(always)]
fn is_diagonal<N: Number>(a: &MatrixRows<N>) -> N::Mask {
    let off = a[0][1].abs().max(a[0][2].abs()).max(a[1][2].abs());
    let on = a[0][0].abs().max(a[1][1].abs()).max(a[2][2].abs());
    off.at_most(N::splat(0.01 * Real::EPSILON) * on)
}

/// Makes the entry (P, Q) zero where `turns`; `vectors` holds one eigenvector a row.
#[inline(always)]
fn rotate<N: Number, const P: usize, const Q: usize>(
    a: &mut MatrixRows<N>,
    vectors: &mut MatrixRows<N>,
    turns: N::Mask,
) {
    let pq = a[P][Q];
    let turns = turns & N::ZERO.less(pq.abs());
    let [sine, tangent, half_tangent] = rotation(a[P][P], a[Q][Q], pq);
    let tangent = tangent.or_where_not(turns, N::ZERO);
    let angle = [
        sine.or_where_not(turns, N::ZERO),
        half_tangent.or_where_not(turns, N::ZERO),
    ];
    a[P][P] = a[P][P] - tangent * pq;
    a[Q][Q] += tangent * pq;
    let left = N::ZERO.or_where_not(turns, pq);
    (a[P][Q], a[Q][P]) = (left, left);
    let r = 3 - P - Q;
    let (x, y) = turned(angle, a[r][P], a[r][Q]);
    (a[r][P], a[P][r]) = (x, x);
    (a[r][Q], a[Q][r]) = (y, y);
    for k in 0..3 {
        (vectors[P][k], vectors[Q][k]) = turned(angle, vectors[P][k], vectors[Q][k]);
    }
}

/// Coordinates after a rotation of given sine and tangent of the half angle.
#[inline(always)]
fn turned<N: Number>([sine, half_tangent]: [N; 2], x: N, y: N) -> (N, N) {
    (
        x - sine * (y + half_tangent * x),
        y + sine * (x - half_tangent * y),
    )
}

/// Sine, tangent and tangent of the half of the smaller angle that diagonalises `[pp pq; pq qq]`.
#[inline(always)]
fn rotation<N: Number>(pp: N, qq: N, pq: N) -> [N; 3] {
    let one = N::splat(1.0);
    let theta = (qq - pp) / (N::splat(2.0) * pq);
    let size = one / (theta.abs() + (theta * theta + one).sqrt());
    let tangent = (-size).or_where_not(theta.less(N::ZERO), size);
    let cosine = one / (tangent * tangent + one).sqrt();
    let sine = tangent * cosine;
    [sine, tangent, sine / (one + cosine)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{greatest, rotated, rotation, tensor};
    use crate::simd::{Instructions, Job, LANES, Pack, Row};
    use proptest::prelude::*;

    struct Clamped([Row; 6]);

    impl Job for Clamped {
        type Output = [Row; 6];

        fn run<P: Pack>(self) -> [Row; 6] {
            let tensor = SymMat3::from_components(self.0.map(|row| P::load(&row)));
            map_eigenvalues(tensor, clamped).components().map(|c| {
                let mut row = Row::ZERO;
                c.store(&mut row);
                row
            })
        }
    }

    fn clamped<N: Number>(value: N) -> N {
        value.max(N::splat(-0.3)).min(N::splat(0.2))
    }

    proptest! {
        #[test]
        fn nothing_changes_under_the_identity(a in tensor(-30..30)) {
            let rebuilt = map_eigenvalues(a, |value| value);
            prop_assert!(greatest(rebuilt - a) <= 12.0 * Real::EPSILON * greatest(a));
        }

        #[test]
        fn each_eigenvalue_is_mapped(values in prop::array::uniform3(-2.0..2.0_f64), q in rotation()) {
            let exact = rotated(values.map(|v| v.clamp(-0.3, 0.2)), q);
            let found = map_eigenvalues(rotated(values, q), clamped);
            prop_assert!(greatest(found - exact) <= 32.0 * Real::EPSILON);
        }

        #[test]
        fn every_lane_has_the_bits_of_a_single_tensor(
            tensors in prop::collection::vec(tensor(-8..8), LANES),
        ) {
            let mut rows = [Row::ZERO; 6];
            for (lane, tensor) in tensors.iter().enumerate() {
                for (row, c) in rows.iter_mut().zip(tensor.components()) {
                    row.0[lane] = c;
                }
            }
            for instructions in Instructions::available() {
                let found = instructions.run(Clamped(rows));
                for (lane, tensor) in tensors.iter().enumerate() {
                    let single = map_eigenvalues(*tensor, clamped).components();
                    prop_assert_eq!(found.map(|row| row.0[lane].to_bits()), single.map(Real::to_bits));
                }
            }
        }
    }
}
