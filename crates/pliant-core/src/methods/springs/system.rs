//! The system of equations of all bodies in a substep.
//!
//! The matrix is never formed: its product is a sum over springs (Vogiannou et al. 2010, sec. 4).

use pliant_math::simd::LANES;
use pliant_math::{DVec3, Real, Spatial, Vec3};

use super::assemble::{Assemble, AssemblyInput};
use super::matrix::{SpringMatrix, SubtractSpringImpulses};
use super::tasks::{SpringEdge, SpringTask, tasks};
use crate::parallel::{self, CHUNK};
use crate::solvers::{BodyParticles, Solver, Until, VectorRow, lane, set_lane};

/// Steps of a solve for the response to impulses of others: two do as well as twenty.
const RESPONSE_STEPS: u32 = 2;

/// The system; scratch of the stepper.
#[derive(Debug, Default)]
pub struct System {
    /// The unknown changes of velocity.
    pub solver: Solver,
    /// What joins the particles, and their impulses.
    pub matrix: SpringMatrix,
    /// Velocities at the start of the substep as they are gathered [m/s].
    records: Vec<[Real; 4]>,
    /// Steps that the last solve took.
    pub steps: u32,
}

impl System {
    /// Of particles that are joined.
    ///
    /// * masses [kg] and their inverses, 0 for what is held
    /// * `spring_edges` — springs
    /// * `pairs` — corners of one triangle of a membrane, each pair once
    /// * `bodies` — the bodies, which have all particles
    pub fn build(
        &mut self,
        (mass, inverse_mass): (&[Real], &[Real]),
        spring_edges: &[SpringEdge],
        pairs: &[[u32; 2]],
        bodies: &[BodyParticles],
    ) {
        self.matrix.tasks = tasks(mass.len(), spring_edges, pairs);
        let runs = self.matrix.tasks.iter().flat_map(SpringTask::all_runs);
        self.solver.build((mass, inverse_mass), bodies, runs);
        self.matrix.find_crossings(self.solver.coarse_space());
    }

    /// Takes what has changed velocities since the start of the substep for impulses on what is free, and
    /// what is held for having had its velocity from the start.
    pub fn set_impulses(&mut self, velocity: &[Vec3], start: &mut [Vec3]) {
        let unknowns = &self.solver.unknowns;
        parallel::for_chunks_with(start, &mut self.matrix.tasks, |first, start, task| {
            let masses = &unknowns[first / CHUNK].masses;
            for (k, start) in start.iter_mut().enumerate() {
                let (group, at) = (k / LANES, k % LANES);
                let now = velocity[first + k];
                if masses[group].is_free.0[at] == 0.0 {
                    *start = now;
                }
                let impulse = (now - *start) * masses[group].mass.0[at];
                set_lane(&mut task.impulse[group], at, impulse.to_array());
            }
        });
    }

    /// Solves for the change of velocity from the start that forces there and the impulses cause in a
    /// substep.
    pub fn predict(&mut self, velocity: &[Vec3], input: AssemblyInput<'_>) {
        self.records.clear();
        let records = velocity.iter().map(|v| [v.x, v.y, v.z, 0.0]);
        self.records.extend(records);
        let input = AssemblyInput {
            velocity: &self.records,
            ..input
        };
        let instructions = self.solver.instructions;
        let (tasks, unknowns) = (&mut self.matrix.tasks, &mut self.solver.unknowns);
        parallel::for_items2(tasks, unknowns, |task, unknowns| {
            instructions.run(Assemble {
                task,
                unknowns,
                input,
            });
        });
        let steps = input.settings.cg_iterations;
        let until = steps.map_or(Until::Tolerance(input.settings.tolerance), Until::Steps);
        self.solver.prepare(&self.matrix, steps.is_none());
        self.steps = self.solver.solve(&mut self.matrix, until);
    }

    /// Improves the response to the impulses by a few steps, from the last one on.
    pub fn solve_response(&mut self) {
        self.solver.improve(
            &mut self.matrix,
            |matrix, chunk| &matrix.tasks[chunk].impulse,
            |_| Spatial::ZERO,
            Until::Steps(RESPONSE_STEPS),
        );
    }

    /// Brings the impulses of springs and membranes from those of the start of the substep to those that the
    /// changes of velocity since leave.
    ///
    /// * `start` — velocities at the start [m/s]
    pub fn find_spring_impulses(&mut self, start: &[Vec3]) {
        let (tasks, instructions) = (&self.matrix.tasks, self.solver.instructions);
        let field = self.solver.field_of(|number, changes| {
            for (k, start) in start[number * CHUNK..].iter().take(CHUNK).enumerate() {
                let (group, at) = (k / LANES, k % LANES);
                let reported = Vec3::from_array(lane(&tasks[number].reported[group], at));
                set_lane(&mut changes[group], at, (reported - *start).to_array());
            }
        });
        parallel::for_items(&mut self.matrix.tasks, |number, task| {
            instructions.run(SubtractSpringImpulses {
                task,
                number,
                field,
            });
        });
    }

    /// What a column has for a particle.
    pub fn at(&self, place: usize, column: impl Fn(&SpringTask) -> &Vec<VectorRow>) -> DVec3 {
        at(column(&self.matrix.tasks[place / CHUNK]), place)
    }

    /// The solution for a particle.
    pub fn solution(&self, place: usize) -> DVec3 {
        at(&self.solver.unknowns[place / CHUNK].solution, place)
    }

    /// Changes the solution for a particle.
    pub fn set_solution(&mut self, place: usize, value: DVec3) {
        let rows = &mut self.solver.unknowns[place / CHUNK].solution;
        set(rows, place, value);
    }

    /// Adds to the impulse that springs and membranes give a particle.
    pub fn add_inner_impulse(&mut self, place: usize, impulse: DVec3) {
        let rows = &mut self.matrix.tasks[place / CHUNK].inner_impulse;
        let sum = at(rows, place) + impulse;
        set(rows, place, sum);
    }
}

fn at(rows: &[VectorRow], place: usize) -> DVec3 {
    let row = &rows[place % CHUNK / LANES];
    DVec3::from_array(lane(row, place % LANES).map(f64::from))
}

fn set(rows: &mut [VectorRow], place: usize, value: DVec3) {
    let row = &mut rows[place % CHUNK / LANES];
    set_lane(row, place % LANES, value.to_array().map(|c| c as Real));
}
