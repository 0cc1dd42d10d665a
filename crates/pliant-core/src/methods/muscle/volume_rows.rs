//! Volumes of sixteen particles at once: constraints, products and residuals of their system.

use pliant_math::simd::{Instructions, Job, LANES, Pack, Row, RowJob};
use pliant_math::{Matrix3, Real, SymMat3, Vector3};

use super::force::{MatrixField, MatrixSlot, volume_change};
use super::respond::MatrixRow;
use super::rows::MuscleRow;
use crate::parallel::gather;
use crate::rest::BondRow;
use crate::solvers::VectorRow;

/// What is kept of sixteen particles.
#[derive(Clone, Debug, Default)]
pub struct VolumeRow {
    /// S [1/m2].
    pub gradient: MatrixRow,
    /// C.
    pub change: Row,
    /// a [1/(N m s2)].
    pub compliance: Row,
    /// Inverse of the diagonal; zero for those whose volume nothing can change.
    pub inverse: Row,
    /// pi [N s m].
    pub pressure: Row,
    /// What the system of the stress starts with of it [N s m].
    start: Row,
    /// What it makes of D v: k V dt^2 [N s2 m].
    penalty: Row,
    /// D of what the solve has changed of velocities [1/s].
    changed: Row,
    /// What the solve has changed of it [N s m].
    pub impulse: Row,
    /// What is left of the right side [1/s].
    pub residual: Row,
    /// Direction of search.
    pub direction: Row,
    /// The matrix times it.
    pub product: Row,
    /// Sums over the lanes: of the squared residual, and of two products.
    pub sums: [f64; 2],
}

/// Least part of the spread of a lattice that counts for the diagonal.
const LEAST_DIAGONAL: Real = 1e-20;

/// Constraints of the shape at the start.
pub struct Start<'a> {
    pub particles: &'a MuscleRow,
    pub strain: &'a MatrixRow,
    /// p V of the substep before [N m].
    pub pressure: &'a Row,
    /// Whether the system of the stress has a part of K.
    pub is_implicit: bool,
    pub dt: Real,
    pub row: &'a mut VolumeRow,
}

impl Job for Start<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let (particles, row) = (self.particles, self.row);
        let h = Matrix3::<P>::load(self.strain);
        let change = volume_change(h);
        let cofactor = (h + Matrix3::identity()).cofactor();
        let filled = <P::Mask as pliant_math::simd::Mask>::from_bits(particles.filled.into());
        let gradient = cofactor
            .times_symmetric(SymMat3::load(&particles.rest.inverse))
            .or_where_not(filled, Matrix3::ZERO);
        gradient.store(&mut row.gradient);
        change.or_where_not(filled, P::ZERO).store(&mut row.change);
        let mobility = SymMat3::<P>::load(&particles.mobility);
        let moved = gradient.times_symmetric(mobility).double_dot(gradient);
        let least = P::splat(LEAST_DIAGONAL);
        let compliance = P::load(&particles.compliance) / P::splat(self.dt * self.dt);
        compliance.store(&mut row.compliance);
        let inverse = P::splat(1.0) / (moved + compliance);
        inverse
            .or_where_not(least.less(moved), P::ZERO)
            .store(&mut row.inverse);
        let dt = P::splat(self.dt);
        let mut pressure = P::load(self.pressure);
        let mut penalty = P::ZERO;
        if self.is_implicit {
            pressure = particles.augmented_pressure(pressure, change);
            penalty = P::load(&particles.penalty) * P::load(&particles.rest.volume) * dt * dt;
        }
        (pressure * dt).store(&mut row.start);
        penalty.store(&mut row.penalty);
        P::ZERO.store(&mut row.changed);
        P::ZERO.store(&mut row.impulse);
    }
}

/// The direction times S, where it is read for neighbours.
pub struct Spread<'a> {
    pub row: &'a VolumeRow,
    pub slot: MatrixSlot<'a>,
}

impl Job for Spread<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(mut self) {
        let direction = P::load(&self.row.direction);
        let mut rows = MatrixRow::default();
        (Matrix3::load(&self.row.gradient) * direction).store(&mut rows);
        self.slot.set::<P>(&rows);
    }
}

/// The next direction of conjugate gradients.
pub struct UpdateDirection<'a> {
    pub row: &'a mut VolumeRow,
    pub share: Real,
    pub slot: MatrixSlot<'a>,
}

impl Job for UpdateDirection<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let row = self.row;
        let scaled = P::load(&row.residual) * P::load(&row.inverse);
        let last = P::load(&row.direction) * P::splat(self.share);
        // In the first step what stands there is not of this solve, and may be anything.
        let next = match self.share == 0.0 {
            true => scaled,
            false => scaled + last,
        };
        next.store(&mut row.direction);
        let slot = self.slot;
        Spread { row: &*row, slot }.run::<P>();
    }
}

/// Changes of velocity by the direction.
pub struct FindChanges<'a> {
    pub particles: &'a MuscleRow,
    pub bonds: &'a [BondRow],
    pub matrices: &'a MatrixField,
    pub velocity: &'a [[Real; 4]],
    pub changes: &'a mut [[Real; 4]; LANES],
}

impl RowJob for FindChanges<'_> {
    #[inline(always)]
    fn rows(&self) -> usize {
        1
    }

    #[inline(always)]
    fn row<P: Pack>(&mut self, _: usize) {
        let row = self.particles;
        let own = self.matrices.at::<P>(&row.rest.particle);
        let impulse = self.matrices.divergence(row, self.bonds, own);
        let [_, _, _, inverse_mass] = gather::<P>(self.velocity, &row.rest.particle);
        let mut rows = [Row::ZERO; 3];
        (impulse * -inverse_mass).store(&mut rows);
        for lane in P::FIRST..P::FIRST + P::COUNT {
            self.changes[lane] = [rows[0].0[lane], rows[1].0[lane], rows[2].0[lane], 0.0];
        }
    }
}

/// Impulses of the matrices.
pub struct FindImpulses<'a> {
    pub particles: &'a MuscleRow,
    pub bonds: &'a [BondRow],
    pub matrices: &'a MatrixField,
}

impl Job for FindImpulses<'_> {
    type Output = VectorRow;

    #[inline(always)]
    fn run<P: Pack>(self) -> VectorRow {
        let own = self.matrices.at::<P>(&self.particles.rest.particle);
        let divergence = self.matrices.divergence(self.particles, self.bonds, own);
        let mut rows = VectorRow::default();
        (-divergence).store(&mut rows);
        rows
    }
}

/// -(C/dt + D v + a pi).
pub struct FindResidual<'a> {
    /// D v.
    pub rate: &'a Row,
    pub dt: Real,
    pub row: &'a mut VolumeRow,
}

impl Job for FindResidual<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let row = self.row;
        let rate = P::load(self.rate);
        let drift = P::load(&row.change) / P::splat(self.dt);
        let of_stress = P::load(&row.penalty) * (rate - P::load(&row.changed));
        let pressure = P::load(&row.start) - of_stress + P::load(&row.impulse);
        pressure.store(&mut row.pressure);
        let yielded = P::load(&row.compliance) * pressure;
        let residual = -(drift + rate + yielded);
        row.set_residual(residual);
    }
}

/// D u + a (direction), and the sum of the direction times it.
pub struct FindProduct<'a> {
    /// D u.
    pub rate: &'a Row,
    pub row: &'a mut VolumeRow,
}

impl Job for FindProduct<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let row = self.row;
        let rate = P::load(self.rate);
        let direction = P::load(&row.direction);
        let product = rate + P::load(&row.compliance) * direction;
        product.store(&mut row.product);
        row.sums = [total(product * direction), 0.0];
    }
}

/// A step along the direction.
pub struct Advance<'a> {
    pub row: &'a mut VolumeRow,
    pub step: Real,
}

impl Job for Advance<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let (row, step) = (self.row, P::splat(self.step));
        let impulse = P::load(&row.direction) * step;
        (P::load(&row.pressure) + impulse).store(&mut row.pressure);
        (P::load(&row.impulse) + impulse).store(&mut row.impulse);
        let rate = P::load(&row.product) * step - P::load(&row.compliance) * impulse;
        (P::load(&row.changed) + rate).store(&mut row.changed);
        let residual = P::load(&row.residual) - P::load(&row.product) * step;
        row.set_residual(residual);
    }
}

impl VolumeRow {
    /// Changes the residual, where there is anything to be solved.
    #[inline(always)]
    fn set_residual<P: Pack>(&mut self, residual: P) {
        let inverse = P::load(&self.inverse);
        let residual = residual.or_where_not(P::ZERO.less(inverse), P::ZERO);
        residual.store(&mut self.residual);
        let squared = residual * residual;
        self.sums = [total(squared), total(squared * inverse)];
    }
}

/// D v of sixteen particles, S_i : sum_j (v_j - v_i) G_ij^T.
///
/// * `velocity` — of all particles; the fourth component does not count
/// * `gradient` — S
pub fn find_rate(
    instructions: Instructions,
    particles: &MuscleRow,
    bonds: &[BondRow],
    velocity: &[[Real; 4]],
    gradient: &MatrixRow,
) -> Row {
    let mut rate = Row::ZERO;
    let found = FindRate {
        particles,
        bonds,
        velocity,
        gradient,
        rate: &mut rate,
    };
    instructions.run_rows(LANES, found);
    rate
}

struct FindRate<'a> {
    particles: &'a MuscleRow,
    bonds: &'a [BondRow],
    velocity: &'a [[Real; 4]],
    gradient: &'a MatrixRow,
    rate: &'a mut Row,
}

impl RowJob for FindRate<'_> {
    #[inline(always)]
    fn rows(&self) -> usize {
        1
    }

    #[inline(always)]
    fn row<P: Pack>(&mut self, _: usize) {
        let rest = &self.particles.rest;
        let [x, y, z, _] = gather::<P>(self.velocity, &rest.particle);
        let own = Vector3::new(x, y, z);
        let mut sum = Matrix3::ZERO;
        for (k, bond) in self.bonds.iter().enumerate() {
            BondRow::prefetch::<P>(self.bonds, k);
            let [x, y, z, _] = gather::<P>(self.velocity, &bond.neighbor);
            let g = rest.gradient(Vector3::load(&bond.offset));
            sum += (Vector3::new(x, y, z) - own).outer(g);
        }
        sum.double_dot(Matrix3::load(self.gradient))
            .store(self.rate);
    }
}

/// The sum over the lanes.
#[inline(always)]
pub fn total<P: Pack>(pack: P) -> f64 {
    let mut row = Row::ZERO;
    pack.store(&mut row);
    let mut total = 0.0;
    for lane in 0..LANES {
        total += f64::from(row.0[lane]);
    }
    total
}
