//! The stages: each hands the columns of the world to the rooms that do the work.

mod contacts;
mod forces;

use std::ops::Range;
use std::sync::Arc;

use pliant_math::simd::Instructions;

use super::emit::{self, Emission};
use super::reactions::{Acting, Reactions};
use super::work::{Applied, MechanicalEnergy};
use super::{Operation, StepError, StepReport, Trouble, inspect};
use crate::attachments::{
    self, Anchors, Carriers, Pulls, RigidPullStep, RigidPulls, Rods, Tethers, Ties,
};
use crate::boundaries::{ColliderReactions, ColliderStep, DeformedColliders};
use crate::clock::Stopwatch;
use crate::contacts::{
    ColliderContacts, Extrapolation, KeptIndex, LinearContacts, ParticleContacts, RigidContacts,
    Surface, SurfaceContacts,
};
use crate::integrator;
use crate::measure::Stage;
use crate::method::{Method, Methods, Substep, Walls, relative_residual};
use crate::methods::rigid::{Rigid, RigidSetup, SleepInput};
use crate::particles::{IdMap, ReorderScratch};
use crate::world::{Setup, World};

/// The scratch of all stages.
#[derive(Debug)]
pub struct Stages {
    /// Whether the residual is computed at the end of `project`, and who lacks neighbours is counted:
    /// it costs as much as a few sweeps.
    pub measures_residual: bool,
    /// All but the rigid bodies, which all others meet as colliders.
    methods: Methods,
    rigid: Rigid,
    collider_contacts: ColliderContacts,
    rigid_contacts: RigidContacts,
    /// Mass of what was stopped at each rigid body over its own.
    stopped_mass: Vec<f64>,
    linear_contacts: LinearContacts,
    pairs: ParticleContacts,
    kept_index: KeptIndex,
    /// Group of each body whose contacts are kept.
    keeping: Vec<Option<u32>>,
    surface: Surface,
    surfaces: SurfaceContacts,
    places: IdMap,
    anchors: Anchors,
    rods: Rods,
    pulls: Pulls,
    rigid_pulls: RigidPulls,
    tethers: Tethers,
    reactions: Reactions,
    collider_reactions: ColliderReactions,
    by_loads: Applied,
    by_fields: Applied,
    emission: Emission,
    colliders: DeformedColliders,
    collider_steps: Vec<ColliderStep>,
    order: Vec<u32>,
    reorder: ReorderScratch,
    /// What the methods know of the substep.
    step: Substep,
    report: StepReport,
}

impl Stages {
    /// Scratch for worlds of a setup.
    pub fn new(setup: &Setup) -> Self {
        Self {
            measures_residual: false,
            methods: methods(setup),
            rigid: Rigid::new(RigidSetup::of(setup)),
            collider_contacts: ColliderContacts::default(),
            rigid_contacts: RigidContacts::default(),
            stopped_mass: Vec::new(),
            linear_contacts: LinearContacts::default(),
            pairs: ParticleContacts::default(),
            kept_index: KeptIndex::default(),
            keeping: Vec::new(),
            surface: Surface::default(),
            surfaces: SurfaceContacts::default(),
            places: attachments::named(&setup.attachments),
            anchors: Anchors::new(&setup.attachments, &setup.colliders),
            rods: Rods::default(),
            pulls: Pulls::default(),
            rigid_pulls: RigidPulls::default(),
            tethers: Tethers::default(),
            reactions: Reactions::default(),
            collider_reactions: ColliderReactions::default(),
            by_loads: Applied::default(),
            by_fields: Applied::default(),
            emission: Emission::new(setup),
            colliders: DeformedColliders::default(),
            collider_steps: Vec::new(),
            order: Vec::new(),
            reorder: ReorderScratch::default(),
            step: Substep::default(),
            report: StepReport::default(),
        }
    }

    /// Does an operation of a substep of `dt` [s].
    pub fn operate(
        &mut self,
        operation: Operation,
        world: &mut World,
        dt: f64,
    ) -> Result<(), StepError> {
        match operation {
            Operation::Emit => self.emit(world, dt)?,
            Operation::Find => self.find(world, dt),
            Operation::Accelerate => self.accelerate(world, dt),
            Operation::Predict => self.predict(world, dt),
            Operation::StartWarm => self.start_warm(world),
            Operation::ProjectContacts => self.project_contacts(world, dt),
            Operation::Respond { turn } => self.respond(world, turn),
            Operation::ProjectConstraints => self.project_constraints(world, dt),
            Operation::CorrectPositions => self.correct_positions(world),
            Operation::ProjectAttachments => self.project_attachments(world),
            Operation::MeasureResidual => self.measure_residual(world),
            Operation::Smooth => self.smooth(world),
            Operation::Restore => self.restore(world, dt),
            Operation::Damp => self.damp(world, dt),
            Operation::StopPassages => self.stop_passages(world, dt),
            Operation::SettleBodies => self.settle_bodies(world),
            Operation::InspectVelocity => self.inspect(world, dt)?,
            Operation::Flow => self.flow(world),
            Operation::InspectStrain => self.inspect_strain(world)?,
            Operation::Advance => self.advance(world, dt),
            Operation::SumUp => self.sum_up(world),
        }
        Ok(())
    }

    /// Readies the report of a substep.
    pub fn begin(&mut self) {
        self.report = StepReport::default();
    }

    /// Runs a stage and adds its wall time to the report.
    pub fn timed<R>(&mut self, stage: Stage, work: impl FnOnce(&mut Self) -> R) -> R {
        let watch = Stopwatch::start();
        let result = work(self);
        self.report.times.add(stage, watch.seconds());
        result
    }

    /// Births and removals; colliders from the start to the end of the substep.
    fn emit(&mut self, world: &mut World, dt: f64) -> Result<(), StepError> {
        self.step = substep(world, dt);
        let removed = emit::remove_outside(world, &mut self.reorder);
        let before = world.state.particles.len();
        self.colliders
            .move_to(&world.setup.colliders, world.state.time, dt);
        let setup = Arc::clone(&world.setup);
        let colliders = self.colliders.of(&setup.colliders);
        self.emission.emit(world, colliders, dt)?;
        let born = MechanicalEnergy::of(world, before..world.state.particles.len());
        self.report.work.emitted_kinetic = born.kinetic - removed.kinetic;
        self.report.work.emitted_potential = born.potential - removed.potential;
        let time = world.state.time;
        let World { setup, state } = world;
        let step = |index| {
            let pose = |time| state.pose_of_collider(setup, index, time);
            ColliderStep::new(pose, time, dt)
        };
        self.collider_steps.clear();
        self.collider_steps
            .extend((0..setup.first_rigid()).map(step));
        let steps = &mut self.collider_steps;
        self.rigid
            .start(&state.particles, &state.methods, setup.gravity, dt, steps);
        let (count, first_rigid) = (world.setup.colliders.len(), world.setup.first_rigid());
        self.collider_reactions.start(count, first_rigid);
        Ok(())
    }

    /// Neighbours, gradients, attached particles and contact candidates at the start positions.
    fn find(&mut self, world: &mut World, dt: f64) {
        let step = self.step;
        let state = &mut world.state;
        self.order.clear();
        for method in self.methods.iter_mut() {
            method.sort(&state.particles, &mut self.order);
        }
        self.rigid.sort(&state.particles, &mut self.order);
        state.reorder(&self.order, &mut self.reorder);
        let watch = Stopwatch::start();
        for method in self.methods.iter_mut() {
            method.find(&state.particles, &mut state.methods, step);
        }
        self.report.search_time = watch.seconds();
        self.find_attached(world, dt);
        self.find_contacts(world, dt);
        let walls = Walls {
            contacts: &self.collider_contacts,
            colliders: self.colliders.of(&world.setup.colliders),
            steps: &self.collider_steps,
            first_rigid: world.setup.first_rigid(),
            bodies: &self.rigid.steps,
            push_out_speed: step.push_out_speed,
        };
        let state = &mut world.state;
        for method in self.methods.iter_mut() {
            method.meet_walls(&state.particles, &mut state.methods, walls);
        }
    }

    /// Attached particles in their new places, carried ones on their way.
    fn find_attached(&mut self, world: &mut World, dt: f64) {
        let World { setup, state } = world;
        let (held, particles) = (&setup.attachments, &mut state.particles);
        self.places.update(&particles.id);
        let (steps, recoil) = (&self.collider_steps, &mut self.collider_reactions);
        let carriers = Carriers {
            colliders: self.colliders.of(&setup.colliders),
            steps,
            anchors: &self.anchors,
        };
        attachments::carry(held, &self.places, carriers, particles, recoil);
        let cap = setup.push_out_speed();
        self.rods.find(held, &self.places, particles, cap, dt);
        let (columns, moment) = ((&self.places, &*particles), (state.time, dt));
        self.pulls.find(held, columns, carriers, moment);
        let pulled = RigidPullStep {
            bodies: &self.rigid.steps,
            colliders: &steps[setup.first_rigid()..],
            carriers,
            time: state.time,
            dt,
        };
        self.rigid_pulls.find(held, columns, pulled);
    }

    /// Velocities of methods that solve a system of equations.
    fn predict(&mut self, world: &mut World, dt: f64) {
        let state = &world.state;
        let shapes = self.colliders.of(&world.setup.colliders);
        let step = contacts::pair_step(&world.setup, (shapes, &self.collider_steps), dt);
        self.rigid
            .take_velocities(&state.particles, &state.methods, step);
        let step = self.step;
        for method in self.methods.iter_mut() {
            let ties = Ties {
                tethers: &mut self.tethers,
                bodies: &mut self.rigid.steps,
            };
            method.predict(&mut world.state.particles, ties, step);
        }
    }

    /// Their answers to what has been done to their velocities since, after their contacts have gone
    /// further the way they went.
    ///
    /// * `turn` — answers before in this substep
    fn respond(&mut self, world: &mut World, turn: u32) {
        for number in 0..self.methods.len() {
            let places = self.methods.get(number).implicit_places();
            if places.is_empty() {
                continue;
            }
            self.extrapolate_contacts(world, places, turn);
            let method = self.methods.get_mut(number);
            let ties = Ties {
                tethers: &mut self.tethers,
                bodies: &mut self.rigid.steps,
            };
            method.respond(&mut world.state.particles, ties);
        }
    }

    /// Extrapolates the contacts of some places.
    fn extrapolate_contacts(&mut self, world: &mut World, places: Range<usize>, turn: u32) {
        let extrapolation = Extrapolation {
            places: places.start as u32..places.end as u32,
            turn,
        };
        let p = &mut world.state.particles;
        let (velocity, inverse_mass) = (&mut p.velocity, &p.inverse_mass);
        self.linear_contacts
            .extrapolate(velocity, inverse_mass, &extrapolation);
        self.collider_contacts
            .extrapolate(velocity, inverse_mass, &extrapolation);
        let bodies = &mut self.rigid.steps;
        self.rigid_contacts
            .extrapolate(velocity, inverse_mass, bodies, &extrapolation);
    }

    /// The impulses of stress and pressure at the start.
    fn start_warm(&mut self, world: &mut World) {
        let step = self.step;
        let (p, bodies) = (&mut world.state.particles, &mut self.rigid.steps);
        for method in self.methods.iter_mut() {
            method.start_warm(p, bodies, step);
        }
        if self.methods.kept_contacts(&world.state.methods).is_some() {
            let p = &mut world.state.particles;
            self.linear_contacts
                .start_warm(&mut p.velocity, &p.inverse_mass);
        }
    }

    /// One sweep of the constraints inside bodies.
    fn project_constraints(&mut self, world: &mut World, dt: f64) {
        let watch = Stopwatch::start();
        let step = self.step;
        let (bodies, mut answer) = self.rigid.with_answer(dt);
        for method in self.methods.iter_mut() {
            let ties = Ties {
                tethers: &mut self.tethers,
                bodies: &mut *bodies,
            };
            method.project(&mut world.state.particles, ties, &mut answer, step);
        }
        self.report.sweep_time += watch.seconds();
    }

    /// One pass of position correction.
    fn correct_positions(&mut self, world: &mut World) {
        let step = self.step;
        for method in self.methods.iter_mut() {
            method.correct_positions(&mut world.state.particles, step);
        }
    }

    /// One pass over the springs that pull particles and rigid bodies and the rods that join bodies.
    fn project_attachments(&mut self, world: &mut World) {
        let p = &mut world.state.particles;
        self.pulls.project(&mut p.velocity, &p.inverse_mass);
        self.rods.project(&mut p.velocity, &p.inverse_mass);
        let bodies = &mut self.rigid.steps;
        self.rigid_pulls.project(bodies);
        self.tethers
            .project(&mut p.velocity, &p.inverse_mass, bodies);
    }

    /// What the constraints are off by, before velocities are smoothed: the greatest of all methods that
    /// iterate.
    fn measure_residual(&mut self, world: &World) {
        if self.measures_residual {
            let (p, bodies, step) = (&world.state.particles, &self.rigid.steps, self.step);
            let methods = self.methods.iter_mut();
            let sums = methods.filter_map(|method| method.residual(p, bodies, step));
            self.report.residual = sums.map(relative_residual).fold(0.0, f64::max);
        }
    }

    /// XSPH.
    fn smooth(&mut self, world: &mut World) {
        let step = self.step;
        for method in self.methods.iter_mut() {
            method.smooth(&mut world.state.particles, step);
        }
    }

    /// Velocities and spins finite? In bounds?
    fn inspect(&mut self, world: &World, dt: f64) -> Result<(), StepError> {
        inspect::inspect_velocity(world, dt)?;
        match self.rigid.first_infinite_spin() {
            None => Ok(()),
            Some(place) => Err(StepError::of(Trouble::NotFinite, Some(place), world)),
        }
    }

    /// Strains finite?
    fn inspect_strain(&mut self, world: &World) -> Result<(), StepError> {
        inspect::inspect_strain(world, &self.methods)
    }

    /// Deformation, plastic state and pressure committed.
    fn flow(&mut self, world: &mut World) {
        let step = self.step;
        let state = &mut world.state;
        for method in self.methods.iter_mut() {
            method.flow(&state.particles, &mut state.methods, step);
        }
        self.keep_contacts(world);
    }

    /// Positions moved, time passed.
    fn advance(&mut self, world: &mut World, dt: f64) {
        let step = self.step;
        let state = &mut world.state;
        let p = &mut state.particles;
        integrator::advance(&mut p.position, &p.velocity, dt);
        let sleep = SleepInput {
            gravity: world.setup.gravity.length(),
            push_out_speed: world.setup.push_out_speed(),
            touches: &self.rigid_contacts,
            pulls: &self.rigid_pulls,
        };
        self.rigid.advance(p, &mut state.methods, sleep, dt);
        for method in self.methods.iter_mut() {
            method.part(&state.particles, &mut state.methods, step);
        }
        state.time += dt;
        state.substeps += 1;
    }

    /// Computes with other instructions.
    pub fn set_instructions(&mut self, instructions: Instructions) {
        self.pairs.instructions = instructions;
        for method in self.methods.iter_mut() {
            method.set_instructions(instructions);
        }
    }

    /// A method, as the last substep left it.
    pub fn method<M: Method>(&self) -> Option<&M> {
        self.methods.find()
    }

    /// What the substep did, into its report.
    fn sum_up(&mut self, world: &World) {
        let (counts, step) = (self.methods.counts(), self.step);
        let report = &mut self.report;
        report.contacts = self.collider_contacts.pressed_count()
            + self.linear_contacts.pressed_count()
            + self.rigid_contacts.pressed_count()
            + self.rigid.pairs.pressed_count();
        report.neighbors = counts.neighbors as f64 / counts.particles.max(1) as f64;
        if self.measures_residual {
            let shares = self.methods.iter().map(|method| method.deficient_share());
            report.deficient_share = shares.fold(0.0, f64::max);
        }
        let mass = &world.state.particles.mass;
        let reactions = &mut self.collider_reactions;
        self.collider_contacts.add_impulses(mass, reactions);
        for method in self.methods.iter() {
            method.add_wall_impulses(reactions);
        }
        self.rigid_contacts.add_impulses(reactions.of_rigid());
        self.pulls
            .add_reactions(&world.state.particles.velocity, reactions);
        self.rigid_pulls.add_reactions(&self.rigid.steps, reactions);
        self.tethers.add_impulses(reactions.of_rigid());
        self.rigid.pairs.add_impulses(reactions);
        let acting = Acting {
            places: &self.places,
            contacts: &self.linear_contacts,
            surfaces: &self.surfaces,
            rigid_contacts: &self.rigid_contacts,
            tethers: &self.tethers,
            rods: &self.rods,
        };
        self.reactions
            .add(world, (acting, &mut self.methods), step, reactions);
        report.collider_impulse.clone_from(&reactions.impulse);
        let particles = &world.state.particles;
        report.work.colliders = reactions.work;
        let ways = || self.rigid.mean_ways(particles);
        report.work.loads = self.by_loads.work(particles, ways());
        report.work.fields = self.by_fields.work(particles, ways());
        let of_methods = self.methods.iter().map(|method| method.work());
        report.work.motors = of_methods.fold(self.rigid.motor_work(), |sum, work| sum + work);
    }

    /// The report of the substep.
    pub fn end(&mut self) -> StepReport {
        std::mem::take(&mut self.report)
    }
}

/// All methods of a setup but the rigid bodies.
fn methods(setup: &Setup) -> Methods {
    let all = setup.methods().into_iter();
    let list = all.filter_map(|method| method.solver(setup)).collect();
    Methods::new(list, setup.bodies.len())
}

/// What the methods know of a substep of `dt` [s].
fn substep(world: &World, dt: f64) -> Substep {
    let World { setup, state } = world;
    Substep {
        dt,
        time: state.time,
        iterations: setup.solver.iterations,
        xsph_rate: setup.solver.xsph_rate,
        push_out_speed: setup.push_out_speed(),
        tells_held: attachments::are_carried(&setup.attachments),
    }
}
