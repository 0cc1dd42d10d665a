//! The coarse space of the preconditioner: aggregates of neighbouring particles that move as one.
//!
//! Conjugate gradients carry a pull one particle further each step. Aggregates carry it across the network at
//! once: the preconditioner is the inverse diagonal plus P (P^T A P)^-1 P^T, where P gives every free
//! particle of an aggregate the same velocity (Nicolaides 1987, deflation by subdomains, added as in a two-level
//! Schwarz method). It is symmetric and positive, so what is solved stays the same; a stiff network takes
//! far fewer steps.

use pliant_math::simd::{Instructions, Job, LANES, Pack};
use pliant_math::{DVec3, Real};

use super::cholesky::{Factor, Solve};
use super::passes::lane;
use super::tasks::SpringTask;
use crate::parallel::{self, CHUNK};

/// Most aggregates of all bodies: beyond that, factors of their matrix take longer than they save.
const MAX_AGGREGATES: usize = 64;
/// Least particles of an aggregate.
const MIN_PARTICLES: usize = 48;
/// Mean stiffness of a spring over the mass of a particle from which on aggregates save more than they take.
const STIFFNESS_RATIO: f64 = 10.0;

/// No aggregate.
const NONE: u32 = u32::MAX;

/// The aggregates of all bodies and their matrix; scratch of the stepper.
#[derive(Debug, Default)]
pub struct CoarseSpace {
    count: usize,
    /// Springs and edges of membranes of each task that leave the aggregate of a free particle.
    couplings: Vec<Vec<Coupling>>,
    of_task: Vec<TaskAggregates>,
    /// Mass of what is free in each aggregate [kg].
    mass: Vec<f64>,
    /// Mean mass of a free particle of each [kg].
    particle_mass: Vec<f64>,
    /// Upper triangle, row by row: the matrix, then its Cholesky factor.
    matrix: Vec<f64>,
    /// Right side, then solution.
    values: Vec<f64>,
}

/// What joins a free particle of an aggregate to something outside of it.
#[derive(Clone, Copy, Debug)]
struct Coupling {
    /// Place of the block among those of the task.
    block: u32,
    lane: u8,
    is_membrane: bool,
    own: u32,
    /// The other aggregate; `NONE` for what is held.
    other: u32,
}

/// What a task has to do with aggregates.
#[derive(Debug, Default)]
struct TaskAggregates {
    /// Those that its particles are in.
    aggregates: Vec<u32>,
    /// Where in this list that of each particle is, group by group; behind it for what has none or is held.
    places: Vec<[u8; LANES]>,
    /// Residuals and corrections of the aggregates, and of none.
    sums: Vec<[f64; 3]>,
    corrections: Vec<[Real; 3]>,
}

/// Particles of a body that are left: their places, and where they are at rest [m].
pub struct BodyParticles {
    pub places: Vec<u32>,
    pub position: Vec<DVec3>,
}

impl CoarseSpace {
    /// Of the bodies, whose particles the tasks hold.
    pub fn new(bodies: &[BodyParticles], tasks: &[SpringTask]) -> Self {
        let total: usize = bodies.iter().map(|body| body.places.len()).sum();
        let mut aggregate_of = vec![NONE; total];
        let mut count = 0;
        for body in bodies {
            let size = body.places.len();
            let most = (size / MIN_PARTICLES).min(MAX_AGGREGATES * size / total.max(1));
            // A single aggregate is of no use.
            if most >= 2 {
                let parts = 1 << most.ilog2();
                let mut members: Vec<usize> = (0..size).collect();
                divide(body, &mut members, parts, &mut count, &mut aggregate_of);
            }
        }
        let mut space = Self {
            count,
            ..Self::default()
        };
        if count > 0 {
            space.sum_masses(tasks, &aggregate_of);
            let of_task =
                |(number, task)| TaskAggregates::new(&aggregate_of[number * CHUNK..], task);
            space.of_task = tasks.iter().enumerate().map(of_task).collect();
            let couplings = tasks
                .iter()
                .map(|task| couplings(task, tasks, &aggregate_of));
            space.couplings = couplings.collect();
            space.matrix = vec![0.0; 9 * count * count];
            space.values = vec![0.0; 3 * count];
        }
        space
    }

    fn sum_masses(&mut self, tasks: &[SpringTask], aggregate_of: &[u32]) {
        self.mass = vec![0.0; self.count];
        let mut free = vec![0.0; self.count];
        for (place, &aggregate) in aggregate_of.iter().enumerate() {
            let (task, group, at) = task_group_lane(place);
            let group = &tasks[task].groups[group];
            if aggregate != NONE && group.is_free.0[at] > 0.0 {
                self.mass[aggregate as usize] += f64::from(group.mass.0[at]);
                free[aggregate as usize] += 1.0;
            }
        }
        let means = self.mass.iter().zip(free);
        self.particle_mass = means
            .map(|(mass, count): (_, f64)| mass / count.max(1.0))
            .collect();
    }

    /// Assembles the matrix of the aggregates from what the tasks have assembled and factors it. False if
    /// aggregates would not save anything, or a Jacobian that is not clamped pushes them.
    pub fn factor(&mut self, tasks: &[SpringTask], instructions: Instructions) -> bool {
        if self.count == 0 || !self.is_stiff(tasks) {
            return false;
        }
        let size = 3 * self.count;
        self.matrix.fill(0.0);
        for (aggregate, &mass) in self.mass.iter().enumerate() {
            for axis in 3 * aggregate..3 * aggregate + 3 {
                // Nothing moves where all is held.
                self.matrix[axis * size + axis] = if mass > 0.0 { mass } else { 1.0 };
            }
        }
        for (task, couplings) in tasks.iter().zip(&self.couplings) {
            for coupling in couplings {
                let block = coupling.block(task);
                let own = 3 * coupling.own as usize;
                add(&mut self.matrix, size, [own, own], &block, 1.0);
                if coupling.other != NONE && coupling.other > coupling.own {
                    let place = [own, 3 * coupling.other as usize];
                    add(&mut self.matrix, size, place, &block, -1.0);
                }
            }
        }
        let matrix = &mut self.matrix;
        instructions.run(Factor { matrix, size })
    }

    /// True if springs outweigh particles: only then do pulls travel far in a substep.
    fn is_stiff(&self, tasks: &[SpringTask]) -> bool {
        let (mut sum, mut count) = (0.0, 0);
        for (task, couplings) in tasks.iter().zip(&self.couplings) {
            for coupling in couplings {
                let block = coupling.block(task);
                let stiffness = (block[0] + block[4] + block[8]) / 3.0;
                sum += stiffness / self.particle_mass[coupling.own as usize];
            }
            count += couplings.len();
        }
        sum > STIFFNESS_RATIO * count as f64
    }

    /// Solves for the corrections of the aggregates from the residuals of the tasks; returns residual times
    /// corrections.
    pub fn correct(&mut self, tasks: &mut [SpringTask], instructions: Instructions) -> f64 {
        parallel::for_items(&mut self.of_task, |number, of_task| {
            let task = &tasks[number];
            instructions.run(Restrict { of_task, task });
        });
        self.values.fill(0.0);
        for of_task in &self.of_task {
            for (&aggregate, sum) in of_task.aggregates.iter().zip(&of_task.sums) {
                for (value, part) in self.values[3 * aggregate as usize..].iter_mut().zip(sum) {
                    *value += part;
                }
            }
        }
        let squared = instructions.run(Solve {
            factor: &self.matrix,
            values: &mut self.values,
        });
        let values = &self.values;
        for of_task in &mut self.of_task {
            for (&aggregate, correction) in of_task.aggregates.iter().zip(&mut of_task.corrections)
            {
                let value = &values[3 * aggregate as usize..];
                *correction = [value[0], value[1], value[2]].map(|v| v as Real);
            }
        }
        let all = &self.of_task;
        parallel::for_items(tasks, |number, task| {
            let of_task = &all[number];
            instructions.run(Prolong { of_task, task });
        });
        squared
    }
}

/// Task, group and lane of a particle.
fn task_group_lane(place: usize) -> (usize, usize, usize) {
    (place / CHUNK, place % CHUNK / LANES, place % LANES)
}

/// Halves a set of particles across its longest side until there is the given number of parts, a
/// power of two, and gives each the next number.
fn divide(
    body: &BodyParticles,
    members: &mut [usize],
    parts: usize,
    next: &mut usize,
    aggregate_of: &mut [u32],
) {
    if parts == 1 {
        for &member in members.iter() {
            aggregate_of[body.places[member] as usize] = *next as u32;
        }
        *next += 1;
        return;
    }
    let at = |member: usize| body.position[member];
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for &member in members.iter() {
        (low, high) = (low.min(at(member)), high.max(at(member)));
    }
    let axis = (high - low).max_position();
    members.sort_unstable_by(|&a, &b| at(a)[axis].total_cmp(&at(b)[axis]).then(a.cmp(&b)));
    let (one, two) = members.split_at_mut(members.len() / 2);
    divide(body, one, parts / 2, next, aggregate_of);
    divide(body, two, parts / 2, next, aggregate_of);
}

impl TaskAggregates {
    /// * `aggregate_of` — from the first particle of the task on
    fn new(aggregate_of: &[u32], task: &SpringTask) -> Self {
        let of_task = &aggregate_of[..aggregate_of.len().min(CHUNK)];
        let mut aggregates: Vec<u32> = of_task.iter().copied().filter(|&z| z != NONE).collect();
        aggregates.sort_unstable();
        aggregates.dedup();
        let none = aggregates.len() as u8;
        let mut places = vec![[none; LANES]; task.groups.len()];
        for (k, aggregate) in of_task.iter().enumerate() {
            let is_free = task.groups[k / LANES].is_free.0[k % LANES] > 0.0;
            if let (Ok(place), true) = (aggregates.binary_search(aggregate), is_free) {
                places[k / LANES][k % LANES] = place as u8;
            }
        }
        Self {
            sums: vec![[0.0; 3]; aggregates.len() + 1],
            corrections: vec![[0.0; 3]; aggregates.len() + 1],
            aggregates,
            places,
        }
    }
}

/// Sums residuals over each aggregate.
struct Restrict<'a> {
    of_task: &'a mut TaskAggregates,
    task: &'a SpringTask,
}

impl Job for Restrict<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let TaskAggregates { places, sums, .. } = self.of_task;
        sums.fill([0.0; 3]);
        for (places, [x, y, z]) in places.iter().zip(&self.task.residual) {
            for (at, &place) in places.iter().enumerate() {
                let sum = &mut sums[place as usize];
                sum[0] += f64::from(x.0[at]);
                sum[1] += f64::from(y.0[at]);
                sum[2] += f64::from(z.0[at]);
            }
        }
    }
}

/// Adds the corrections of the aggregates to the scaled residuals.
struct Prolong<'a> {
    of_task: &'a TaskAggregates,
    task: &'a mut SpringTask,
}

impl Job for Prolong<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let TaskAggregates {
            places,
            corrections,
            ..
        } = self.of_task;
        for (places, [x, y, z]) in places.iter().zip(&mut self.task.scaled) {
            for (at, &place) in places.iter().enumerate() {
                let correction = &corrections[place as usize];
                x.0[at] += correction[0];
                y.0[at] += correction[1];
                z.0[at] += correction[2];
            }
        }
    }
}

/// What leaves the aggregates of the particles of a task.
fn couplings(task: &SpringTask, tasks: &[SpringTask], aggregate_of: &[u32]) -> Vec<Coupling> {
    let mut all = Vec::new();
    let is_free = |place: u32| {
        let (task, group, at) = task_group_lane(place as usize);
        tasks[task].groups[group].is_free.0[at] > 0.0
    };
    let mut visit = |own: u32, other: u32, block: usize, lane: usize, is_membrane: bool| {
        let aggregate = aggregate_of[own as usize];
        if aggregate == NONE || own == other || !is_free(own) {
            return;
        }
        let there = if is_free(other) {
            aggregate_of[other as usize]
        } else {
            NONE
        };
        if there != aggregate {
            all.push(Coupling {
                block: block as u32,
                lane: lane as u8,
                is_membrane,
                own: aggregate,
                other: there,
            });
        }
    };
    for group in &task.groups {
        // Where there are no sixteen, the last one stands again.
        for at in (0..LANES).filter(|&at| at == 0 || group.own.get(at) != group.own.get(at - 1)) {
            let own = group.own.get(at) as u32;
            for number in group.springs.clone() {
                let other = task.slots[number].neighbors.get(at) as u32;
                visit(own, other, number, at, false);
            }
            for number in group.membranes.clone() {
                let other = task.membrane_slots[number].neighbors.get(at) as u32;
                visit(own, other, number, at, true);
            }
        }
    }
    all
}

impl Coupling {
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

/// Adds a multiple of a block to a matrix at a row and a column.
fn add(matrix: &mut [f64], size: usize, [row, column]: [usize; 2], block: &[f64; 9], factor: f64) {
    for (k, part) in block.iter().enumerate() {
        matrix[(row + k / 3) * size + column + k % 3] += factor * part;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_divided_into_equal_parts_of_neighbours() {
        let position: Vec<DVec3> = (0..400)
            .map(|k| DVec3::new((k % 20) as f64, 0.0, (k / 20) as f64))
            .collect();
        let body = BodyParticles {
            places: (0..400).collect(),
            position: position.clone(),
        };
        let (mut members, mut count): (Vec<usize>, usize) = ((0..400).collect(), 0);
        let mut aggregate_of = vec![NONE; 400];
        divide(&body, &mut members, 16, &mut count, &mut aggregate_of);
        assert_eq!(count, 16);
        for aggregate in 0..16 {
            let of_aggregate: Vec<DVec3> = (0..400)
                .filter(|&k| aggregate_of[k] == aggregate)
                .map(|k| position[k])
                .collect();
            assert_eq!(of_aggregate.len(), 25);
            let reach = of_aggregate
                .iter()
                .map(|x| x.distance(of_aggregate[0]))
                .fold(0.0, f64::max);
            assert!(reach < 6.0, "{reach}");
        }
    }
}
