//! The implicit step: (M + dt^2 K) y = dt f - dt^2 K v + J, with changes of velocity y and impulses J of others.

use std::ops::Range;

use pliant_math::simd::{LANES, Row};
use pliant_math::{DVec3, Real, Spatial, Vec3, to_double, to_real};

use super::force::{MatrixField, RowState};
use super::held::HeldBody;
use super::matrix::{ImpulsesOnHeld, StartRows, StiffnessMatrix};
use super::momentum::FreeBody;
use super::rows::MuscleRows;
use crate::attachments::Ties;
use crate::parallel::{self, CHUNK};
use crate::solvers::{NeighborRun, Solver, Stiffness, Until, VectorRow, lane, set_lane};

/// Steps of a solve for the response to impulses of others. With two a creature walks twice as far in steps of 4 ms as
/// in shorter ones, with six it does not.
const RESPONSE_STEPS: u32 = 6;

/// The system of all bodies; scratch of the stepper.
#[derive(Debug, Default)]
pub struct ImplicitStep {
    /// The unknown changes of velocity.
    pub solver: Solver,
    /// Steps that the last solve before contacts took.
    pub steps: u32,
    /// Scratch of products.
    rough: Vec<VectorRow>,
    /// Impulses of others [N s].
    impulse: Vec<VectorRow>,
    /// Velocities at the start [m/s]; of what is held, those in the substep.
    start: Vec<Vec3>,
    /// What the system came to before contacts [m/s].
    predicted: Vec<Vec3>,
    /// What keeping the volume has added [m/s].
    added: Vec<Vec3>,
    /// Impulses of stress at the end of a substep [N s].
    of_stress: Vec<DVec3>,
    /// Velocities as others found them last [m/s].
    reported: Vec<Vec3>,
    /// Motions of the rigid bodies that particles are tied to: what the system came to before contacts, with what
    /// keeping the volume has added; and as others found them last.
    predicted_bodies: Vec<Spatial>,
    reported_bodies: Vec<Spatial>,
    /// What others have changed of the former.
    changed_bodies: Vec<Spatial>,
    /// Bodies that nothing holds.
    free: Vec<FreeBody>,
    /// Bodies that are held somewhere.
    pub held: Vec<HeldBody>,
    has_impulses: bool,
}

/// What the system is made of.
pub struct SystemInput<'a> {
    /// The particles.
    pub rows: &'a MuscleRows,
    /// Forces and tangents.
    pub states: &'a [RowState],
    /// Scratch of products.
    pub matrices: &'a mut MatrixField,
    /// Positions at the start [m].
    pub position: &'a [DVec3],
    /// Masses [kg].
    pub mass: &'a [Real],
    /// Places among the particles of all methods.
    pub range: Range<usize>,
    /// The step [s].
    pub dt: f64,
    /// Whether a pressure keeps the volume.
    pub is_pressed: bool,
}

impl<'a> SystemInput<'a> {
    fn matrix(self, rough: &'a mut [VectorRow], impulse: &'a [VectorRow]) -> StiffnessMatrix<'a> {
        StiffnessMatrix {
            rows: self.rows,
            states: self.states,
            matrices: self.matrices,
            rough,
            impulse,
            squared_step: (self.dt * self.dt) as Real,
            inverse_step: (1.0 / self.dt) as Real,
            is_pressed: self.is_pressed,
        }
    }
}

impl ImplicitStep {
    /// For particles of some masses [kg], 1/mass being 0 for what is held, in so many rows.
    pub fn build(&mut self, mass: &[Real], inverse_mass: &[Real], rows: usize) {
        let runs = std::iter::once(NeighborRun::Scattered);
        self.solver.build((mass, inverse_mass), &[], runs);
        self.rough = vec![[Row::ZERO; 3]; rows];
        self.impulse = vec![[Row::ZERO; 3]; rows];
    }

    /// Takes note of velocities at the start [m/s], and of the bodies that nothing holds, by the places of their
    /// particles.
    pub fn start(
        &mut self,
        velocity: &[Vec3],
        (position, mass): (&[DVec3], &[Real]),
        free: &[Range<usize>],
    ) {
        self.start.clear();
        self.start.extend_from_slice(velocity);
        self.added.clear();
        self.added.resize(velocity.len(), Vec3::ZERO);
        let of_body = |body: &Range<usize>| FreeBody::new(body.clone(), position, mass);
        self.free.clear();
        self.free.extend(free.iter().map(of_body));
    }

    /// Solves for the velocities of a substep.
    ///
    /// * `velocity` — with what has accelerated particles since the start
    /// * `tolerance` — residual over right side at which the solve ends
    pub fn predict(
        &mut self,
        velocity: &mut [Vec3],
        tolerance: f64,
        input: SystemInput<'_>,
        ties: &mut Ties<'_>,
    ) {
        let (position, mass, dt) = (input.position, input.mass, input.dt as Real);
        self.set_impulses(velocity);
        let (places, start) = (input.range.clone(), &self.start);
        self.solver
            .tie(|tied| ties.add_to(tied, places, start, mass));
        let instructions = self.solver.instructions;
        let start = &self.start;
        let mut matrix = input.matrix(&mut self.rough, &self.impulse);
        let field = self.solver.field_of(|chunk, rows| fill(start, chunk, rows));
        matrix.prepare(field, instructions);
        parallel::for_items(&mut self.solver.unknowns, |chunk, unknowns| {
            instructions.run(StartRows {
                matrix: &matrix,
                chunk,
                unknowns,
                dt,
            });
        });
        self.solver.prepare(&matrix, false);
        self.solver.start_tied(&mut matrix);
        self.steps = self.solver.solve(&mut matrix, Until::Tolerance(tolerance));
        self.has_impulses = true;
        self.give(ties);
        self.restore(position, mass);
        self.predicted.resize(velocity.len(), Vec3::ZERO);
        for (place, v) in velocity.iter_mut().enumerate() {
            *v = self.start[place] + to_real(self.solution(place));
            self.predicted[place] = *v;
        }
        self.reported.clear();
        self.reported.extend_from_slice(velocity);
        self.report_bodies(ties);
        self.predicted_bodies.clone_from(&self.reported_bodies);
        for body in &mut self.held {
            let members = body.members.clone();
            let of = |place: usize| vector(&self.impulse[place / LANES], place);
            body.outer = members.map(of).sum();
        }
        self.impulse.fill([Row::ZERO; 3]);
        self.has_impulses = false;
        self.solver.clear_solution();
    }

    /// Adds the response to the impulses that others have given since the last call.
    pub fn respond(&mut self, velocity: &mut [Vec3], input: SystemInput<'_>, ties: &mut Ties<'_>) {
        self.take_impulses(velocity);
        self.has_impulses |= self.are_bodies_changed(ties);
        if !self.has_impulses {
            return;
        }
        let (position, mass) = (input.position, input.mass);
        let mut matrix = input.matrix(&mut self.rough, &self.impulse);
        self.changed_bodies.clear();
        for (predicted, (tied, _)) in self.predicted_bodies.iter().zip(self.solver.tied().iter()) {
            self.changed_bodies
                .push(ties.motion(tied.body) - *predicted);
        }
        let changed = &self.changed_bodies;
        self.solver.improve(
            &mut matrix,
            |matrix, chunk| matrix.impulses_of(chunk),
            |number| changed[number],
            Until::Steps(RESPONSE_STEPS),
        );
        self.give(ties);
        self.report_bodies(ties);
        self.restore(position, mass);
        for (place, v) in velocity.iter_mut().enumerate() {
            let response = to_real(self.solution(place));
            *v = self.predicted[place] + response + self.added[place];
            self.reported[place] = *v;
        }
    }

    /// Has ties give what is left of their particles' equations.
    fn give(&mut self, ties: &mut Ties<'_>) {
        for member in self.solver.tied().particles() {
            let given = -member.residual;
            ties.give(member.tie, given);
            let place = member.place as usize;
            let row = &mut self.impulse[place / LANES];
            let sum = vector(row, place) + given;
            set_lane(row, place % LANES, to_real(sum).to_array());
        }
    }

    /// Whether others have changed motions of rigid bodies since they were reported.
    fn are_bodies_changed(&self, ties: &Ties<'_>) -> bool {
        let mut bodies = self.reported_bodies.iter().zip(self.solver.tied().iter());
        bodies.any(|(motion, (tied, _))| *motion != ties.motion(tied.body))
    }

    fn report_bodies(&mut self, ties: &Ties<'_>) {
        let motions = self.solver.tied().iter();
        self.reported_bodies.clear();
        self.reported_bodies
            .extend(motions.map(|(tied, _)| ties.motion(tied.body)));
    }

    /// Has ties give impulses [N s] that are to stay as they are, in the order of the tied particles, whose
    /// velocities have them already.
    pub fn add_to_bodies(&mut self, given: &[DVec3], ties: &mut Ties<'_>) {
        let tied = self.solver.tied();
        self.changed_bodies.clear();
        self.changed_bodies
            .extend(tied.iter().map(|(tied, _)| ties.motion(tied.body)));
        for (member, &impulse) in tied.particles().iter().zip(given) {
            ties.give(member.tie, impulse);
        }
        let motions = [&mut self.predicted_bodies, &mut self.reported_bodies];
        for motion in motions {
            let changes = self.changed_bodies.iter().zip(tied.iter());
            for (motion, (before, (tied, _))) in motion.iter_mut().zip(changes) {
                *motion += ties.motion(tied.body) - *before;
            }
        }
    }

    /// Takes note of changes of velocity that are to stay as they are.
    pub fn add(&mut self, place: usize, change: Vec3) {
        self.added[place] += change;
        self.reported[place] += change;
    }

    /// Adds the impulses [N s] of stress in the substep, at its end.
    ///
    /// * `on_particle` — of its particles, in their order
    pub fn add_impulses(&mut self, input: SystemInput<'_>, on_particle: &mut [DVec3]) {
        let (instructions, dt) = (self.solver.instructions, input.dt as Real);
        let (reported, added, mass) = (&self.reported, &self.added, input.mass);
        let mut matrix = input.matrix(&mut self.rough, &self.impulse);
        let field = self.solver.field_of(|chunk, rows| {
            let first = chunk * CHUNK;
            for (k, v) in reported[first..].iter().take(CHUNK).enumerate() {
                let elastic = *v - added[first + k];
                set_lane(&mut rows[k / LANES], k % LANES, elastic.to_array());
            }
        });
        matrix.prepare(field, instructions);
        self.of_stress.resize(on_particle.len(), DVec3::ZERO);
        for (number, sums) in self.of_stress.chunks_mut(LANES).enumerate() {
            let impulse = instructions.run(ImpulsesOnHeld {
                matrix: &matrix,
                number,
                dt,
            });
            for (at, sum) in sums.iter_mut().enumerate() {
                *sum = DVec3::from_array(lane(&impulse, at).map(f64::from));
            }
        }
        for body in &self.held {
            let gained = |place: usize| {
                let masses = &self.solver.unknowns[place / CHUNK].masses[place % CHUNK / LANES];
                if masses.inverse_mass.0[place % LANES] == 0.0 {
                    return DVec3::ZERO;
                }
                let change = to_double(reported[place] - added[place] - self.start[place]);
                let given = vector(&self.impulse[place / LANES], place);
                change * f64::from(mass[place]) - given
            };
            body.close(gained, &mut self.of_stress);
        }
        for (sum, impulse) in on_particle.iter_mut().zip(&self.of_stress) {
            *sum += *impulse;
        }
    }

    /// Takes what has changed velocities since the start for impulses on what is free, and what is held for having
    /// had its velocity from the start.
    fn set_impulses(&mut self, velocity: &[Vec3]) {
        for (place, &now) in velocity.iter().enumerate() {
            let masses = &self.solver.unknowns[place / CHUNK].masses[place % CHUNK / LANES];
            let at = place % LANES;
            if masses.inverse_mass.0[at] == 0.0 {
                self.start[place] = now;
            }
            let impulse = (now - self.start[place]) * masses.mass.0[at];
            set_lane(&mut self.impulse[place / LANES], at, impulse.to_array());
        }
    }

    /// Adds what others have done to velocities to the impulses.
    fn take_impulses(&mut self, velocity: &[Vec3]) {
        for (place, &now) in velocity.iter().enumerate() {
            let change = now - self.reported[place];
            if change == Vec3::ZERO {
                continue;
            }
            let masses = &self.solver.unknowns[place / CHUNK].masses[place % CHUNK / LANES];
            let at = place % LANES;
            if masses.inverse_mass.0[at] == 0.0 {
                continue;
            }
            let mass = masses.mass.0[at];
            let row = &mut self.impulse[place / LANES];
            let sum = Vec3::from_array(lane(row, at)) + change * mass;
            set_lane(row, at, sum.to_array());
            self.has_impulses = true;
        }
    }

    /// Gives bodies that nothing holds their momenta back.
    fn restore(&mut self, position: &[DVec3], mass: &[Real]) {
        let (unknowns, impulse) = (&mut self.solver.unknowns, &self.impulse);
        for body in &self.free {
            let missing = |place: usize| {
                let given = vector(&impulse[place / LANES], place);
                let solution = &unknowns[place / CHUNK].solution[place % CHUNK / LANES];
                given - vector(solution, place) * f64::from(mass[place])
            };
            let motion = body.missing_motion(position, missing);
            for place in body.members.clone() {
                let row = &mut unknowns[place / CHUNK].solution[place % CHUNK / LANES];
                let restored = vector(row, place) + motion.at(position[place]);
                set_lane(row, place % LANES, to_real(restored).to_array());
            }
        }
    }

    fn solution(&self, place: usize) -> DVec3 {
        let rows = &self.solver.unknowns[place / CHUNK].solution;
        vector(&rows[place % CHUNK / LANES], place)
    }
}

/// Writes velocities of a chunk into rows.
fn fill(velocity: &[Vec3], chunk: usize, rows: &mut [VectorRow]) {
    for (k, v) in velocity[chunk * CHUNK..].iter().take(CHUNK).enumerate() {
        set_lane(&mut rows[k / LANES], k % LANES, v.to_array());
    }
}

/// The vector of a particle in its row.
fn vector(row: &VectorRow, place: usize) -> DVec3 {
    let v = Vec3::from_array(lane(row, place % LANES));
    to_double(v)
}
