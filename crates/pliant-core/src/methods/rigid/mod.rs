//! Rigid bodies.
//!
//! Each is a particle at its centre of mass, with its mass, and a collider that goes with it: gravity,
//! forces, loads and probes use the particle, contacts the collider. Impulses change
//! both sides in the iterations that all contacts share (`crate::contacts`: particles in `rigid`, other
//! rigid bodies and colliders in `rigid_pairs`). An engine from outside the core searches where solid
//! shapes meet, and moves the bodies under their joints when the velocities are known.

mod columns;
mod kind;
mod resistance;
mod setup;
mod work;

pub use columns::RigidColumns;
pub use setup::{RigidBody, RigidSetup, RigidShape};

use pliant_math::{DMat3, DQuat, DVec3, to_double, to_real};

use crate::attachments::RigidPulls;
use crate::boundaries::{Collider, ColliderStep, RigidStep, turned};
use crate::contacts::{
    Fall, Grain, PairStep, RigidContacts, RigidEngine, RigidMeeting, RigidPairs,
};
use crate::method::MethodStates;
use crate::particles::Particles;

use self::work::{JointImpulse, record, work_of};

/// The method, as bodies name it.
pub const RIGID: &dyn crate::world::MethodKind = &kind::Kind;

/// A body that has not moved for so long [s] sleeps until something moves it.
const SLEEP_TIME: f64 = 0.5;
/// It counts as at rest while its speed is less than this share of what gravity adds in a substep.
const SLEEP_SPEED: f64 = 0.5;

/// A change of velocity by less than this share of it is rounding.
const ROUNDING: f64 = 1e-12;

/// What decides whether bodies fall asleep.
#[derive(Clone, Copy, Debug)]
pub struct SleepInput<'a> {
    /// Size of the acceleration of free fall [m/s2].
    pub gravity: f64,
    /// Greatest speed at which overlaps are undone [m/s].
    pub push_out_speed: f64,
    /// The contacts of particles with bodies: what particles press on stays awake.
    pub touches: &'a RigidContacts,
    /// The springs that pull at bodies: they too keep awake.
    pub pulls: &'a RigidPulls,
}

/// The method for all its bodies; scratch of the stepper.
#[derive(Debug)]
pub struct Rigid {
    setup: RigidSetup,
    engine: Option<Box<dyn RigidEngine>>,
    /// The bodies in this substep.
    pub steps: Vec<RigidStep>,
    /// Where the friction of each is another along an axis, as that points at the start.
    pub grains: Vec<Option<Grain>>,
    /// Place of each body's particle.
    places: Vec<Option<u32>>,
    meetings: Vec<RigidMeeting>,
    /// Pseudo-velocities that correct positions where they overlap.
    position_correction: Vec<RigidStep>,
    /// The bodies at the end.
    ends: Vec<RigidStep>,
    /// Bodies that a joint, a spring, a particle or a moving collider may move, which therefore do not sleep.
    is_kept_awake: Vec<bool>,
    /// How the bodies move if nothing touches them, and whether nothing but impacts does.
    falls: Vec<Fall>,
    is_falling: Vec<bool>,
    kicks: Vec<DVec3>,
    /// What impacts have changed their velocities by [m/s].
    impacts: Vec<DVec3>,
    /// Velocities and spins when joints last held them.
    held: Vec<(DVec3, DVec3)>,
    /// Contacts of the bodies with each other and with colliders.
    pub pairs: RigidPairs,
    /// What driven joints have given bodies in this substep.
    by_joints: Vec<JointImpulse>,
    /// Work of driven joints in this substep [J].
    motor_work: f64,
}

impl Rigid {
    /// For the bodies of a setup.
    pub fn new(setup: RigidSetup) -> Self {
        Self {
            engine: setup.engine.as_ref().map(|source| source.engine()),
            steps: Vec::new(),
            grains: Vec::new(),
            places: vec![None; setup.bodies.len()],
            meetings: Vec::new(),
            position_correction: Vec::new(),
            ends: Vec::new(),
            is_kept_awake: Vec::new(),
            falls: Vec::new(),
            is_falling: Vec::new(),
            kicks: Vec::new(),
            impacts: Vec::new(),
            held: Vec::new(),
            pairs: RigidPairs::default(),
            by_joints: Vec::new(),
            motor_work: 0.0,
            setup,
        }
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.setup.bodies.is_empty()
    }

    /// Number of rigid bodies that have not left the world.
    pub fn present_count(&self) -> usize {
        self.places.iter().flatten().count()
    }

    /// Where the bodies are at the start of a substep, and their colliders as they will move if gravity
    /// [m/s2] alone acts on them.
    pub fn start(
        &mut self,
        particles: &Particles,
        states: &MethodStates,
        gravity: DVec3,
        dt: f64,
        colliders: &mut Vec<ColliderStep>,
    ) {
        self.motor_work = 0.0;
        self.by_joints.clear();
        self.by_joints
            .resize(self.setup.bodies.len(), [DVec3::ZERO; 2]);
        self.find_places(particles);
        self.steps.clear();
        self.grains.clear();
        self.falls.clear();
        let Some(columns) = states.find::<RigidColumns>() else {
            return;
        };
        for (number, body) in self.setup.bodies.iter().enumerate() {
            let mut step = match self.places[number] {
                Some(place) => {
                    let rotation = columns.rotation[number];
                    step(body, place as usize, particles, rotation)
                }
                None => gone(),
            };
            step.spin = columns.spin[number];
            self.falls.push(Fall {
                velocity: step.velocity,
                end: step.velocity,
            });
            if step.inverse_mass > 0.0 {
                step.velocity += gravity * dt;
            }
            self.steps.push(step);
            self.grains.push(body.grain_turned(step.rotation));
            colliders.push(step.collider_step(body.shape.center, dt));
        }
    }

    /// Appends the places of its particles to `order`.
    pub fn sort(&mut self, particles: &Particles, order: &mut Vec<u32>) {
        if !self.is_empty() {
            self.find_places(particles);
            order.extend(self.places.iter().flatten());
        }
    }

    /// Finds possible contact points of the bodies with each other and with colliders.
    ///
    /// * `acceleration` — greatest by gravity, forces and loads [m/s2]
    pub fn find(&mut self, particles: &Particles, acceleration: f64, step: PairStep<'_>) {
        let colliders = step.colliders;
        let first = (particles.len() - self.present_count()) as u32;
        let Some(engine) = &mut self.engine else {
            return;
        };
        for (next, place) in (first..).zip(self.places.iter_mut().flatten()) {
            *place = next;
        }
        let speed = |(step, body): (&RigidStep, &RigidBody)| {
            step.velocity.length() + step.spin.length() * body.shape.extent
        };
        let bodies = self.steps.iter().zip(&self.setup.bodies);
        let fastest = bodies.map(speed).fold(0.0, f64::max);
        let count = colliders.len() - self.steps.len();
        let of_collider = |(c, shape): (&ColliderStep, &Collider)| {
            c.velocity_at(c.start.translation).length() + shape.deformation_speed()
        };
        let fastest_collider = colliders[..count]
            .iter()
            .zip(step.shapes)
            .map(of_collider)
            .fold(0.0, f64::max);
        let dt = step.dt;
        let reach = dt * (2.0 * fastest + fastest_collider + 2.0 * acceleration * dt);
        self.meetings.clear();
        engine.find(
            &self.steps,
            colliders,
            step.shapes,
            reach,
            &mut self.meetings,
        );
        let bodies = (&self.steps[..], &self.grains[..]);
        self.pairs.take(&self.meetings, bodies, step);
    }

    /// Takes over the velocities of their particles, which gravity, forces and loads have changed, and
    /// starts from the impulses of the substep before.
    pub fn take_velocities(
        &mut self,
        particles: &Particles,
        states: &MethodStates,
        step: PairStep<'_>,
    ) {
        let Some(columns) = states.find::<RigidColumns>() else {
            return;
        };
        let bodies = self.steps.iter_mut().zip(&mut self.falls);
        for ((body, fall), place) in bodies.zip(&self.places) {
            if let Some(place) = place {
                body.velocity = to_double(particles.velocity[*place as usize]);
                fall.end = body.velocity;
            }
        }
        self.store_held_velocities();
        if columns.last_step > 0.0 {
            let share = step.dt / columns.last_step;
            self.pairs.start_from(&columns.kept, share, &mut self.steps);
        }
        let engine = self.engine.as_ref();
        let is_joined = |number| engine.is_some_and(|engine| engine.is_joined(number));
        self.pairs
            .foresee(&self.steps, &self.falls, &is_joined, step);
    }

    /// The bodies, and a function that solves their contacts with each other and with colliders, and their
    /// joints, after other impulses.
    pub fn with_answer(&mut self, dt: f64) -> (&mut [RigidStep], impl FnMut(&mut [RigidStep])) {
        let Self {
            setup,
            engine,
            steps,
            pairs,
            by_joints,
            ..
        } = self;
        let answer = move |bodies: &mut [RigidStep]| {
            let Some(engine) = engine else {
                return;
            };
            let drives = engine.has_drives();
            let mut hold = |bodies: &mut [RigidStep]| {
                let hold = |bodies: &mut [RigidStep]| engine.solve_joints(bodies, dt);
                record(drives, &setup.bodies, bodies, by_joints, hold);
            };
            pairs.project(bodies, &mut hold);
        };
        (steps, answer)
    }

    /// One pass over the contacts of bodies with each other and with colliders, and over the joints of what
    /// anything has pushed.
    pub fn project(&mut self, dt: f64) {
        {
            let (bodies, mut answer) = self.with_answer(dt);
            answer(bodies);
        }
        self.solve_joints(dt);
    }

    /// Joints hold bodies that anything has pushed since.
    fn solve_joints(&mut self, dt: f64) {
        let Some(engine) = &mut self.engine else {
            return;
        };
        let mut bodies = self.steps.iter().zip(&self.held).enumerate();
        let is_pushed = |(number, (step, held)): (usize, (&RigidStep, &(DVec3, DVec3)))| {
            (step.velocity, step.spin) != *held && engine.is_joined(number)
        };
        if bodies.any(is_pushed) {
            let (drives, shapes) = (engine.has_drives(), &self.setup.bodies);
            let hold = |bodies: &mut [RigidStep]| engine.solve_joints(bodies, dt);
            record(drives, shapes, &mut self.steps, &mut self.by_joints, hold);
            self.store_held_velocities();
        }
    }

    fn store_held_velocities(&mut self) {
        self.held.clear();
        let velocities = self.steps.iter().map(|step| (step.velocity, step.spin));
        self.held.extend(velocities);
    }

    /// Restitution: bodies that have hit something rebound.
    pub fn apply_restitution(&mut self, dt: f64) {
        if let Some(engine) = &mut self.engine {
            let (shapes, by_joints) = (&self.setup.bodies, &mut self.by_joints);
            let drives = engine.has_drives();
            let mut hold = |bodies: &mut [RigidStep]| {
                record(drives, shapes, bodies, by_joints, |bodies| {
                    engine.solve_joints(bodies, dt)
                });
            };
            self.pairs.restore(&mut self.steps, &mut hold);
        }
        self.solve_joints(dt);
        self.impacts.clear();
        self.impacts.resize(self.steps.len(), DVec3::ZERO);
        self.pairs.add_impacts(&self.steps, &mut self.impacts);
        let is_falling = |((step, fall), impact): ((&RigidStep, &Fall), &DVec3)| {
            let other = step.velocity - fall.end - *impact;
            other.length() <= ROUNDING * (step.velocity.length() + fall.end.length())
        };
        let falls = self.steps.iter().zip(&self.falls).zip(&self.impacts);
        self.is_falling.clear();
        self.is_falling.extend(falls.map(is_falling));
    }

    /// The particle of the first body whose spin is no longer finite.
    pub fn first_infinite_spin(&self) -> Option<usize> {
        let mut bodies = self.places.iter().zip(&self.steps);
        bodies
            .find_map(|(place, step)| place.filter(|_| !step.spin.is_finite()).map(|p| p as usize))
    }

    /// The colliders of the bodies as they move with their velocities now.
    pub fn move_colliders(&self, dt: f64, colliders: &mut [ColliderStep]) {
        let first = colliders.len() - self.steps.len();
        let bodies = self.setup.bodies.iter().zip(&self.steps);
        for (collider, (body, step)) in colliders[first..].iter_mut().zip(bodies) {
            *collider = step.collider_step(body.shape.center, dt);
        }
    }

    /// Gives their particles the velocities of the bodies.
    pub fn give_velocities(&self, particles: &mut Particles) {
        for (step, place) in self.steps.iter().zip(&self.places) {
            if let Some(place) = place {
                particles.velocity[*place as usize] = to_real(step.velocity);
            }
        }
    }

    /// Moves the bodies to the end of the substep.
    pub fn advance(
        &mut self,
        particles: &mut Particles,
        states: &mut MethodStates,
        sleep: SleepInput<'_>,
        dt: f64,
    ) {
        let Some(columns) = states.find_mut::<RigidColumns>() else {
            return;
        };
        self.pairs.keep(&mut columns.kept);
        columns.last_step = dt;
        self.find_kept_awake(sleep);
        self.put_to_sleep(columns, sleep.gravity, dt);
        let step = PairStep {
            shapes: &[],
            colliders: &[],
            push_out_speed: sleep.push_out_speed,
            gravity: sleep.gravity,
            dt,
        };
        self.position_correction.clone_from(&self.steps);
        if let Some(engine) = &mut self.engine {
            let mut hold = |bodies: &mut [RigidStep]| engine.solve_joints_of_corrections(bodies);
            self.pairs
                .correct_positions(&mut self.position_correction, &mut hold, step);
        }
        self.find_kicks();
        self.ends.clone_from(&self.steps);
        if let Some(engine) = &mut self.engine {
            let (drives, shapes) = (engine.has_drives(), &self.setup.bodies);
            let advance = |bodies: &mut [RigidStep]| engine.advance(bodies, &self.kicks, dt);
            record(drives, shapes, &mut self.ends, &mut self.by_joints, advance);
        }
        self.find_motor_work(dt);
        for (number, place) in self.places.iter().enumerate() {
            let Some(place) = place.map(|place| place as usize) else {
                continue;
            };
            if columns.time_at_rest[number] > SLEEP_TIME {
                (particles.position[place], columns.spin[number]) =
                    (self.steps[number].center, DVec3::ZERO);
                particles.velocity[place] = to_real(DVec3::ZERO);
                continue;
            }
            let (end, position_correction) =
                (&self.ends[number], &self.position_correction[number]);
            particles.position[place] = end.center + position_correction.velocity * dt;
            particles.velocity[place] = to_real(end.velocity);
            columns.rotation[number] = turned(end.rotation, position_correction.spin * dt);
            columns.spin[number] = end.spin;
        }
    }

    /// What driven joints have done on the way that the bodies have gone.
    fn find_motor_work(&mut self, dt: f64) {
        let ways = self.steps.iter().zip(&self.ends);
        let works = self.by_joints.iter().zip(ways);
        let works = works.map(|(given, (start, end))| work_of(given, (start, end), dt));
        self.motor_work = works.sum();
    }

    /// What of the bodies' velocities acts evenly all through a substep: gravity and forces, on what nothing
    /// touches. So no energy comes or goes in flight.
    fn find_kicks(&mut self) {
        let falls = self.falls.iter().zip(&self.is_falling);
        let kick = |(fall, is_falling): (&Fall, &bool)| match is_falling {
            true => fall.end - fall.velocity,
            false => DVec3::ZERO,
        };
        self.kicks.clear();
        self.kicks.extend(falls.map(kick));
    }

    /// Finds the bodies that a joint, a spring, a particle or a moving collider may move, and so keeps awake.
    fn find_kept_awake(&mut self, sleep: SleepInput<'_>) {
        let count = self.steps.len();
        self.is_kept_awake.clear();
        if let Some(engine) = &self.engine {
            let is_joined = |number| engine.is_joined(number);
            self.is_kept_awake.extend((0..count).map(is_joined));
            sleep.touches.mark_pressed(&mut self.is_kept_awake);
            sleep.pulls.mark_pulled(&mut self.is_kept_awake);
            self.pairs.mark_carried(&mut self.is_kept_awake);
        }
    }

    /// Counts how long bodies have been at rest, and stops those that
    /// have fallen asleep.
    fn put_to_sleep(&mut self, columns: &mut RigidColumns, gravity: f64, dt: f64) {
        let bodies = self.steps.iter_mut().zip(&self.setup.bodies);
        for (number, (step, body)) in bodies.enumerate() {
            let speed = step.velocity.length() + step.spin.length() * body.shape.extent;
            let is_still = !self.is_kept_awake[number] && speed < SLEEP_SPEED * gravity * dt;
            let time_at_rest = &mut columns.time_at_rest[number];
            *time_at_rest = if is_still { *time_at_rest + dt } else { 0.0 };
            if *time_at_rest > SLEEP_TIME {
                (step.velocity, step.spin) = (DVec3::ZERO, DVec3::ZERO);
            }
        }
    }

    /// Work [J] of driven joints in this substep, less what these joints have taken out.
    pub fn motor_work(&self) -> f64 {
        self.motor_work
    }

    fn find_places(&mut self, particles: &Particles) {
        let bodies = self.setup.bodies.iter();
        let place = |body: &RigidBody| particles.id.iter().rposition(|&id| id == body.id);
        self.places.clear();
        self.places
            .extend(bodies.map(|body| place(body).map(|place| place as u32)));
    }
}

fn step(body: &RigidBody, place: usize, particles: &Particles, rotation: DQuat) -> RigidStep {
    let inverse_mass = f64::from(particles.inverse_mass[place]);
    let turn = DMat3::from_quat(rotation);
    let inverse_inertia = match inverse_mass > 0.0 {
        true => turn * body.shape.inertia.inverse() * turn.transpose(),
        false => DMat3::ZERO,
    };
    RigidStep {
        is_present: true,
        center: particles.position[place],
        rotation,
        velocity: to_double(particles.velocity[place]),
        spin: DVec3::ZERO,
        inverse_mass,
        inverse_inertia,
    }
}

/// What is left of a body that has left the world.
fn gone() -> RigidStep {
    RigidStep {
        is_present: false,
        center: DVec3::ZERO,
        rotation: DQuat::IDENTITY,
        velocity: DVec3::ZERO,
        spin: DVec3::ZERO,
        inverse_mass: 0.0,
        inverse_inertia: DMat3::ZERO,
    }
}
