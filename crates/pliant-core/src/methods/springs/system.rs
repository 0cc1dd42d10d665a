//! The system of equations of all bodies, solved by conjugate gradients.
//!
//! The matrix is never formed: its product is a sum over springs (Vogiannou et al. 2010, sec. 4). The
//! preconditioner is the inverse of its 3x3 blocks on the diagonal, and where springs are stiff a coarse
//! system beside it (`aggregates`). Particles that are held have residual zero always, so nothing moves them.

use pliant_math::simd::{Instructions, LANES};
use pliant_math::{DVec3, Real, Vec3};

use super::SpringsSettings;
use super::aggregates::{BodyParticles, CoarseSpace};
use super::assemble::{Assemble, AssemblyInput};
use super::passes::{
    Advance, MatrixProduct, SubtractSpringImpulses, SystemResidual, UpdateDirection, VectorField,
    lane, set_lane, write_columns, write_records,
};
use super::tasks::{NeighborRun, SpringEdge, SpringTask, VectorRow, tasks};
use crate::parallel::{self, CHUNK};

/// Most steps of a solve that runs until it has converged.
const MAX_STEPS: u32 = 300;

/// Steps of a solve for the response to impulses of others: two do as well as twenty.
const RESPONSE_STEPS: u32 = 2;

/// The system; scratch of the stepper.
#[derive(Debug)]
pub struct System {
    /// What it computes with; the bits are the same for all.
    pub instructions: Instructions,
    /// The particles, a task a chunk.
    pub tasks: Vec<SpringTask>,
    /// Vectors of all particles as they are gathered; directions only where neighbours are scattered.
    records: Vec<[Real; 4]>,
    /// The same by components, with zeros before and after them.
    columns: [Vec<Real>; 3],
    /// Where the first particle is in these.
    front: usize,
    has_scattered: bool,
    coarse_space: CoarseSpace,
    /// Whether the coarse space is solved for in this substep.
    has_aggregates: bool,
    /// Steps that the last solve took.
    pub steps: u32,
}

impl System {
    /// Of no particles.
    pub fn new() -> Self {
        Self {
            instructions: Instructions::best(),
            tasks: Vec::new(),
            records: Vec::new(),
            columns: [const { Vec::new() }; 3],
            front: 0,
            has_scattered: false,
            coarse_space: CoarseSpace::default(),
            has_aggregates: false,
            steps: 0,
        }
    }

    /// Of particles that are joined.
    ///
    /// * masses [kg] and their inverses, 0 for what is held
    /// * `spring_edges` — springs
    /// * `pairs` — corners of one triangle of a membrane, each pair once
    /// * `domains` — the bodies
    pub fn build(
        &mut self,
        (mass, inverse_mass): (&[Real], &[Real]),
        spring_edges: &[SpringEdge],
        pairs: &[[u32; 2]],
        bodies: &[BodyParticles],
    ) {
        self.tasks = tasks(mass, inverse_mass, spring_edges, pairs);
        self.coarse_space = CoarseSpace::new(bodies, &self.tasks);
        self.records.clear();
        let padded = mass.len().next_multiple_of(LANES);
        self.records.resize(padded, [0.0; 4]);
        let all = self.tasks.iter().flat_map(SpringTask::all_runs);
        self.has_scattered = all.clone().any(|run| run == NeighborRun::Scattered);
        let (mut first, mut end) = (0, padded as i64);
        for run in all {
            if let NeighborRun::From(start) = run {
                first = first.min(i64::from(start));
                end = end.max(i64::from(start) + LANES as i64);
            }
        }
        self.front = (-first) as usize;
        self.columns = std::array::from_fn(|_| vec![0.0; (end - first) as usize]);
    }

    /// Takes what has changed velocities since the start of the substep for impulses on what is free, and
    /// what is held for having had its velocity from the start.
    pub fn set_impulses(&mut self, velocity: &[Vec3], start: &mut [Vec3]) {
        parallel::for_chunks_with(start, &mut self.tasks, |first, start, task| {
            for (k, start) in start.iter_mut().enumerate() {
                let (group, at) = (k / LANES, k % LANES);
                let of_group = &task.groups[group];
                let now = velocity[first + k];
                if of_group.is_free.0[at] == 0.0 {
                    *start = now;
                }
                let impulse = (now - *start) * of_group.mass.0[at];
                set_lane(&mut task.impulse[group], at, impulse.to_array());
            }
        });
    }

    /// Solves for the change of velocity from the start that forces there and the impulses cause in a
    /// substep.
    pub fn predict(&mut self, velocity: &[Vec3], input: AssemblyInput<'_>) {
        for (record, v) in self.records.iter_mut().zip(velocity) {
            *record = [v.x, v.y, v.z, 0.0];
        }
        let (instructions, records) = (self.instructions, &self.records);
        parallel::for_items(&mut self.tasks, |_, task| {
            let velocity = records;
            let input = AssemblyInput { velocity, ..input };
            instructions.run(Assemble { task, input });
        });
        let SpringsSettings {
            cg_iterations,
            tolerance,
            ..
        } = input.settings;
        self.has_aggregates =
            cg_iterations.is_none() && self.coarse_space.factor(&self.tasks, instructions);
        self.steps = match cg_iterations {
            Some(steps) => self.solve(steps, 0.0),
            None => self.solve(MAX_STEPS, tolerance),
        };
    }

    /// Improves the response to the impulses by a few steps, from the last one on.
    pub fn solve_response(&mut self) {
        let instructions = self.instructions;
        self.spread_rows(|task| &task.solution);
        self.multiply();
        parallel::for_items(&mut self.tasks, |_, task| {
            instructions.run(SystemResidual { task });
        });
        self.solve(RESPONSE_STEPS, 0.0);
    }

    /// Brings the impulses of springs and membranes from those of the start of the substep to those that the
    /// changes of velocity since leave.
    ///
    /// * `start` — velocities at the start [m/s]
    pub fn find_spring_impulses(&mut self, start: &[Vec3]) {
        parallel::for_items(&mut self.tasks, |number, task| {
            let first = number * CHUNK;
            for (at, start) in start[first..].iter().take(CHUNK).enumerate() {
                let (group, at) = (at / LANES, at % LANES);
                let [x, y, z] = lane(&task.reported[group], at);
                let change = Vec3::new(x, y, z) - *start;
                set_lane(&mut task.direction[group], at, change.to_array());
            }
        });
        self.spread_rows(|task| &task.direction);
        let instructions = self.instructions;
        let field = VectorField::new(&self.records, &self.columns, self.front);
        parallel::for_items(&mut self.tasks, |_, task| {
            instructions.run(SubtractSpringImpulses { task, field });
        });
    }

    /// Conjugate gradients from the residual and scaled residual that are there. Returns the steps.
    fn solve(&mut self, most: u32, tolerance: f64) -> u32 {
        let [mut scaled, start] = self.sums();
        if self.has_aggregates {
            scaled += self
                .coarse_space
                .correct(&mut self.tasks, self.instructions);
        }
        let target = tolerance * tolerance * start;
        let mut share = 0.0;
        for step in 0..most {
            if scaled <= 0.0 {
                return step;
            }
            self.update_direction(share);
            let resisted = self.multiply();
            // A matrix that pushes somewhere has no least energy to search for.
            if resisted <= 0.0 {
                return step;
            }
            self.advance(scaled / resisted);
            let [mut next, rest] = self.sums();
            if rest <= target {
                return step + 1;
            }
            if self.has_aggregates {
                next += self
                    .coarse_space
                    .correct(&mut self.tasks, self.instructions);
            }
            share = next / scaled;
            scaled = next;
        }
        most
    }

    fn update_direction(&mut self, share: f64) {
        let (instructions, share) = (self.instructions, share as Real);
        self.spread(
            |task| &task.direction,
            |task, columns| {
                let columns = columns.each_mut().map(|column| &mut **column);
                instructions.run(UpdateDirection {
                    task,
                    columns,
                    share,
                });
            },
        );
    }

    /// Rows into columns, and into records where these are needed.
    fn spread_rows(&mut self, rows: impl Fn(&SpringTask) -> &Vec<VectorRow> + Copy + Sync) {
        self.spread(rows, |task, columns| {
            for (k, row) in rows(task).iter().enumerate() {
                write_columns(row, columns, k);
            }
        });
    }

    /// Has vectors written into columns, and writes those of `rows` into records where these are needed.
    fn spread(
        &mut self,
        rows: impl Fn(&SpringTask) -> &Vec<VectorRow> + Sync,
        write: impl Fn(&mut SpringTask, &mut [&mut [Real]; 3]) + Sync,
    ) {
        let (front, padded) = (self.front, self.records.len());
        let [x, y, z] = self.columns.each_mut();
        let columns = [x, y, z].map(|column| &mut column[front..front + padded]);
        parallel::for_chunks3_with(columns, &mut self.tasks, |mut columns, task| {
            write(task, &mut columns);
        });
        if self.has_scattered {
            parallel::for_chunks_with(&mut self.records, &mut self.tasks, |_, records, task| {
                for (rows, records) in rows(task).iter().zip(records.chunks_exact_mut(LANES)) {
                    write_records(rows, records);
                }
            });
        }
    }

    fn multiply(&mut self) -> f64 {
        let instructions = self.instructions;
        let field = VectorField::new(&self.records, &self.columns, self.front);
        parallel::for_items(&mut self.tasks, |_, task| {
            instructions.run(MatrixProduct { task, field });
        });
        self.sums()[0]
    }

    fn advance(&mut self, step: f64) {
        let (instructions, step) = (self.instructions, step as Real);
        parallel::for_items(&mut self.tasks, |_, task| {
            instructions.run(Advance { task, step });
        });
    }

    /// Sums over all tasks, in their order.
    fn sums(&self) -> [f64; 2] {
        let add = |all: [f64; 2], task: &SpringTask| [all[0] + task.sums[0], all[1] + task.sums[1]];
        self.tasks.iter().fold([0.0; 2], add)
    }

    /// What a column has for a particle.
    pub fn at(&self, place: usize, column: impl Fn(&SpringTask) -> &Vec<VectorRow>) -> DVec3 {
        let rows = &column(&self.tasks[place / CHUNK])[place % CHUNK / LANES];
        let [x, y, z] = lane(rows, place % LANES).map(f64::from);
        DVec3::new(x, y, z)
    }

    /// Changes the solution for a particle.
    pub fn set_solution(&mut self, place: usize, value: DVec3) {
        let rows = &mut self.tasks[place / CHUNK].solution[place % CHUNK / LANES];
        set_lane(rows, place % LANES, value.to_array().map(|c| c as Real));
    }

    /// Adds to the impulse that springs and membranes give a particle.
    pub fn add_inner_impulse(&mut self, place: usize, impulse: DVec3) {
        let sum = self.at(place, |task| &task.inner_impulse) + impulse;
        let rows = &mut self.tasks[place / CHUNK].inner_impulse[place % CHUNK / LANES];
        set_lane(rows, place % LANES, sum.to_array().map(|c| c as Real));
    }
}
