//! What springs and membranes oppose to changes of velocity, as a matrix.

use pliant_math::Vector3;
use pliant_math::simd::{Job, LANES, Pack};

use super::assemble::block_times;
use super::tasks::{SpringGroup, SpringTask};
use crate::solvers::{CoarseSpace, Coupling, Stiffness, VectorField, lane};

/// The tasks of all particles, which are a matrix in a substep.
#[derive(Debug, Default)]
pub struct SpringMatrix {
    /// The particles, a task a chunk.
    pub tasks: Vec<SpringTask>,
    /// Springs and edges of membranes of each task that leave the aggregate of a free particle.
    crossings: Vec<Vec<Crossing>>,
}

/// A spring or an edge of a membrane between two aggregates.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    /// Place of the block among those of the task.
    block: u32,
    lane: u8,
    is_membrane: bool,
    aggregates: [u32; 2],
}

impl SpringMatrix {
    /// Finds what joins the aggregates of a coarse space.
    pub fn find_crossings(&mut self, space: &CoarseSpace) {
        let of_task = self.tasks.iter().map(|task| crossings(task, space));
        self.crossings = of_task.collect();
    }
}

impl Stiffness for SpringMatrix {
    #[inline(always)]
    fn plus_product<P: Pack>(
        &self,
        sum: Vector3<P>,
        (chunk, row): (usize, usize),
        own: Vector3<P>,
        field: VectorField<'_>,
    ) -> Vector3<P> {
        let task = &self.tasks[chunk];
        plus_product(sum, task, &task.groups[row], (own, field))
    }

    fn couplings(&self) -> impl Iterator<Item = Coupling> {
        let all = self.tasks.iter().zip(&self.crossings);
        all.flat_map(|(task, crossings)| {
            crossings.iter().map(|crossing| Coupling {
                aggregates: crossing.aggregates,
                block: crossing.block(task),
            })
        })
    }
}

/// A sum plus the product with a field at the particles of a group.
///
/// * `own` — the field at them
#[inline(always)]
fn plus_product<P: Pack>(
    mut sum: Vector3<P>,
    task: &SpringTask,
    group: &SpringGroup,
    (own, field): (Vector3<P>, VectorField<'_>),
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
    /// Number of the task.
    pub number: usize,
    /// Changes of velocity since the start of the substep.
    pub field: VectorField<'a>,
}

impl Job for SubtractSpringImpulses<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let Self {
            task,
            number,
            field,
        } = self;
        for (k, group) in task.groups.iter().enumerate() {
            let own = field.own::<P>((number, k));
            let product = plus_product(own * P::ZERO, task, group, (own, field));
            let inner = Vector3::load(&task.inner_impulse[k]) - product;
            inner.store(&mut task.inner_impulse[k]);
        }
    }
}

/// What leaves the aggregates of the particles of a task.
fn crossings(task: &SpringTask, space: &CoarseSpace) -> Vec<Crossing> {
    let mut all = Vec::new();
    let mut visit = |ends: [u32; 2], block: usize, lane: usize, is_membrane: bool| {
        // Who has no neighbour is its own.
        let aggregates = space.crossing(ends);
        all.extend(aggregates.map(|aggregates| Crossing {
            block: block as u32,
            lane: lane as u8,
            is_membrane,
            aggregates,
        }));
    };
    for group in &task.groups {
        // Where there are no sixteen, the last one stands again.
        for at in (0..LANES).filter(|&at| at == 0 || group.own.get(at) != group.own.get(at - 1)) {
            let own = group.own.get(at) as u32;
            for number in group.springs.clone() {
                let other = task.slots[number].neighbors.get(at) as u32;
                visit([own, other], number, at, false);
            }
            for number in group.membranes.clone() {
                let other = task.membrane_slots[number].neighbors.get(at) as u32;
                visit([own, other], number, at, true);
            }
        }
    }
    all
}

impl Crossing {
    /// What it does to a difference of velocities, row by row [kg].
    fn block(&self, task: &SpringTask) -> [f64; 9] {
        let (number, at) = (self.block as usize, self.lane as usize);
        if self.is_membrane {
            let matrix = &task.membrane_blocks[number].matrix;
            return std::array::from_fn(|k| f64::from(matrix[k].0[at]));
        }
        let block = &task.blocks[number];
        let normal = lane(&block.normal, at).map(f64::from);
        let (across, excess) = (f64::from(block.across.0[at]), f64::from(block.excess.0[at]));
        std::array::from_fn(|k| {
            let (row, column) = (k / 3, k % 3);
            let diagonal = if row == column { across } else { 0.0 };
            diagonal + excess * normal[row] * normal[column]
        })
    }
}
