//! The correction matrix that makes kernel gradients exact for linear fields.
//!
//!   M_i = sum_j V_j grad W_ij (x) d_ij,   L_i = pinv(M_i),   g_ij = V_j L_i grad W_ij
//!
//! Yu et al. 2024, eq. 5 and 6. M is symmetric positive semidefinite because grad W is parallel to d.
//! With fewer than four neighbours in general position M is singular, and the pseudo-inverse keeps
//! the directions that are there: velocity differences along them are still exact.

use pliant_math::simd::Number;
use pliant_math::{Real, SymMat3, plain_inverse, pseudo_inverse};

/// Eigenvalues of M below these bounds count as zero. M is about 1 in the interior, 0.3 in a corner.
#[derive(Clone, Copy, Debug)]
pub struct CutOff {
    /// Bound relative to the greatest eigenvalue.
    pub relative: Real,
    /// Absolute bound.
    pub absolute: Real,
}

impl Default for CutOff {
    /// Never cuts corners of a lattice with 20 % jitter (0.115), cuts noisy sheets (1e-4 to 0.02) and
    /// a lone far neighbour, whose gradient would otherwise vanish abruptly at the support radius.
    fn default() -> Self {
        Self {
            relative: 0.05,
            absolute: 1e-3,
        }
    }
}

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
    pub fn plain<N: Number>(moment: SymMat3<N>, cut: CutOff) -> (SymMat3<N>, N::Mask) {
        plain_inverse(moment, cut.relative, cut.absolute)
    }

    /// From the moment matrix M.
    #[inline]
    pub fn from_moment(moment: SymMat3, cut: CutOff) -> Self {
        let (matrix, rank) = pseudo_inverse(moment, cut.relative, cut.absolute);
        Self { matrix, rank }
    }
}
