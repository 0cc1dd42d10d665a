//! Flesh and muscle (`muscle`): total-Lagrangian corrected SPH with anisotropic hyperelasticity (Wang et al. 2023).
//!
//! Each particle has an energy, of an isotropic law and of the fibres of a muscle, that depends on the deformation
//! gradient from its neighbours at rest, corrected so that affine maps are exact (`crate::rest`). Forces are the
//! gradient of that energy, and det F is kept.
//!
//! | subject | file |
//! | --- | --- |
//! | bodies at rest, muscles in them | `flesh`, `body`, `setup` |
//! | how fibres run | `fiber_field` |
//! | activation: by schedule, waves, functions of time, from outside | `activation`, `drive` |
//! | particles sixteen at a time, their neighbours and fibres | `rows` |
//! | stress of laws and fibres, how it changes | `respond` |
//! | deformation and forces | `force` |
//! | implicit step: matrix, system, momenta given back | `matrix`, `implicit`, `momentum`, `held` |
//! | what keeps the volume | `incompressible` |
//! | volume by det F | `volume`, `volume_rows` |
//! | densities, which keep bodies apart too | `density`, `density_rows`, `density_search` |
//! | work of activation | `work` |
//! | what contacts see: surfaces, directions | `surface` |
//! | how long a step may be, and which integration costs less | `longest_step` |
//! | deformation, stress, energy of particles; what muscles do | `readings` |
//!
//! Reads and writes: velocities, in `predict`, in `project` for the volume, and in `respond` as the response to
//! impulses of others.
//! Invariants: momentum to rounding; angular momentum to rounding of explicit steps and, by giving it back, of
//! implicit ones.
//! Deviations: zero-energy modes are resisted with the weights of the gradient; the volume is by default that of det F
//! and not of a density (Wang et al. 2023, sec. 3), and solved for by conjugate gradients. Where it is that of the
//! density, the common contacts between bodies of the method stay beside its pressure, for their friction.

mod activation;
mod body;
mod columns;
mod density;
mod density_rows;
mod density_search;
mod drive;
mod fiber_field;
mod flesh;
mod force;
mod held;
mod implicit;
mod incompressible;
mod kind;
mod longest_step;
mod matrix;
mod method;
mod momentum;
mod readings;
mod respond;
mod rows;
mod settings;
mod setup;
mod surface;
mod volume;
mod volume_rows;
mod work;

pub use activation::{Activation, ActivationState, TravelingWave};
pub use body::{SUPPORT, body, flesh};
pub use columns::MuscleColumns;
pub use fiber_field::{Curve, FiberPoint, Helix, as_given, potential, straight};
pub use flesh::{Fiber, Flesh, Muscle};
pub use longest_step::{StepChoice, step_choice};
pub use readings::{FiberReading, FleshReading, read, read_muscles};
pub use settings::{Incompressibility, Integration, MuscleSettings};
pub use setup::{MuscleBody, MuscleSetup};

use std::ops::Range;

use pliant_math::simd::{Instructions, LANES, Row};
use pliant_math::{DVec3, Real, Vec3, to_double, to_real};

use self::density::Densities;
use self::force::{ForceInput, MatrixField, RowState, find_forces};
use self::held::HeldBody;
use self::implicit::{ImplicitStep, SystemInput};
use self::rows::MuscleRows;
use self::volume::Volumes;
use self::work::activation_work;
use crate::attachments::Ties;
use crate::contacts::Surfels;
use crate::method::Substep;
use crate::parallel;
use crate::particles::{IdMap, Particles};
use crate::rest::SurfaceParticles;

/// The method, as bodies name it.
pub const MUSCLE: &dyn crate::world::MethodKind = &kind::Kind;

/// The method for all its bodies; scratch of the stepper.
#[derive(Debug)]
pub struct MuscleMethod {
    setup: MuscleSetup,
    instructions: Instructions,
    /// Number of each particle among those of all bodies, and its place in space among them, by id.
    numbers: Vec<u32>,
    ranks: Vec<u32>,
    /// Places of its particles in the last substep.
    range: Range<usize>,
    /// The ids and inverse masses that all this was built for.
    built_for: (Vec<u32>, Vec<Real>),
    places: IdMap,
    rows: MuscleRows,
    states: Vec<RowState>,
    matrices: MatrixField,
    volumes: Volumes,
    densities: Densities,
    implicit: ImplicitStep,
    /// Whether this substep is implicit.
    is_implicit: bool,
    /// Positions at the start [m], whole and in two parts.
    position: Vec<DVec3>,
    start: Vec<[Real; 8]>,
    /// Velocities and inverse masses.
    records: Vec<[Real; 4]>,
    /// Velocities that keep the volume, as others found them last.
    kept: Vec<Vec3>,
    /// Pressure of the substep before on the volume of particles, p V [N m], by rows.
    pressure: Vec<Row>,
    /// Bodies that nothing holds, by the places of their particles.
    free: Vec<Range<usize>>,
    surface: SurfaceParticles,
    surfels: Surfels,
    has_surfels: bool,
    /// Activation of all muscles in the substep before.
    before: Vec<ActivationState>,
    /// Work of muscles in this substep [J].
    work: f64,
    /// Its length [s].
    dt: f64,
}

impl MuscleMethod {
    /// Scratch for worlds of a setup.
    pub fn new(setup: MuscleSetup) -> Self {
        let (numbers, ranks) = setup.numbers_and_ranks();
        Self {
            places: setup.places(),
            setup,
            instructions: Instructions::best(),
            numbers,
            ranks,
            range: 0..0,
            built_for: Default::default(),
            rows: MuscleRows::default(),
            states: Vec::new(),
            matrices: MatrixField::default(),
            volumes: Volumes::default(),
            densities: Densities::default(),
            implicit: ImplicitStep::default(),
            is_implicit: false,
            position: Vec::new(),
            start: Vec::new(),
            records: Vec::new(),
            kept: Vec::new(),
            pressure: Vec::new(),
            free: Vec::new(),
            surface: SurfaceParticles::default(),
            surfels: Surfels::default(),
            has_surfels: false,
            before: Vec::new(),
            work: 0.0,
            dt: 0.0,
        }
    }

    /// Steps of conjugate gradients in the last substep for the implicit system, and iterations for the volume.
    pub fn solver_steps(&self) -> [u32; 2] {
        let of_system = if self.is_implicit {
            self.implicit.steps
        } else {
            0
        };
        [of_system, self.volume_steps()]
    }

    /// Whether the last substep was implicit.
    pub fn is_implicit(&self) -> bool {
        self.is_implicit
    }

    /// Adds the places of its particles in an order that stays the same while they are there.
    fn sort(&mut self, particles: &Particles, order: &mut Vec<u32>) {
        let rank = |i: u32| {
            let id = particles.id[i as usize] as usize;
            self.ranks.get(id).copied().unwrap_or(u32::MAX)
        };
        let setup = &self.setup;
        self.range = particles.claim(order, |body| setup.body(body).is_some());
        let own = &mut order[self.range.clone()];
        if !own.is_sorted_by_key(|&i| rank(i)) {
            own.sort_unstable_by_key(|&i| rank(i));
        }
    }

    /// Takes over the shape at the start of a substep, and how muscles are activated in it. Where particles have
    /// left, or others are held, what depends on it is built anew.
    fn find(&mut self, particles: &Particles, columns: &mut MuscleColumns, step: Substep) {
        self.work = 0.0;
        self.is_implicit = self.setup.is_implicit(step.dt);
        let range = self.range.clone();
        let (ids, inverse_mass) = (
            &particles.id[range.clone()],
            &particles.inverse_mass[range.clone()],
        );
        if self.built_for.0 != ids {
            self.build(particles);
        } else if self.built_for.1 != inverse_mass {
            self.hold(particles);
        }
        if range.is_empty() {
            return;
        }
        self.position.clear();
        self.position
            .extend_from_slice(&particles.position[range.clone()]);
        split_positions(&self.position, &mut self.start);
        let activation = columns.activation_at(&self.setup, step.time);
        self.before = std::mem::replace(&mut columns.activation, activation);
        self.rows.activate(&self.before);
        if columns.activation != self.before {
            self.rows.activate_next(&columns.activation);
        }
        self.find_pressures(particles, columns, step);
        if self.is_implicit {
            let mass = &particles.mass[range.clone()];
            let velocity = &particles.velocity[range];
            let shape = (self.position.as_slice(), mass);
            self.implicit.start(velocity, shape, &self.free);
        }
    }

    /// Velocities that stress leads to in a substep of `dt` [s] if nothing else acts.
    fn predict(&mut self, particles: &mut Particles, mut ties: Ties<'_>, dt: f64) {
        let range = self.range.clone();
        if range.is_empty() {
            return;
        }
        let is_viscous = self.setup.settings.retardation_time > 0.0 && !self.is_implicit;
        if is_viscous {
            self.load_velocities(particles);
        }
        let is_pressed = self.is_pressed();
        let input = ForceInput {
            instructions: self.instructions,
            rows: &self.rows,
            start: &self.start,
            velocity: is_viscous.then_some(self.records.as_slice()),
            pressure: if is_pressed { &self.pressure } else { &[] },
            needs_tangents: self.is_implicit,
        };
        find_forces(input, &mut self.states, &mut self.matrices);
        self.work = activation_work(self.instructions, &self.rows, &self.states);
        self.start_volumes(dt);
        self.press(particles, dt);
        let velocity = &mut particles.velocity[range.clone()];
        if self.is_implicit {
            let tolerance = self.setup.settings.tolerance;
            let input = SystemInput {
                rows: &self.rows,
                states: &self.states,
                matrices: &mut self.matrices,
                position: &self.position,
                mass: &particles.mass[range.clone()],
                range,
                dt,
                is_pressed,
            };
            self.implicit.predict(velocity, tolerance, input, &mut ties);
        } else {
            let mass = &particles.mass[range.clone()];
            let places = range.clone();
            self.implicit
                .solver
                .tie(|tied| ties.add_to(tied, places, velocity, mass));
            self.kick(velocity, &particles.inverse_mass[range], dt);
        }
    }

    /// Symplectic Euler: v += dt f / m.
    fn kick(&self, velocity: &mut [Vec3], inverse_mass: &[Real], dt: f64) {
        let (states, dt) = (&self.states, dt as Real);
        parallel::for_chunks(velocity, |first, velocity| {
            for (k, v) in velocity.iter_mut().enumerate() {
                let place = first + k;
                *v += force_at(states, place) * (dt * inverse_mass[place]);
            }
        });
    }

    /// The response to the impulses that others have given since the last call.
    fn respond(&mut self, particles: &mut Particles, mut ties: Ties<'_>, dt: f64) {
        let (range, is_pressed) = (self.range.clone(), self.is_pressed());
        let input = SystemInput {
            rows: &self.rows,
            states: &self.states,
            matrices: &mut self.matrices,
            position: &self.position,
            mass: &particles.mass[range.clone()],
            range: range.clone(),
            dt,
            is_pressed,
        };
        let velocity = &mut particles.velocity[range];
        self.implicit.respond(velocity, input, &mut ties);
    }

    /// Adds the impulses [N s] of stress and pressure in the last substep.
    fn add_impulses(&mut self, particles: &Particles, dt: f64, on_particle: &mut [DVec3]) {
        if self.range.is_empty() {
            return;
        }
        let own = &mut on_particle[self.range.clone()];
        let is_pressed = self.is_pressed();
        if self.is_implicit {
            let input = SystemInput {
                rows: &self.rows,
                states: &self.states,
                matrices: &mut self.matrices,
                position: &self.position,
                mass: &particles.mass[self.range.clone()],
                range: self.range.clone(),
                dt,
                is_pressed,
            };
            self.implicit.add_impulses(input, own);
        } else {
            for (place, sum) in own.iter_mut().enumerate() {
                *sum += to_double(force_at(&self.states, place)) * dt;
            }
        }
        self.add_pressure_impulses(on_particle, dt);
    }

    fn build(&mut self, particles: &Particles) {
        let range = self.range.clone();
        let ids = &particles.id[range.clone()];
        self.places.update(ids);
        self.rows = MuscleRows::new(&self.setup.bodies, &self.places, &particles.mass[range]);
        let rows = self.rows.rows.len();
        self.states = vec![RowState::default(); rows];
        self.matrices = MatrixField::new(rows);
        self.build_volumes(particles);
        self.built_for.0 = ids.to_vec();
        self.find_surface_particles(ids.len());
        self.has_surfels = false;
        self.hold(particles);
    }

    /// Takes over which particles are held.
    fn hold(&mut self, particles: &Particles) {
        let range = self.range.clone();
        let inverse_mass = &particles.inverse_mass[range.clone()];
        self.rows.set_mobility(inverse_mass);
        let mass = &particles.mass[range.clone()];
        let rows = self.rows.rows.len();
        self.implicit.build(mass, inverse_mass, rows);
        let bodies = particles.body[range].chunk_by(|a, b| a == b);
        let mut first = 0;
        self.free.clear();
        self.implicit.held.clear();
        for body in bodies {
            let places = first..first + body.len();
            first = places.end;
            if inverse_mass[places.clone()].iter().all(|&w| w > 0.0) {
                self.free.push(places);
            } else {
                let held = HeldBody::new(places, &self.rows, inverse_mass);
                self.implicit.held.extend(held);
            }
        }
        self.built_for.1 = inverse_mass.to_vec();
    }
}

fn force_at(states: &[RowState], place: usize) -> Vec3 {
    let row = &states[place / LANES].force;
    Vec3::from_array(crate::solvers::lane(row, place % LANES))
}

/// Splits positions [m] into two numbers each.
fn split_positions(position: &[DVec3], start: &mut Vec<[Real; 8]>) {
    let origin = position.first().copied().unwrap_or_default();
    start.resize(position.len(), [0.0; 8]);
    parallel::for_chunks(start, |first, start| {
        for (record, &x) in start.iter_mut().zip(&position[first..]) {
            let x = x - origin;
            let near = to_real(x);
            let rest = to_real(x - to_double(near));
            *record = [near.x, near.y, near.z, 0.0, rest.x, rest.y, rest.z, 0.0];
        }
    });
}
