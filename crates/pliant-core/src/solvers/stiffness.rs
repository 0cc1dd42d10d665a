//! What a system of equations is made of, beside masses.

use pliant_math::Vector3;
use pliant_math::simd::{Instructions, Pack};

use super::VectorField;

/// A symmetric positive semi-definite matrix of 3x3 blocks, one row and column for each particle, that gives
/// nothing where all vectors are the same: forces between particles that depend on their differences.
pub trait Stiffness: Sync {
    /// Takes over the vectors of a product before its rows are asked for. What first has to be summed over
    /// the neighbours of each particle, as strains are, is summed here.
    fn prepare(&mut self, _field: VectorField<'_>, _instructions: Instructions) {}

    /// A sum plus the product with the field at the sixteen particles of a row. It is compiled with the
    /// vector instructions if it and all that it calls are `#[inline(always)]`.
    ///
    /// * `row` — chunk of particles, and row in it
    /// * `own` — the field at the particles of the row
    fn plus_product<P: Pack>(
        &self,
        sum: Vector3<P>,
        row: (usize, usize),
        own: Vector3<P>,
        field: VectorField<'_>,
    ) -> Vector3<P>;

    /// What joins particles of different aggregates ([`CoarseSpace`](super::CoarseSpace)), from both of its
    /// sides, in an order that does not change. None where there is no coarse space.
    fn couplings(&self) -> impl Iterator<Item = Coupling> {
        std::iter::empty()
    }
}

/// What joins a free particle of an aggregate to something outside of it.
#[derive(Clone, Copy, Debug)]
pub struct Coupling {
    /// The two aggregates, see [`CoarseSpace::crossing`](super::CoarseSpace::crossing).
    pub aggregates: [u32; 2],
    /// What it does to a difference of their vectors, row by row [kg].
    pub block: [f64; 9],
}
