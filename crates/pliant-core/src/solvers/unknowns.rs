//! Vectors of conjugate gradients on the rows of a chunk of particles, and block Jacobi.

use pliant_math::simd::{Job, LANES, Pack, Row};
use pliant_math::{Real, SymMat3, Vector3};

use super::field::write_columns;
use super::{Stiffness, VectorField, VectorRow};
use crate::parallel::CHUNK;

/// Masses of sixteen particles.
#[derive(Clone, Copy, Debug)]
pub struct MassRow {
    /// Masses [kg].
    pub mass: Row,
    /// Inverse masses [1/kg], 0 for those that are held.
    pub inverse_mass: Row,
    /// 1, and 0 for those that are held.
    pub is_free: Row,
}

/// The unknowns of a chunk of particles and all that is computed for them, in rows of sixteen. Unknowns are
/// changes of velocity.
#[derive(Clone, Debug)]
pub struct Unknowns {
    /// Masses; of no particle, 1 and held.
    pub masses: Vec<MassRow>,
    /// Inverses of the diagonal blocks [1/kg].
    inverse: Vec<[Row; 6]>,
    /// Mean of the diagonals of the diagonal blocks [kg].
    pub(super) diagonal: Vec<Row>,
    /// The solution [m/s].
    pub solution: Vec<VectorRow>,
    /// What is left of the right side [kg m/s].
    pub(super) residual: Vec<VectorRow>,
    /// The residual times the inverse diagonal [m/s].
    pub(super) scaled: Vec<VectorRow>,
    /// Direction of search [m/s].
    pub(super) direction: Vec<VectorRow>,
    /// The matrix times a direction [kg m/s], of what is held too; right sides where rows are started.
    pub(super) product: Vec<VectorRow>,
    /// Sums over the chunk of the last pass.
    pub(super) sums: [f64; 2],
}

/// Sums over residuals, a lane each.
#[derive(Clone, Copy, Debug)]
pub struct Norms<P> {
    /// Of residual times scaled residual.
    scaled: P,
    /// Of squared residual over mass.
    squared: P,
}

impl<P: Pack> Norms<P> {
    /// Of no residuals.
    pub const ZERO: Self = Self {
        scaled: P::ZERO,
        squared: P::ZERO,
    };
}

impl Unknowns {
    /// Of the particles with the given masses [kg] and inverse masses, at most [`CHUNK`].
    pub(super) fn new(mass: &[Real], inverse_mass: &[Real]) -> Self {
        let rows = mass.chunks(LANES).zip(inverse_mass.chunks(LANES));
        let masses: Vec<MassRow> = rows
            .map(|(mass, inverse)| mass_row(mass, inverse))
            .collect();
        let zeros = vec![[Row::ZERO; 3]; masses.len()];
        Self {
            inverse: vec![[Row::ZERO; 6]; masses.len()],
            diagonal: vec![Row::ZERO; masses.len()],
            masses,
            solution: zeros.clone(),
            residual: zeros.clone(),
            scaled: zeros.clone(),
            direction: zeros.clone(),
            product: zeros,
            sums: [0.0; 2],
        }
    }

    /// Starts row `k` at a solution of zero.
    ///
    /// * `diagonal` — its diagonal blocks, masses included [kg]
    /// * `right` — its right side [kg m/s]; of held particles it does not count
    #[inline(always)]
    pub fn start_row<P: Pack>(
        &mut self,
        k: usize,
        diagonal: SymMat3<P>,
        right: Vector3<P>,
        norms: &mut Norms<P>,
    ) {
        let MassRow { mass, is_free, .. } = &self.masses[k];
        let is_free = P::load(is_free);
        inverse(diagonal, P::load(mass), is_free).store(&mut self.inverse[k]);
        (diagonal.trace() * P::splat(1.0 / 3.0)).store(&mut self.diagonal[k]);
        self.solution[k] = [Row::ZERO; 3];
        right.store(&mut self.product[k]);
        self.set_residual(k, right * is_free, norms);
    }

    /// Closes the pass in which all rows were started.
    #[inline(always)]
    pub fn finish<P: Pack>(&mut self, norms: Norms<P>) {
        self.sums = [total(norms.scaled), total(norms.squared)];
    }

    #[inline(always)]
    fn set_residual<P: Pack>(&mut self, k: usize, residual: Vector3<P>, norms: &mut Norms<P>) {
        let scaled = SymMat3::load(&self.inverse[k]) * residual;
        residual.store(&mut self.residual[k]);
        scaled.store(&mut self.scaled[k]);
        norms.scaled += residual.dot(scaled);
        norms.squared += residual.squared() * P::load(&self.masses[k].inverse_mass);
    }
}

fn mass_row(mass: &[Real], inverse_mass: &[Real]) -> MassRow {
    let mut row = MassRow {
        mass: Row([1.0; LANES]),
        inverse_mass: Row::ZERO,
        is_free: Row::ZERO,
    };
    for (lane, (&mass, &inverse)) in mass.iter().zip(inverse_mass).enumerate() {
        row.mass.0[lane] = mass;
        row.inverse_mass.0[lane] = inverse;
        row.is_free.0[lane] = if inverse > 0.0 { 1.0 } else { 0.0 };
    }
    row
}

/// The inverse of diagonal blocks, zero for what is held. Over the mass first: the determinant of light
/// particles is too small for single precision.
#[inline(always)]
fn inverse<P: Pack>(diagonal: SymMat3<P>, mass: P, is_free: P) -> SymMat3<P> {
    let per_mass = P::splat(1.0) / mass;
    (diagonal * per_mass).inverse() * (per_mass * is_free)
}

/// The sum over the lanes.
#[inline(always)]
fn total<P: Pack>(pack: P) -> f64 {
    let mut row = Row::ZERO;
    pack.store(&mut row);
    let mut total = 0.0;
    for lane in 0..LANES {
        total += f64::from(row.0[lane]);
    }
    total
}

/// The matrix times directions; the sum is that of directions times it.
pub(super) struct MatrixProduct<'a, K> {
    pub unknowns: &'a mut Unknowns,
    /// Number of the chunk.
    pub chunk: usize,
    pub stiffness: &'a K,
    /// Directions.
    pub field: VectorField<'a>,
}

impl<K: Stiffness> Job for MatrixProduct<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let Self {
            unknowns,
            chunk,
            stiffness,
            field,
        } = self;
        let mut sum = P::ZERO;
        for (k, masses) in unknowns.masses.iter().enumerate() {
            let own = field.own::<P>((chunk, k));
            let of_mass = own * P::load(&masses.mass);
            let product = stiffness.plus_product(of_mass, (chunk, k), own, field);
            product.store(&mut unknowns.product[k]);
            sum += own.dot(product);
        }
        unknowns.sums[0] = total(sum);
    }
}

/// A step along the directions.
pub(super) struct Advance<'a> {
    pub unknowns: &'a mut Unknowns,
    /// Length of the step.
    pub step: Real,
}

impl Job for Advance<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let Self { unknowns, step } = self;
        let step = P::splat(step);
        let mut norms = Norms::ZERO;
        for k in 0..unknowns.masses.len() {
            let direction = Vector3::<P>::load(&unknowns.direction[k]);
            let solution = Vector3::load(&unknowns.solution[k]) + direction * step;
            solution.store(&mut unknowns.solution[k]);
            let product = Vector3::load(&unknowns.product[k]);
            let is_free = P::load(&unknowns.masses[k].is_free);
            let residual = Vector3::load(&unknowns.residual[k]) - product * (step * is_free);
            unknowns.set_residual(k, residual, &mut norms);
        }
        unknowns.finish(norms);
    }
}

/// What the solution, of which [`MatrixProduct`] was taken, leaves of a right side.
pub(super) struct Residual<'a> {
    pub unknowns: &'a mut Unknowns,
    /// The right side; of what is held it does not count [kg m/s].
    pub right: &'a [VectorRow],
}

impl Job for Residual<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let Self { unknowns, right } = self;
        let mut norms = Norms::ZERO;
        for (k, right) in right.iter().enumerate() {
            let is_free = P::load(&unknowns.masses[k].is_free);
            let residual = Vector3::<P>::load(right) - Vector3::load(&unknowns.product[k]);
            unknowns.set_residual(k, residual * is_free, &mut norms);
        }
        unknowns.finish(norms);
    }
}

/// The next direction, which is the scaled residual beside a share of the last one, also into columns.
pub(super) struct UpdateDirection<'a, 'b> {
    pub unknowns: &'a mut Unknowns,
    pub columns: &'a mut [&'b mut [Real]; 3],
    /// The share.
    pub share: Real,
}

impl Job for UpdateDirection<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let Self {
            unknowns,
            columns,
            share,
        } = self;
        let share = P::splat(share);
        for (k, direction) in unknowns.direction.iter_mut().enumerate() {
            let last = Vector3::<P>::load(direction);
            let next = Vector3::load(&unknowns.scaled[k]) + last * share;
            next.store(direction);
            write_columns(direction, columns, k);
        }
    }
}

/// Chunk, row and lane of a particle.
pub(super) fn chunk_row_lane(place: usize) -> (usize, usize, usize) {
    (place / CHUNK, place % CHUNK / LANES, place % LANES)
}
