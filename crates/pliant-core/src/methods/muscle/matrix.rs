//! What flesh opposes to changes of velocity, as a matrix.
//!
//! Its product is formed in two passes over neighbours, as forces are: changes of F and of the stress first, then
//! those of the forces.

use pliant_math::simd::{Instructions, Job, LANES, Pack, RowJob};
use pliant_math::{Matrix3, Real, SymMat3, Vector3};

use super::force::{MatrixField, MatrixSlot, RowState};
use super::respond::MatrixRow;
use super::rows::{MuscleRow, MuscleRows};
use crate::parallel::CHUNK;
use crate::rest::BondRow;
use crate::solvers::{NeighborRun, Norms, Stiffness, Unknowns, VectorField, VectorRow};

/// Rows of a chunk of particles.
pub const ROWS_A_CHUNK: usize = CHUNK / LANES;

/// dt^2 times the stiffness at the start of a substep, and dt times its viscosity.
pub struct StiffnessMatrix<'a> {
    /// The particles.
    pub rows: &'a MuscleRows,
    /// Tangents of stress.
    pub states: &'a [RowState],
    /// Scratch: changes of V P L - k H.
    pub matrices: &'a mut MatrixField,
    /// Scratch: 2 k sum_j phi_ij (v_j - v_i).
    pub rough: &'a mut [VectorRow],
    /// Impulses that others gave, as right sides; chunk after chunk.
    pub impulse: &'a [VectorRow],
    /// dt^2 [s2].
    pub squared_step: Real,
    /// 1/dt [1/s].
    pub inverse_step: Real,
    /// Whether it has a part of the bulk modulus that keeps the volume.
    pub is_pressed: bool,
}

impl Stiffness for StiffnessMatrix<'_> {
    fn prepare(&mut self, field: VectorField<'_>, instructions: Instructions) {
        let (rows, states, inverse_step) = (self.rows, self.states, self.inverse_step);
        let is_pressed = self.is_pressed;
        self.matrices.fill(self.rough, |k, rough, slot| {
            let row = &rows.rows[k];
            let found = FindChange {
                row,
                bonds: &rows.bonds[row.bonds.clone()],
                number: k,
                field,
                state: &states[k],
                inverse_step,
                is_pressed,
                rough,
                slot,
            };
            instructions.run_rows(LANES, found);
        });
    }

    #[inline(always)]
    fn plus_product<P: Pack>(
        &self,
        sum: Vector3<P>,
        (chunk, row): (usize, usize),
        _: Vector3<P>,
        _: VectorField<'_>,
    ) -> Vector3<P> {
        let number = chunk * ROWS_A_CHUNK + row;
        sum - self.force_rate(number) * P::splat(self.squared_step)
    }
}

impl StiffnessMatrix<'_> {
    /// Impulses of others on the particles of a chunk.
    pub fn impulses_of(&self, chunk: usize) -> &[VectorRow] {
        let first = chunk * ROWS_A_CHUNK;
        let end = self.impulse.len().min(first + ROWS_A_CHUNK);
        &self.impulse[first..end]
    }

    /// -(K + C/dt) v at the particles of a row [N/s].
    #[inline(always)]
    pub fn force_rate<P: Pack>(&self, number: usize) -> Vector3<P> {
        let row = &self.rows.rows[number];
        let bonds = &self.rows.bonds[row.bonds.clone()];
        let own = self.matrices.at(&row.rest.particle);
        self.matrices.divergence(row, bonds, own) + Vector3::load(&self.rough[number])
    }
}

struct FindChange<'a> {
    row: &'a MuscleRow,
    bonds: &'a [BondRow],
    number: usize,
    field: VectorField<'a>,
    state: &'a RowState,
    inverse_step: Real,
    is_pressed: bool,
    rough: &'a mut VectorRow,
    slot: MatrixSlot<'a>,
}

impl RowJob for FindChange<'_> {
    #[inline(always)]
    fn rows(&self) -> usize {
        1
    }

    #[inline(always)]
    fn row<P: Pack>(&mut self, _: usize) {
        let row = self.row;
        let place = (self.number / ROWS_A_CHUNK, self.number % ROWS_A_CHUNK);
        let own = self.field.own::<P>(place);
        let (mut change, mut rough) = (Matrix3::ZERO, Vector3::ZERO);
        for (k, bond) in self.bonds.iter().enumerate() {
            BondRow::prefetch::<P>(self.bonds, k);
            let offset = Vector3::<P>::load(&bond.offset);
            let there = self.field.at::<P>(&bond.neighbor, NeighborRun::Scattered);
            let weighted = (there - own) * row.weight(offset);
            change += weighted.outer(offset);
            rough = rough + weighted;
        }
        let change = change.times_symmetric(SymMat3::load(&row.rest.inverse));
        let twice = P::splat(2.0) * P::load(&row.hourglass);
        (rough * twice).store(self.rough);
        let tangent = &self.state.tangent;
        let mut stress = tangent.stress_change(change, row.fibers.is_some());
        if row.is_viscous {
            let strain = Matrix3::load(&self.state.strain);
            stress += row.viscous_stress(strain, change) * P::splat(self.inverse_step);
        }
        if self.is_pressed {
            let strain = Matrix3::<P>::load(&self.state.strain);
            let cofactor = (strain + Matrix3::identity()).cofactor();
            stress += cofactor * (cofactor.double_dot(change) * P::load(&row.penalty));
        }
        let mut rows = MatrixRow::default();
        row.matrix(stress, change).store(&mut rows);
        self.slot.set::<P>(&rows);
    }
}

/// Starts the rows of a chunk of the system (M + dt^2 K) y = dt f - dt^2 K v + J.
pub struct StartRows<'a, 'b> {
    /// The system, prepared with the velocities at the start.
    pub matrix: &'a StiffnessMatrix<'b>,
    /// Number of the chunk.
    pub chunk: usize,
    /// Its unknowns.
    pub unknowns: &'a mut Unknowns,
    /// The step [s].
    pub dt: Real,
}

impl Job for StartRows<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let Self {
            matrix,
            chunk,
            unknowns,
            dt,
        } = self;
        let squared = P::splat(matrix.squared_step);
        let mut norms = Norms::ZERO;
        for k in 0..unknowns.masses.len() {
            let number = chunk * ROWS_A_CHUNK + k;
            let (row, state) = (&matrix.rows.rows[number], &matrix.states[number]);
            let force = Vector3::<P>::load(&state.force) * P::splat(dt);
            let resisted = matrix.force_rate::<P>(number) * squared;
            let right = force + resisted + Vector3::load(&matrix.impulse[number]);
            let own = state
                .tangent
                .resistance(SymMat3::<P>::load(&row.spread), row.fibers.is_some());
            let rough = P::splat(2.0) * P::load(&row.hourglass) * P::load(&row.weight_sum);
            // An estimate, for the preconditioner: eta (|g|^2 I + g g^T) without strain.
            let spread = SymMat3::<P>::load(&row.spread);
            let viscosity = P::load(&row.viscosity) * P::splat(matrix.inverse_step);
            let viscous = (spread + SymMat3::isotropic(spread.trace())) * viscosity;
            let mut own = own + viscous;
            if matrix.is_pressed {
                let strain = Matrix3::<P>::load(&state.strain);
                let cofactor = (strain + Matrix3::identity()).cofactor();
                let moved = cofactor.times_symmetric(spread) * cofactor.transpose();
                own += moved.symmetric_part() * P::load(&row.penalty);
            }
            let own = own * P::load(&row.rest.volume) + SymMat3::isotropic(rough);
            let mass = SymMat3::isotropic(P::load(&unknowns.masses[k].mass));
            unknowns.start_row(k, mass + own * squared, right, &mut norms);
        }
        unknowns.finish(norms);
    }
}

/// The impulses of stress at the particles of a row: dt f - dt^2 K v, of velocities that the matrix was prepared
/// with.
pub struct ImpulsesOnHeld<'a, 'b> {
    /// The matrix.
    pub matrix: &'a StiffnessMatrix<'b>,
    /// Number of the row.
    pub number: usize,
    /// The step [s].
    pub dt: Real,
}

impl Job for ImpulsesOnHeld<'_, '_> {
    type Output = VectorRow;

    #[inline(always)]
    fn run<P: Pack>(self) -> VectorRow {
        let force = Vector3::<P>::load(&self.matrix.states[self.number].force);
        let resisted = self.matrix.force_rate::<P>(self.number);
        let squared = P::splat(self.matrix.squared_step);
        let mut rows = VectorRow::default();
        (force * P::splat(self.dt) + resisted * squared).store(&mut rows);
        rows
    }
}
