//! Linear systems over particles, as implicit integration solves in each substep.
//!
//!   (M + K) y = b
//!
//! with an unknown vector for each particle, its mass in M, and a symmetric positive K that resists
//! differences of the unknowns only. K is never formed: a method says what it does to sixteen particles
//! ([`Stiffness`]), and everything here is compiled for it.
//!
//! | what | here |
//! | --- | --- |
//! | what a method implements | [`Stiffness`] |
//! | conjugate gradients, from the steps or the tolerance that a method asks for | [`Solver`] |
//! | vectors of a chunk of particles, block Jacobi | [`Unknowns`] |
//! | vectors of all particles, as products read them | [`VectorField`] |
//! | neighbours of sixteen particles put into rows | [`neighbor_rows`] |
//! | rigid bodies that particles are tied to | [`TiedBodies`] |
//! | coarse space of the preconditioner, its dense factor | [`CoarseSpace`], `cholesky` |
//!
//! A method calls [`Solver::build`] when its particles or what joins them changed; in each substep it writes
//! the diagonal blocks and the right side of each row by [`Unknowns::start_row`], calls [`Solver::prepare`]
//! and [`Solver::solve`], and reads the solution. For a right side that changes little by little it goes on
//! from there with [`Solver::improve`].
//!
//! Particles that are held have residual zero always, so nothing moves them. Sums go over chunks in their
//! order, and nothing is allocated in a solve.

mod cholesky;
mod coarse_space;
mod field;
mod neighbors;
mod solver;
mod stiffness;
#[cfg(test)]
mod tests;
mod tied;
mod unknowns;

pub use coarse_space::{BodyParticles, CoarseSpace};
pub use field::{NeighborRun, VectorField};
pub use neighbors::{Neighbor, by_particle, neighbor_rows};
pub use solver::{Solver, Until};
pub use stiffness::{Coupling, Stiffness};
pub use tied::{TiedBodies, TiedBody, TiedParticle};
pub use unknowns::{MassRow, Norms, Unknowns};

use pliant_math::Real;
use pliant_math::simd::Row;

/// A vector of three for each of sixteen particles.
pub type VectorRow = [Row; 3];

/// The components in a lane of rows.
#[inline(always)]
pub fn lane([x, y, z]: &VectorRow, lane: usize) -> [Real; 3] {
    [x.0[lane], y.0[lane], z.0[lane]]
}

/// Changes the components in a lane of rows.
#[inline(always)]
pub fn set_lane([x, y, z]: &mut VectorRow, lane: usize, value: [Real; 3]) {
    (x.0[lane], y.0[lane], z.0[lane]) = (value[0], value[1], value[2]);
}
