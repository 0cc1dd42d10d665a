//! Densities of sixteen particles at once: neighbours, steps of pressure, impulses.

use pliant_math::simd::{Job, LANES, Pack, Places, Row};
use pliant_math::{Real, Vector3};

use super::volume_rows::total;
use crate::kernels::Wendland;
use crate::parallel::{gather, gather_eight};
use crate::solvers::VectorRow;

/// Sixteen particles that stand beside each other in space, with their neighbours now.
#[derive(Clone, Debug, Default)]
pub struct DensityRow {
    /// Slots of the particles: sixteen times the number of the row, and those after it.
    pub particle: Places,
    /// Places of the particles in the order of the method, of as many as `source` tells.
    pub places: [u32; LANES],
    /// Group, and block of it, that they are of; the first of them in its order, and how many there are.
    pub source: RowSource,
    /// Neighbours. More than `count` may be left from a substep before.
    pub neighbors: Vec<NeighborRow>,
    /// Neighbours of the particle that has most.
    pub count: usize,
    /// delta0, the greatest density of the body at rest; 1 in lanes without a particle.
    pub rest: Row,
    /// V [m3].
    volume: Row,
    /// 1/m [1/kg].
    inverse_mass: Row,
    /// sum_j G_ij [m2].
    gradient_sum: [Row; 3],
    /// omega/A [kg/m4]; zero for those whose density nothing can change.
    response: Row,
    /// What turns a step of the multiplier into an error of the density, over that at rest [1/(Pa s)].
    error_of_step: Row,
    /// Rates to which `sum_j (v_j - v_i) G_ij` must come at least [m3/s], of both solvers.
    drift: [Row; 2],
    /// Q of both solvers [Pa s].
    pub pressure: [Row; 2],
    /// The step of Q that is to be taken.
    step: Row,
    /// Sums over the lanes: errors, how many particles they are of, squared errors.
    pub sums: [f64; 3],
}

/// Where the particles of a row come from.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowSource {
    /// Group of bodies.
    pub group: u32,
    /// Block of it.
    pub block: u32,
    /// The first of them in its order.
    pub first: u32,
    /// How many there are.
    pub count: u32,
}

/// A neighbour of each of sixteen particles; of those that have none left, themselves.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct NeighborRow {
    /// Their slots.
    pub slot: Places,
    /// G_ij = V_i V_j grad W_ij [m2].
    gradient: [Row; 3],
}

impl DensityRow {
    /// Lanes that hold a particle, with the places of these.
    pub fn filled(&self) -> impl Iterator<Item = (usize, usize)> {
        let places = self.places.iter().take(self.source.count as usize);
        places.map(|&place| place as usize).enumerate()
    }

    /// Takes over what `of` tells of the particle at a place: the density at rest, and the multipliers.
    pub fn start(&mut self, of: impl Fn(usize) -> (Real, [Real; 2])) {
        self.rest = Row([1.0; LANES]);
        self.pressure = [Row::ZERO; 2];
        for lane in 0..self.source.count as usize {
            let (rest, pressure) = of(self.places[lane] as usize);
            self.rest.0[lane] = rest;
            for (row, number) in self.pressure.iter_mut().zip(pressure) {
                row.0[lane] = number;
            }
        }
    }

    /// Makes all of a multiplier the step that is to be taken.
    pub fn start_warm(&mut self, solver: DensitySolver, steps: &mut [[Real; 4]; LANES]) {
        self.step = std::mem::take(&mut self.pressure[solver as usize]);
        for (step, &number) in steps.iter_mut().zip(&self.step.0) {
            step[0] = number;
        }
    }
}

impl NeighborRow {
    /// Particles beside themselves, which do not count.
    pub fn of(particle: Places) -> Self {
        Self {
            slot: particle,
            ..Self::default()
        }
    }
}

/// Which of the two systems of a substep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DensitySolver {
    /// No density at rest or above it increases by the velocities at the start.
    DivergenceFree = 0,
    /// No density is above that at rest at the end.
    ConstantDensity = 1,
}

/// What a step of pressure is of what Jacobi's method would take (Ihmsen et al. 2014): pressures that alternate from
/// particle to particle are 2.6 times as stiff in a lattice as the diagonal tells, and 3.8 times in one of twice the
/// density; 1/2 is stable up to 4 times.
const RELAXATION: Real = 0.5;

/// Rate [1/s] at which density below that at rest may increase.
const FREE: Real = 1e9;

/// Gradients, densities and the diagonal from the positions at the start.
///
///   delta_i = sum_j V_j W_ij,   A_i = w_i |sum_j G_ij|^2 + sum_j w_j |G_ij|^2
///
/// Of equal particles A_i is, but for a constant, rho_i/alpha_i of Bender and Koschier 2015.
pub struct Measure<'a> {
    /// Of each slot: position in two parts [m], volume [m3], inverse mass [1/kg].
    pub points: &'a [[Real; 8]],
    pub kernel: Wendland,
    pub dt: Real,
    /// Rate at which density above that at rest may be let go [1/s].
    pub greatest_rate: Real,
    pub row: &'a mut DensityRow,
}

impl Job for Measure<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let row = self.row;
        let own: [P; 8] = gather_eight(self.points, &row.particle);
        let (volume, inverse_mass) = (own[3], own[7]);
        let mut density = volume * self.kernel.weight(P::ZERO);
        let (mut sum, mut mobility) = (Vector3::ZERO, P::ZERO);
        for neighbor in &mut row.neighbors[..row.count] {
            let other: [P; 8] = gather_eight(self.points, &neighbor.slot);
            // The same for both of a pair but for the sign, to the last bit.
            let offset = Vector3::new(
                (other[0] - own[0]) + (other[4] - own[4]),
                (other[1] - own[1]) + (other[5] - own[5]),
                (other[2] - own[2]) + (other[6] - own[6]),
            );
            let squared = offset.squared();
            let distance = squared.sqrt();
            let weight = other[3] * self.kernel.weight(distance);
            let is_other = P::ZERO.less(squared);
            density += weight.or_where_not(is_other, P::ZERO);
            let gradient = offset * (volume * other[3] * self.kernel.gradient_factor(distance));
            gradient.store(&mut neighbor.gradient);
            sum = sum + gradient;
            mobility += other[7] * gradient.squared();
        }
        let diagonal = mobility + inverse_mass * sum.squared();
        volume.store(&mut row.volume);
        inverse_mass.store(&mut row.inverse_mass);
        sum.store(&mut row.gradient_sum);
        row.set_diagonal(diagonal, self.dt);
        row.set_drift(density, self.dt, self.greatest_rate);
    }
}

impl DensityRow {
    #[inline(always)]
    fn set_diagonal<P: Pack>(&mut self, diagonal: P, dt: Real) {
        let volume = P::load(&self.volume);
        let can_move = P::ZERO.less(diagonal) & P::ZERO.less(volume);
        let response = P::splat(RELAXATION) / diagonal;
        let response = response.or_where_not(can_move, P::ZERO);
        response.store(&mut self.response);
        let rest = volume * P::load(&self.rest);
        let error = diagonal * P::splat(dt / RELAXATION) / rest;
        let error = error.or_where_not(can_move, P::ZERO);
        error.store(&mut self.error_of_step);
    }

    /// What is above the density at rest is to be gone at the end of the step, at a limited rate; where nothing is
    /// below it, velocities may not increase it.
    #[inline(always)]
    fn set_drift<P: Pack>(&mut self, density: P, dt: Real, greatest_rate: Real) {
        let (volume, rest) = (P::load(&self.volume), P::load(&self.rest));
        let is_dense = rest.at_most(density);
        let rate = P::ZERO.or_where_not(is_dense, P::splat(-FREE));
        (volume * rate).store(&mut self.drift[DensitySolver::DivergenceFree as usize]);
        let rate = (density - rest) / P::splat(dt);
        let rate = rate.min(rest * P::splat(greatest_rate));
        (volume * rate).store(&mut self.drift[DensitySolver::ConstantDensity as usize]);
        let pressure = &mut self.pressure[DensitySolver::DivergenceFree as usize];
        let kept = P::load(pressure).or_where_not(is_dense, P::ZERO);
        kept.store(pressure);
    }
}

/// The step of Jacobi's method, projected: densities are not drawn together.
///
///   Q_i <- max(0, Q_i + omega/A_i (drift_i + sum_j (v_i - v_j) . G_ij))
///
/// Bender and Koschier 2015, algorithms 2 and 3, in which each step is clamped and not the sum of them.
pub struct FindStep<'a> {
    pub solver: DensitySolver,
    /// Velocities by slot [m/s].
    pub velocity: &'a [[Real; 4]],
    pub row: &'a mut DensityRow,
    /// The step of each particle, where neighbours read it.
    pub steps: &'a mut [[Real; 4]; LANES],
}

impl Job for FindStep<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let (row, solver) = (self.row, self.solver as usize);
        let [x, y, z, _] = gather::<P>(self.velocity, &row.particle);
        let mut rate = Vector3::new(x, y, z).dot(Vector3::load(&row.gradient_sum));
        for neighbor in &row.neighbors[..row.count] {
            let [x, y, z, _] = gather::<P>(self.velocity, &neighbor.slot);
            rate = rate - Vector3::new(x, y, z).dot(Vector3::load(&neighbor.gradient));
        }
        let lacking = P::load(&row.drift[solver]) + rate;
        let before = P::load(&row.pressure[solver]);
        let after = (before + lacking * P::load(&row.response)).max(P::ZERO);
        let step = after - before;
        step.store(&mut row.step);
        for (step, &number) in self.steps.iter_mut().zip(&row.step.0) {
            step[0] = number;
        }
        let error = step.abs() * P::load(&row.error_of_step);
        let has_pressure = P::ZERO.less(before.max(after));
        let one = P::splat(1.0).or_where_not(has_pressure, P::ZERO);
        row.sums = [total(error), total(one), total(error * error)];
    }
}

/// Changes of velocity by the steps of pressure, which are taken.
///
///   m_i dv_i = -sum_j (Q_i + Q_j) G_ij
///
/// Bender and Koschier 2015, algorithms 2 and 3, with volumes for masses (Solenthaler and Pajarola 2008).
pub struct TakeStep<'a> {
    pub solver: DensitySolver,
    /// Steps by slot.
    pub steps: &'a [[Real; 4]],
    pub row: &'a mut DensityRow,
    pub changes: &'a mut [[Real; 4]; LANES],
}

impl Job for TakeStep<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let (row, solver) = (self.row, self.solver as usize);
        let own = P::load(&row.step);
        let change = row.impulse(own, self.steps) * P::load(&row.inverse_mass);
        (P::load(&row.pressure[solver]) + own).store(&mut row.pressure[solver]);
        let mut rows = VectorRow::default();
        change.store(&mut rows);
        for (lane, change) in self.changes.iter_mut().enumerate() {
            *change = [rows[0].0[lane], rows[1].0[lane], rows[2].0[lane], 0.0];
        }
    }
}

/// Impulses of pressures [N s].
pub struct FindImpulse<'a> {
    /// Pressures by slot, those of the row too.
    pub pressure: &'a [[Real; 4]],
    pub row: &'a DensityRow,
}

impl Job for FindImpulse<'_> {
    type Output = VectorRow;

    #[inline(always)]
    fn run<P: Pack>(self) -> VectorRow {
        let [own, ..] = gather::<P>(self.pressure, &self.row.particle);
        let mut rows = VectorRow::default();
        self.row.impulse(own, self.pressure).store(&mut rows);
        rows
    }
}

impl DensityRow {
    /// -sum_j (Q_i + Q_j) G_ij [N s].
    #[inline(always)]
    fn impulse<P: Pack>(&self, own: P, pressure: &[[Real; 4]]) -> Vector3<P> {
        let mut sum = Vector3::load(&self.gradient_sum) * own;
        for neighbor in &self.neighbors[..self.count] {
            let [other, ..] = gather::<P>(pressure, &neighbor.slot);
            sum = sum + Vector3::load(&neighbor.gradient) * other;
        }
        -sum
    }
}
