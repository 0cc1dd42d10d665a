//! Densities that do not exceed those at rest: DFSPH (Bender and Koschier 2015), as Wang et al. 2023 keep the volume
//! of flesh and bodies of flesh apart.
//!
//!   delta_i = sum_j V_j W(x_j - x_i) <= delta0,   D delta_i/Dt <= 0 where delta_i >= delta0
//!
//! Neighbours are those that particles have now, of whichever body, so that bodies of one support radius are one
//! incompressible continuum where they touch. Unknowns are multipliers Q_i >= 0, pressures times the step: of the
//! divergence-free solver at the start of a substep, and of the constant-density solver with all that acts in it.
//! Both are iterated by Jacobi's method from what they were in the substep before.
//!
//! delta0 is the greatest density in the body at rest, that inside of its lattice: any other would put a body at
//! rest under pressure. At surfaces the density lacks what is beyond, and flesh may be pressed together by as much:
//! this is no measure of volume, as det F is (`volume`), but of room.
//!
//! The common contacts between bodies of the method stay. Pressure has no friction, and lets layers of two bodies
//! come as near as what they lack of neighbours allows; contacts keep them a spacing apart and have friction.
//!
//! Deviations from Bender and Koschier: densities are sums of volumes and not of masses, so that bodies of different
//! densities can touch (Solenthaler and Pajarola 2008); the multiplier is clamped and not its steps, so that what was
//! too much in the substep before is taken back; steps are halved; only particles as dense as at rest are kept
//! from getting denser by the velocities at the start, whatever the number of their neighbours, so that what has been
//! stretched can shrink back; density above that at rest is let go at a limited rate, as in `fluid`; the error is the
//! mean over the particles under pressure, which are few where bodies touch.

use pliant_math::simd::{Instructions, LANES};
use pliant_math::{DVec3, Real, to_double, to_real};

use super::SUPPORT;
use super::density_rows::{DensityRow, DensitySolver, FindImpulse, FindStep, Measure, TakeStep};
use super::density_search::{DensityGroup, SearchScratch, search};
use super::setup::MuscleBody;
use crate::parallel::{self, Scratches};
use crate::solvers::{TiedBodies, lane};

/// Share of the speed at which overlaps are pushed apart, a spacing, with which density above that at rest is let
/// go.
const RELEASED: f64 = 0.25;

/// The densities of all particles; scratch of the stepper.
#[derive(Debug, Default)]
pub struct Densities {
    groups: Vec<DensityGroup>,
    rows: Vec<DensityRow>,
    /// Rows of this substep.
    row_count: usize,
    scratches: Scratches<SearchScratch>,
    /// By place: volume [m3], and density of the body at rest.
    constants: Vec<[Real; 2]>,
    /// Slot of each place.
    slots: Vec<u32>,
    /// By slot: position in two parts [m], volume [m3], inverse mass [1/kg].
    points: Vec<[[Real; 8]; LANES]>,
    /// By slot: velocities [m/s], steps of multipliers, changes of velocity [m/s].
    velocity: Vec<[[Real; 4]; LANES]>,
    steps_taken: Vec<[[Real; 4]; LANES]>,
    changes: Vec<[[Real; 4]; LANES]>,
    /// By place: changes of velocity of tied particles [m/s].
    tied_changes: Vec<[Real; 4]>,
    /// Impulses of ties: by a step, and in the last solve [N s].
    shared: Vec<DVec3>,
    given: Vec<DVec3>,
    /// Iterations of the constant-density solver in this substep.
    pub steps: u32,
    /// Squared errors of this substep: before the first iteration, and now.
    residuals: [f64; 2],
}

/// The shape at the start of a substep.
#[derive(Clone, Copy)]
pub struct DensityInput<'a> {
    /// What to compute with.
    pub instructions: Instructions,
    /// Positions by place [m].
    pub position: &'a [DVec3],
    /// Inverse masses by place [1/kg].
    pub inverse_mass: &'a [Real],
    /// The step [s].
    pub dt: f64,
    /// Greatest speed at which overlaps are pushed apart [m/s].
    pub push_out_speed: f64,
}

/// When a solve ends.
#[derive(Clone, Copy)]
pub struct DensityUntil {
    /// After so many iterations.
    pub most: u32,
    /// When the mean error of the densities at the end of the step is as small.
    pub tolerance: f64,
}

impl Densities {
    /// Takes over the particles, by their ids in the order of places.
    pub fn build(&mut self, bodies: &[MuscleBody], ids: &[u32]) {
        self.groups.clear();
        self.constants.clear();
        self.constants.resize(ids.len(), [0.0, 1.0]);
        for body in bodies {
            let support_radius = body.flesh.shape.support_radius;
            let mut known = self.groups.iter();
            let known = known.position(|group| group.support_radius == support_radius);
            let number = known.unwrap_or_else(|| {
                self.groups.push(DensityGroup::new(support_radius));
                self.groups.len() - 1
            });
            let group = &mut self.groups[number];
            let rest = body.rest_density(&group.kernel);
            for (place, &id) in (0..).zip(ids) {
                if body.ids().contains(&id) {
                    let volume = body.volume[(id - body.first_id) as usize];
                    self.constants[place as usize] = [volume as Real, rest];
                    group.members.push(place);
                }
            }
        }
        self.slots = vec![0; ids.len()];
        self.tied_changes = vec![[0.0; 4]; ids.len()];
    }

    /// Finds neighbours and densities at the start of a substep.
    ///
    /// * `pressure` — of the substep before, by place: those of both solvers [Pa s]
    pub fn find(&mut self, input: DensityInput<'_>, pressure: impl Fn(usize) -> [Real; 2] + Sync) {
        (self.steps, self.residuals) = (0, [0.0; 2]);
        let mut count = 0;
        for (number, group) in (0..).zip(&mut self.groups) {
            count = group.sort(number, input.position, count, &mut self.rows);
        }
        self.row_count = count;
        for records in [&mut self.velocity, &mut self.steps_taken, &mut self.changes] {
            records.resize(count, [[0.0; 4]; LANES]);
        }
        self.points.resize(count, [[0.0; 8]; LANES]);
        let rows = &mut self.rows[..count];
        search(input.instructions, &self.groups, &self.scratches, rows);
        for (number, row) in rows.iter().enumerate() {
            for (lane, place) in row.filled() {
                self.slots[place] = (number * LANES + lane) as u32;
            }
        }
        self.load_points(input);
        let rows = &mut self.rows[..count];
        let (groups, constants, points) = (&self.groups, &self.constants, &self.points);
        parallel::for_items(rows, |_, row| {
            row.start(|place| (constants[place][1], pressure(place)));
            let group = &groups[row.source.group as usize];
            let spacing = group.support_radius / SUPPORT;
            input.instructions.run(Measure {
                points: points.as_flattened(),
                kernel: group.kernel,
                dt: input.dt as Real,
                greatest_rate: (RELEASED * input.push_out_speed / spacing) as Real,
                row,
            });
        });
    }

    /// Velocities without divergence where flesh is dense, with the pressure of the substep before.
    ///
    /// * `velocity` — by place [m/s]; the fourth component is left alone
    pub fn start(
        &mut self,
        instructions: Instructions,
        until: DensityUntil,
        velocity: &mut [[Real; 4]],
    ) {
        self.load_velocities(velocity);
        self.start_warm(instructions, DensitySolver::DivergenceFree);
        let none = (&TiedBodies::default(), &[] as &[Real]);
        self.solve(instructions, DensitySolver::DivergenceFree, until, none);
        self.start_warm(instructions, DensitySolver::ConstantDensity);
        self.store_velocities(velocity);
    }

    /// Velocities with which no density exceeds that at rest at the end of the substep.
    ///
    /// * `velocity` — by place [m/s]; the fourth component is left alone
    /// * `tied` — what moves with rigid bodies, as it does already; with the masses of all [kg]
    pub fn project(
        &mut self,
        instructions: Instructions,
        until: DensityUntil,
        velocity: &mut [[Real; 4]],
        tied: (&TiedBodies, &[Real]),
    ) {
        self.load_velocities(velocity);
        let is_first = self.steps == 0;
        let [first, taken, last] =
            self.solve(instructions, DensitySolver::ConstantDensity, until, tied);
        if is_first {
            self.residuals[0] = first;
        }
        self.residuals[1] = last;
        self.steps += taken as u32;
        self.store_velocities(velocity);
    }

    /// What ties have given particles in the last solve [N s], in the order of these.
    pub fn given_by_ties(&self) -> &[DVec3] {
        &self.given
    }

    /// Squared errors of the substep: what is left, and what there was.
    pub fn residual(&self) -> (f64, f64) {
        (self.residuals[1], self.residuals[0])
    }

    /// The multipliers of both solvers at a place [Pa s].
    pub fn pressure(&self, place: usize) -> [Real; 2] {
        let slot = self.slots[place] as usize;
        let pressure = &self.rows[slot / LANES].pressure;
        pressure.each_ref().map(|row| row.0[slot % LANES])
    }

    /// Impulses [N s] on particles in the substep: calls `add(place, impulse)`.
    pub fn add_impulses(
        &mut self,
        instructions: Instructions,
        mut add: impl FnMut(usize, [Real; 3]),
    ) {
        let rows = &self.rows[..self.row_count];
        for (row, steps) in rows.iter().zip(&mut self.steps_taken) {
            for (lane, step) in steps.iter_mut().enumerate() {
                step[0] = row.pressure[0].0[lane] + row.pressure[1].0[lane];
            }
        }
        for row in rows {
            let pressure = self.steps_taken.as_flattened();
            let impulse = instructions.run(FindImpulse { pressure, row });
            for (at, place) in row.filled() {
                add(place, lane(&impulse, at));
            }
        }
    }

    /// Iterates until the error is small; returns the squared errors before, the number of iterations, and the
    /// squared errors then.
    fn solve(
        &mut self,
        instructions: Instructions,
        solver: DensitySolver,
        until: DensityUntil,
        (tied, mass): (&TiedBodies, &[Real]),
    ) -> [f64; 3] {
        self.given.clear();
        self.given.resize(tied.particles().len(), DVec3::ZERO);
        let mut first = None;
        let mut taken = 0;
        loop {
            let [error, count, squared] = self.find_steps(instructions, solver);
            let first = *first.get_or_insert(squared);
            if error <= until.tolerance * count || taken == until.most {
                return [first, f64::from(taken), squared];
            }
            self.take_steps(instructions, solver);
            self.share((tied, mass));
            self.apply();
            taken += 1;
        }
    }

    /// The next steps of multipliers; sums of errors, of the particles that have one, and of squared errors.
    fn find_steps(&mut self, instructions: Instructions, solver: DensitySolver) -> [f64; 3] {
        let rows = &mut self.rows[..self.row_count];
        let velocity = self.velocity.as_flattened();
        parallel::for_items2(rows, &mut self.steps_taken, |row, steps| {
            instructions.run(FindStep {
                solver,
                velocity,
                row,
                steps,
            });
        });
        let add = |all: [f64; 3], row: &DensityRow| {
            let [error, count, squared] = row.sums;
            [all[0] + error, all[1] + count, all[2] + squared]
        };
        rows.iter().fold([0.0; 3], add)
    }

    /// Takes the steps, and finds what they change of velocities.
    fn take_steps(&mut self, instructions: Instructions, solver: DensitySolver) {
        let rows = &mut self.rows[..self.row_count];
        let steps = self.steps_taken.as_flattened();
        parallel::for_items2(rows, &mut self.changes, |row, changes| {
            instructions.run(TakeStep {
                solver,
                steps,
                row,
                changes,
            });
        });
    }

    /// Changes of velocities of tied particles become those of the bodies that they are tied to.
    fn share(&mut self, (tied, mass): (&TiedBodies, &[Real])) {
        if tied.is_empty() {
            return;
        }
        let changes = self.changes.as_flattened_mut();
        for member in tied.particles() {
            let place = member.place as usize;
            self.tied_changes[place] = changes[self.slots[place] as usize];
        }
        let mass_at = |place: usize| f64::from(mass[place]);
        tied.share(&mut self.tied_changes, mass_at, &mut self.shared);
        for member in tied.particles() {
            let place = member.place as usize;
            changes[self.slots[place] as usize] = self.tied_changes[place];
        }
        for (given, shared) in self.given.iter_mut().zip(&self.shared) {
            *given += *shared;
        }
    }

    /// Gives velocities the impulses of the multipliers as they stand.
    fn start_warm(&mut self, instructions: Instructions, solver: DensitySolver) {
        let rows = &mut self.rows[..self.row_count];
        parallel::for_items2(rows, &mut self.steps_taken, |row, steps| {
            row.start_warm(solver, steps);
        });
        self.take_steps(instructions, solver);
        self.apply();
    }

    fn apply(&mut self) {
        parallel::for_items2(
            &mut self.velocity,
            &mut self.changes,
            |velocity, changes| {
                for (v, change) in velocity.iter_mut().zip(changes) {
                    for axis in 0..3 {
                        v[axis] += change[axis];
                    }
                }
            },
        );
    }

    fn load_points(&mut self, input: DensityInput<'_>) {
        let origin = input.position.first().copied().unwrap_or_default();
        let (rows, constants) = (&self.rows, &self.constants);
        parallel::for_items(&mut self.points, |number, points| {
            *points = [[0.0; 8]; LANES];
            for (lane, place) in rows[number].filled() {
                let x = input.position[place] - origin;
                let near = to_real(x);
                let rest = to_real(x - to_double(near));
                let (volume, w) = (constants[place][0], input.inverse_mass[place]);
                points[lane] = [near.x, near.y, near.z, volume, rest.x, rest.y, rest.z, w];
            }
        });
    }

    fn load_velocities(&mut self, by_place: &[[Real; 4]]) {
        let rows = &self.rows;
        parallel::for_items(&mut self.velocity, |number, velocity| {
            *velocity = [[0.0; 4]; LANES];
            for (lane, place) in rows[number].filled() {
                velocity[lane] = by_place[place];
            }
        });
    }

    fn store_velocities(&self, by_place: &mut [[Real; 4]]) {
        let (slots, velocity) = (&self.slots, self.velocity.as_flattened());
        parallel::for_chunks(by_place, |first, records| {
            for (record, &slot) in records.iter_mut().zip(&slots[first..]) {
                *record = velocity[slot as usize];
            }
        });
    }
}
