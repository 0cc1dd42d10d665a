//! The correction matrix that makes kernel gradients exact for linear fields.
//!
//!   M_i = sum_j V_j grad W_ij (x) d_ij,   L_i = pinv(M_i),   g_ij = V_j L_i grad W_ij
//!
//! Yu et al. 2024, eq. 5 and 6. M is symmetric positive semidefinite because grad W is parallel to d.
//! With fewer than four neighbours in general position M is singular, and the pseudo-inverse keeps
//! the directions that are there: velocity differences along them are still exact.

use pliant_math::simd::Number;
use pliant_math::{CutOff, SymMat3, plain_inverse, pseudo_inverse};

/// Eigenvalues of M that count as zero. M is about 1 in the interior, 0.3 in a corner.
///
/// Never cuts corners of a lattice with 20 % jitter (0.115), cuts noisy sheets (1e-4 to 0.02) and a lone far
/// neighbour, whose gradient would otherwise vanish abruptly at the support radius. At rest only sharp rims have
/// less than 0.15, from which an eigenvalue counts in full: other such neighbourhoods are those of what is spread
/// and thrown, and the inverse of their least eigenvalue would throw it further, by 20 times where neighbours lie
/// almost in a plane.
const CUT_OFF: CutOff = CutOff {
    relative: 0.05,
    absolute: 1e-3,
    full: 3.0,
};

/// The correction of one particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Correction {
    /// L, the pseudo-inverse of the moment matrix.
    pub matrix: SymMat3,
    /// Directions kept: 3 in general position, fewer for sheets, lines and lone particles.
    pub rank: u8,
}

impl Correction {
    /// The corrections of well-conditioned moment matrices, and where they are that.
    #[inline(always)]
    pub fn plain<N: Number>(moment: SymMat3<N>) -> (SymMat3<N>, N::Mask) {
        plain_inverse(moment, CUT_OFF)
    }

    /// From the moment matrix M.
    #[inline]
    pub fn from_moment(moment: SymMat3) -> Self {
        let (matrix, rank) = pseudo_inverse(moment, CUT_OFF);
        Self { matrix, rank }
    }
}
