//! Deformation, and the elastic force of all particles.
//!
//!   H_i = (sum_j u_ij G_ij^T) L_i,   u_ij = x_ij - X_ij                     (Wang et al. 2023, eq. 5)
//!   f_i = sum_j (V_i P_i L_i + V_j P_j L_j) G_ij
//!
//! the gradient of sum V_i Psi(F_i), so that momentum and angular momentum are kept and no energy appears. With
//! L of one side only, as is often written, forces do not cancel. Zero-energy modes are resisted by the energy
//! k/2 sum_ij phi_ij |e_ij|^2 of what is left of displacements, e_ij = H_i X_ij - u_ij. As G_ij = phi_ij X_ij
//! and H_i is the least-squares fit with the same weights, sum_j phi_ij e_ij X_ij^T = 0, and
//!
//!   f_i += k sum_j phi_ij (2 u_ij - (H_i + H_j) X_ij)
//!
//! Both are one pass over neighbours: with M = V P L - k H, f_i = sum_j (M_i + M_j) G_ij + 2 k sum_j phi_ij u_ij.
//! The pressure that keeps the volume (`volume`) is a stress -p cof F beside that of the law, and costs no pass.

use pliant_math::simd::{Instructions, Job, LANES, Pack, Row, RowJob};
use pliant_math::{Matrix3, Real, SymMat3, Vector3};

use super::respond::{MatrixRow, TangentRow, stress};
use super::rows::{MuscleRow, MuscleRows};
use crate::parallel::{self, gather, gather_eight};
use crate::rest::BondRow;
use crate::solvers::VectorRow;

/// What is computed of sixteen particles in a substep.
#[derive(Clone, Debug, Default)]
pub struct RowState {
    /// H = F - I at the start.
    pub strain: MatrixRow,
    /// The rate of F [1/s]; of explicit integration of what is viscous only.
    pub rate: MatrixRow,
    /// 2 k sum_j phi_ij u_ij [N].
    pub rough: VectorRow,
    /// Elastic force at the start [N].
    pub force: VectorRow,
    /// How stress changes with F; of implicit integration only.
    pub tangent: TangentRow,
}

/// Matrices of all particles, where they are read for neighbours: nine numbers each, in two records.
#[derive(Debug, Default)]
pub struct MatrixField {
    eight: Vec<[[Real; 8]; LANES]>,
    ninth: Vec<[[Real; 4]; LANES]>,
}

impl MatrixField {
    /// For so many rows.
    pub fn new(rows: usize) -> Self {
        Self {
            eight: vec![[[0.0; 8]; LANES]; rows],
            ninth: vec![[[0.0; 4]; LANES]; rows],
        }
    }

    /// Fills rows side by side with work on other items, one a row.
    pub fn fill<T: Send>(
        &mut self,
        items: &mut [T],
        f: impl Fn(usize, &mut T, MatrixSlot<'_>) + Sync + Send,
    ) {
        let (eight, ninth) = (&mut self.eight, &mut self.ninth);
        parallel::for_items3(items, eight, ninth, |k, item, eight, ninth| {
            f(k, item, MatrixSlot { eight, ninth });
        });
    }

    /// The matrices at sixteen places.
    #[inline(always)]
    pub fn at<P: Pack>(&self, places: &pliant_math::simd::Places) -> Matrix3<P> {
        let [a, b, c, d, e, f, g, h] = gather_eight::<P>(self.eight.as_flattened(), places);
        let [i, _, _, _] = gather::<P>(self.ninth.as_flattened(), places);
        Matrix3::from_rows([[a, b, c], [d, e, f], [g, h, i]])
    }

    /// sum_j (M_i + M_j) G_ij.
    ///
    /// * `own` — M_i
    #[inline(always)]
    pub fn divergence<P: Pack>(
        &self,
        row: &MuscleRow,
        bonds: &[BondRow],
        own: Matrix3<P>,
    ) -> Vector3<P> {
        let mut sum = times(own, Vector3::load(&row.rest.gradient_sum));
        for (k, bond) in bonds.iter().enumerate() {
            BondRow::prefetch::<P>(bonds, k);
            let gradient = row.rest.gradient(Vector3::load(&bond.offset));
            sum = sum + times(self.at(&bond.neighbor), gradient);
        }
        sum
    }
}

/// Where the matrices of a row go.
pub struct MatrixSlot<'a> {
    eight: &'a mut [[Real; 8]; LANES],
    ninth: &'a mut [[Real; 4]; LANES],
}

impl MatrixSlot<'_> {
    /// Writes those of the lanes of a pack.
    #[inline(always)]
    pub fn set<P: Pack>(&mut self, rows: &MatrixRow) {
        let [[a, b, c], [d, e, f], [g, h, i]] = rows;
        for lane in P::FIRST..P::FIRST + P::COUNT {
            let at = |row: &Row| row.0[lane];
            self.eight[lane] = [at(a), at(b), at(c), at(d), at(e), at(f), at(g), at(h)];
            self.ninth[lane] = [at(i), 0.0, 0.0, 0.0];
        }
    }
}

/// Columns that forces are computed from.
#[derive(Clone, Copy)]
pub struct ForceInput<'a> {
    /// What to compute with.
    pub instructions: Instructions,
    /// The particles.
    pub rows: &'a MuscleRows,
    /// Positions [m], each the sum of two numbers: differences are as exact as those of double precision.
    pub start: &'a [[Real; 8]],
    /// Velocities [m/s], if viscous stress is a part of the force.
    pub velocity: Option<&'a [[Real; 4]]>,
    /// Pressure on the volume of particles, p V [N m], in rows like theirs; empty if there is none.
    pub pressure: &'a [Row],
    /// Whether tangents are needed, as in implicit steps.
    pub needs_tangents: bool,
}

/// Finds the deformation and the forces of all particles.
///
/// * `matrices` — scratch
pub fn find_forces(input: ForceInput<'_>, states: &mut [RowState], matrices: &mut MatrixField) {
    let all = input.rows;
    matrices.fill(states, |k, state, slot| {
        let row = &all.rows[k];
        let bonds = &all.bonds[row.bonds.clone()];
        let found = FindStrain {
            row,
            bonds,
            start: input.start,
            state,
        };
        input.instructions.run_rows(LANES, found);
        let velocity = input.velocity.filter(|_| row.is_viscous);
        if let Some(velocity) = velocity {
            let rate = &mut state.rate;
            let found = FindRate {
                row,
                bonds,
                velocity,
                rate,
            };
            input.instructions.run_rows(LANES, found);
        }
        let fibers = row.fibers.map(|number| &all.fibers[number as usize]);
        let tangent = input.needs_tangents.then_some(&mut state.tangent);
        let stress = stress(
            input.instructions,
            &row.laws,
            fibers,
            &state.strain,
            tangent,
        );
        input.instructions.run(SetMatrix {
            row,
            stress: &stress,
            strain: &state.strain,
            rate: velocity.is_some().then_some(&state.rate),
            pressure: input.pressure.get(k),
            is_implicit: input.needs_tangents,
            slot,
        });
    });
    let matrices = &*matrices;
    parallel::for_items(states, |k, state| {
        let row = &all.rows[k];
        let found = FindForce {
            row,
            bonds: &all.bonds[row.bonds.clone()],
            matrices,
            lane_zero: k * LANES,
            state,
        };
        input.instructions.run_rows(LANES, found);
    });
}

struct FindStrain<'a> {
    row: &'a MuscleRow,
    bonds: &'a [BondRow],
    start: &'a [[Real; 8]],
    state: &'a mut RowState,
}

impl RowJob for FindStrain<'_> {
    #[inline(always)]
    fn rows(&self) -> usize {
        1
    }

    #[inline(always)]
    fn row<P: Pack>(&mut self, _: usize) {
        let Self {
            row,
            bonds,
            start,
            state,
        } = self;
        let own: [P; 8] = gather_eight(start, &row.rest.particle);
        let (mut strain, mut rough) = (Matrix3::ZERO, Vector3::ZERO);
        for (k, bond) in bonds.iter().enumerate() {
            BondRow::prefetch::<P>(bonds, k);
            let offset = Vector3::<P>::load(&bond.offset);
            let weight = row.weight(offset);
            let x: [P; 8] = gather_eight(start, &bond.neighbor);
            let displacement = Vector3::new(
                (x[0] - own[0] - offset.x) + (x[4] - own[4]),
                (x[1] - own[1] - offset.y) + (x[5] - own[5]),
                (x[2] - own[2] - offset.z) + (x[6] - own[6]),
            );
            let weighted = displacement * weight;
            strain += weighted.outer(offset);
            rough = rough + weighted;
        }
        let inverse = SymMat3::load(&row.rest.inverse);
        strain.times_symmetric(inverse).store(&mut state.strain);
        let twice = P::splat(2.0) * P::load(&row.hourglass);
        (rough * twice).store(&mut state.rough);
    }
}

/// The rate of F.
struct FindRate<'a> {
    row: &'a MuscleRow,
    bonds: &'a [BondRow],
    velocity: &'a [[Real; 4]],
    rate: &'a mut MatrixRow,
}

impl RowJob for FindRate<'_> {
    #[inline(always)]
    fn rows(&self) -> usize {
        1
    }

    #[inline(always)]
    fn row<P: Pack>(&mut self, _: usize) {
        let row = self.row;
        let [own_x, own_y, own_z, _] = gather::<P>(self.velocity, &row.rest.particle);
        let mut rate = Matrix3::ZERO;
        for (k, bond) in self.bonds.iter().enumerate() {
            BondRow::prefetch::<P>(self.bonds, k);
            let offset = Vector3::<P>::load(&bond.offset);
            let [x, y, z, _] = gather::<P>(self.velocity, &bond.neighbor);
            let difference = Vector3::new(x - own_x, y - own_y, z - own_z);
            rate += (difference * row.weight(offset)).outer(offset);
        }
        let inverse = SymMat3::load(&row.rest.inverse);
        rate.times_symmetric(inverse).store(self.rate);
    }
}

/// M = V (P - p cof F) L - k H.
struct SetMatrix<'a> {
    row: &'a MuscleRow,
    stress: &'a MatrixRow,
    strain: &'a MatrixRow,
    rate: Option<&'a MatrixRow>,
    /// p V [N m].
    pressure: Option<&'a Row>,
    /// Whether the step is implicit.
    is_implicit: bool,
    slot: MatrixSlot<'a>,
}

impl Job for SetMatrix<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(mut self) {
        let strain = Matrix3::<P>::load(self.strain);
        let mut stress = Matrix3::load(self.stress);
        if let Some(rate) = self.rate {
            stress += self.row.viscous_stress(strain, Matrix3::load(rate));
        }
        if let Some(pressure) = self.pressure {
            let mut pressure = P::load(pressure);
            if self.is_implicit {
                pressure = self.row.augmented_pressure(pressure, volume_change(strain));
            }
            let pressure = pressure / P::load(&self.row.rest.volume);
            stress = stress - (strain + Matrix3::identity()).cofactor() * pressure;
        }
        let matrix = self.row.matrix(stress, strain);
        let mut rows = MatrixRow::default();
        matrix.store(&mut rows);
        self.slot.set::<P>(&rows);
    }
}

struct FindForce<'a> {
    row: &'a MuscleRow,
    bonds: &'a [BondRow],
    matrices: &'a MatrixField,
    lane_zero: usize,
    state: &'a mut RowState,
}

impl RowJob for FindForce<'_> {
    #[inline(always)]
    fn rows(&self) -> usize {
        1
    }

    #[inline(always)]
    fn row<P: Pack>(&mut self, _: usize) {
        let own = self.matrices.at::<P>(&self.row.rest.particle);
        debug_assert_eq!(self.row.rest.particle.get(0), self.lane_zero);
        let force =
            self.matrices.divergence(self.row, self.bonds, own) + Vector3::load(&self.state.rough);
        force.store(&mut self.state.force);
    }
}

impl MuscleRow {
    /// phi of bonds.
    #[inline(always)]
    pub fn weight<P: Pack>(&self, offset: Vector3<P>) -> P {
        let squared = offset.squared() * P::load(&self.rest.inverse_squared_support);
        let inside = P::splat(1.0) - squared;
        inside * inside
    }

    /// Viscous stress [Pa]: P = F 2 eta E', E' = (F^T F' + F'^T F)/2 being the rate of Green's strain, so that turning
    /// meets none and angular momentum is kept (Kelvin and Voigt's solid in its configuration at rest).
    ///
    /// * `strain` — H = F - I
    /// * `rate` — F' [1/s]
    #[inline(always)]
    pub fn viscous_stress<P: Pack>(&self, strain: Matrix3<P>, rate: Matrix3<P>) -> Matrix3<P> {
        let f = strain + Matrix3::identity();
        let of_strain = (f.transpose() * rate).symmetric_part();
        let twice = P::splat(2.0) * P::load(&self.viscosity);
        f.times_symmetric(of_strain * twice)
    }

    /// p V [N m] that implicit steps start with: that of the substep before, and what a part of K makes of the volume at
    /// the start, see `volume`.
    ///
    /// * `pressure` — p V of the substep before [N m]
    /// * `change` — det F - 1
    #[inline(always)]
    pub fn augmented_pressure<P: Pack>(&self, pressure: P, change: P) -> P {
        let error = change + pressure * P::load(&self.compliance);
        pressure - error * P::load(&self.penalty) * P::load(&self.rest.volume)
    }

    /// V P L - k H [N/m].
    ///
    /// * `stress` — P [Pa]
    /// * `strain` — H
    #[inline(always)]
    pub fn matrix<P: Pack>(&self, stress: Matrix3<P>, strain: Matrix3<P>) -> Matrix3<P> {
        let inverse = SymMat3::load(&self.rest.inverse) * P::load(&self.rest.volume);
        stress.times_symmetric(inverse) - strain * P::load(&self.hourglass)
    }
}

/// det(I + H) - 1, without cancellation.
#[inline(always)]
pub fn volume_change<P: Pack>(strain: Matrix3<P>) -> P {
    strain.trace() + strain.second_invariant() + strain.determinant()
}

/// A matrix times a vector.
#[inline(always)]
pub fn times<P: Pack>(matrix: Matrix3<P>, v: Vector3<P>) -> Vector3<P> {
    let [x, y, z] = matrix.times_vector([v.x, v.y, v.z]);
    Vector3::new(x, y, z)
}
