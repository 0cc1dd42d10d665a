//! Vector3 operations of conjugate gradients on the rows of a task.

use pliant_math::simd::{Job, LANES, Pack, Places, Row};
use pliant_math::{Real, SymMat3, Vector3};

use super::assemble::{block_times, total, velocity};
use super::tasks::{NeighborRun, SpringGroup, SpringTask, VectorRow};

/// Vectors of all particles.
#[derive(Clone, Copy)]
pub struct VectorField<'a> {
    /// As records, for those that lie anywhere.
    pub records: &'a [[Real; 4]],
    /// By components, for those that follow each other.
    pub columns: [&'a [Real]; 3],
    /// Place of the first particle in them.
    pub front: usize,
}

impl<'a> VectorField<'a> {
    /// Of columns of all particles, see the fields.
    pub fn new(records: &'a [[Real; 4]], columns: &'a [Vec<Real>; 3], front: usize) -> Self {
        Self {
            records,
            columns: columns.each_ref().map(Vec::as_slice),
            front,
        }
    }

    /// The vectors of sixteen neighbours.
    #[inline(always)]
    fn at<P: Pack>(&self, places: &Places, run: NeighborRun) -> Vector3<P> {
        match run {
            NeighborRun::Scattered => velocity(self.records, places),
            NeighborRun::From(first) => self.from((self.front as i64 + i64::from(first)) as usize),
        }
    }

    /// The vectors of sixteen particles that follow each other.
    #[inline(always)]
    fn from<P: Pack>(&self, start: usize) -> Vector3<P> {
        let [x, y, z] = self.columns;
        Vector3 {
            x: load_sixteen(x, start),
            y: load_sixteen(y, start),
            z: load_sixteen(z, start),
        }
    }
}

#[inline(always)]
fn load_sixteen<P: Pack>(column: &[Real], start: usize) -> P {
    let mut row = Row::ZERO;
    row.0.copy_from_slice(&column[start..start + LANES]);
    P::load(&row)
}

/// The matrix times directions; the sum is that of directions times it.
pub struct MatrixProduct<'a> {
    pub task: &'a mut SpringTask,
    /// Directions.
    pub field: VectorField<'a>,
}

impl Job for MatrixProduct<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let Self { task, field } = self;
        let mut sum = P::ZERO;
        for (k, group) in task.groups.iter().enumerate() {
            let own = field.from::<P>(field.front + group.own.get(0));
            let product =
                plus_stiffness_product(own * P::load(&group.mass), task, field, (group, own));
            let product = product * P::load(&group.is_free);
            product.store(&mut task.product[k]);
            sum += own.dot(product);
        }
        task.sums[0] = total(sum);
    }
}

/// A sum plus the product of the stiffness matrix with a field, at sixteen particles.
///
/// * `own` — the field at them
#[inline(always)]
fn plus_stiffness_product<P: Pack>(
    mut sum: Vector3<P>,
    task: &SpringTask,
    field: VectorField<'_>,
    (group, own): (&SpringGroup, Vector3<P>),
) -> Vector3<P> {
    for number in group.springs.clone() {
        let block = &task.blocks[number];
        let there = field.at(&task.slots[number].neighbors, task.runs[number]);
        let difference = own - there;
        let normal = Vector3::load(&block.normal);
        let along = P::load(&block.excess) * normal.dot(difference);
        sum = sum + difference * P::load(&block.across) + normal * along;
    }
    for number in group.membranes.clone() {
        let slot = &task.membrane_slots[number];
        let there = field.at(&slot.neighbors, task.membrane_runs[number]);
        let block = &task.membrane_blocks[number];
        sum = sum + block_times(block, own - there);
    }
    sum
}

/// Subtracts the impulses with which springs resist changes of velocity, at held particles too.
pub struct SubtractSpringImpulses<'a> {
    pub task: &'a mut SpringTask,
    /// Changes of velocity since the start of the substep.
    pub field: VectorField<'a>,
}

impl Job for SubtractSpringImpulses<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let Self { task, field } = self;
        for (k, group) in task.groups.iter().enumerate() {
            let own = field.from::<P>(field.front + group.own.get(0));
            let none = own * P::ZERO;
            let product = plus_stiffness_product(none, task, field, (group, own));
            let inner = Vector3::load(&task.inner_impulse[k]) - product;
            inner.store(&mut task.inner_impulse[k]);
        }
    }
}

/// A step along the directions; sums are those of residual times scaled residual, and of squared
/// residual over mass.
pub struct Advance<'a> {
    pub task: &'a mut SpringTask,
    /// Length of the step.
    pub step: Real,
}

impl Job for Advance<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let Self { task, step } = self;
        let step = P::splat(step);
        let (mut scaled_sum, mut sum) = (P::ZERO, P::ZERO);
        for (k, group) in task.groups.iter().enumerate() {
            let direction = Vector3::<P>::load(&task.direction[k]);
            let solution = Vector3::load(&task.solution[k]) + direction * step;
            let residual =
                Vector3::load(&task.residual[k]) - Vector3::load(&task.product[k]) * step;
            let scaled = SymMat3::load(&task.inverse[k]) * residual;
            solution.store(&mut task.solution[k]);
            residual.store(&mut task.residual[k]);
            scaled.store(&mut task.scaled[k]);
            scaled_sum += residual.dot(scaled);
            sum += residual.squared() * P::load(&group.inverse_mass);
        }
        task.sums = [total(scaled_sum), total(sum)];
    }
}

/// The residual of impulses beside the solution's own, of which [`MatrixProduct`] was taken; sums as in
/// [`Advance`].
pub struct SystemResidual<'a> {
    pub task: &'a mut SpringTask,
}

impl Job for SystemResidual<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let task = self.task;
        let (mut scaled_sum, mut sum) = (P::ZERO, P::ZERO);
        for (k, group) in task.groups.iter().enumerate() {
            let residual = Vector3::<P>::load(&task.impulse[k]) - Vector3::load(&task.product[k]);
            let scaled = SymMat3::load(&task.inverse[k]) * residual;
            residual.store(&mut task.residual[k]);
            scaled.store(&mut task.scaled[k]);
            scaled_sum += residual.dot(scaled);
            sum += residual.squared() * P::load(&group.inverse_mass);
        }
        task.sums = [total(scaled_sum), total(sum)];
    }
}

/// The next direction, which is the scaled residual beside a share of the last one, also into columns.
pub struct UpdateDirection<'a> {
    pub task: &'a mut SpringTask,
    pub columns: [&'a mut [Real]; 3],
    /// The share.
    pub share: Real,
}

impl Job for UpdateDirection<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let Self {
            task,
            mut columns,
            share,
        } = self;
        let share = P::splat(share);
        for k in 0..task.groups.len() {
            let last = Vector3::<P>::load(&task.direction[k]);
            let direction = Vector3::load(&task.scaled[k]) + last * share;
            direction.store(&mut task.direction[k]);
            write_columns(&task.direction[k], &mut columns, k);
        }
    }
}

/// Rows of group `k` as parts of columns.
#[inline(always)]
pub fn write_columns(rows: &VectorRow, columns: &mut [&mut [Real]; 3], k: usize) {
    for (row, column) in rows.iter().zip(columns) {
        column[LANES * k..LANES * (k + 1)].copy_from_slice(&row.0);
    }
}

/// Rows as records.
#[inline(always)]
pub fn write_records([x, y, z]: &VectorRow, records: &mut [[Real; 4]]) {
    for (lane, record) in records.iter_mut().enumerate().take(LANES) {
        *record = [x.0[lane], y.0[lane], z.0[lane], 0.0];
    }
}

/// The components in a lane of rows.
#[inline(always)]
pub fn lane([x, y, z]: &VectorRow, lane: usize) -> [Real; 3] {
    [x.0[lane], y.0[lane], z.0[lane]]
}

/// Changes the components in a lane of rows.
#[inline(always)]
pub fn set_lane([x, y, z]: &mut [Row; 3], lane: usize, value: [Real; 3]) {
    (x.0[lane], y.0[lane], z.0[lane]) = (value[0], value[1], value[2]);
}
