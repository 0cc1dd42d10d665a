//! The stages: each hands the columns of the world to the rooms that do the work.

mod contacts;

use std::ops::Range;
use std::time::Instant;

use pliant_math::simd::Instructions;

use super::continua::continua;
use super::emit::{self, Emission};
use super::reactions::{Acting, Reactions};
use super::work::{Applied, MechanicalEnergy};
use super::{StepError, StepReport, Trouble, inspect};
use crate::attachments::{self, Bonds, Places, Tethers};
use crate::boundaries::{ColliderReactions, ColliderStep};
use crate::contacts::{
    Acceleration, ColliderContacts, ParticleContacts, RigidContacts, Surface, SurfaceContacts,
};
use crate::forces::Forces;
use crate::integrator;
use crate::measure::Stage;
use crate::methods::cloth::{self, Cloth, ClothColumns, Vertices};
use crate::methods::fluid::FluidColumns;
use crate::methods::fluid::{Fluid, WallInput};
use crate::methods::granules::Granules;
use crate::methods::rigid::RigidColumns;
use crate::methods::rigid::{Rigid, Settling};
use crate::methods::springs::Springs;
use crate::methods::strain_energy::StrainEnergy;
use crate::methods::strain_energy::StrainEnergyColumns;
use crate::methods::xpbi::XpbiColumns;
use crate::methods::xpbi::{Gather, Xpbi, relative_residual};
use crate::particles::{Particles, ReorderScratch};
use crate::world::{Setup, World};

/// The scratch of all stages.
#[derive(Debug)]
pub struct Stages {
    /// Whether the residual is computed at the end of `project`, and who lacks neighbours is counted:
    /// it costs as much as a few sweeps.
    pub measures_residual: bool,
    xpbi: Xpbi,
    fluid: Fluid,
    granules: Granules,
    cloth: Cloth,
    solids: StrainEnergy,
    springs: Springs,
    rigid: Rigid,
    /// Places of the vertices of cloth.
    vertices: Range<usize>,
    /// Places of the vertices of all surfaces: of cloth, and after them of springs.
    surface_vertices: Range<usize>,
    /// Particles of one continuum are no contacts.
    continuum_of_body: Vec<u32>,
    continuum_count: u32,
    collider_contacts: ColliderContacts,
    rigid_contacts: RigidContacts,
    /// Mass of what was stopped at each rigid body over its own.
    stopped_mass: Vec<f64>,
    pairs: ParticleContacts,
    surface: Surface,
    surfaces: SurfaceContacts,
    places: Places,
    bonds: Bonds,
    tethers: Tethers,
    reactions: Reactions,
    collider_reactions: ColliderReactions,
    by_loads: Applied,
    by_fields: Applied,
    emission: Emission,
    collider_steps: Vec<ColliderStep>,
    order: Vec<u32>,
    reorder: ReorderScratch,
    report: StepReport,
}

impl Stages {
    /// Scratch for worlds of a setup.
    pub fn new(setup: &Setup) -> Self {
        let xpbi = Xpbi::new(setup.xpbi());
        let fluid = Fluid::new(setup.fluid());
        let granules = Granules::new(setup.granules());
        let (continuum_of_body, continuum_count) = continua(setup, &xpbi, &fluid, &granules);
        Self {
            measures_residual: false,
            xpbi,
            fluid,
            granules,
            cloth: Cloth::new(setup.cloth()),
            solids: StrainEnergy::new(setup.strain_energy()),
            springs: Springs::new(setup.springs()),
            rigid: Rigid::new(setup.rigid()),
            vertices: 0..0,
            surface_vertices: 0..0,
            continuum_of_body,
            continuum_count,
            collider_contacts: ColliderContacts::default(),
            rigid_contacts: RigidContacts::default(),
            stopped_mass: Vec::new(),
            pairs: ParticleContacts::default(),
            surface: Surface::default(),
            surfaces: SurfaceContacts::default(),
            places: Places::new(&setup.attachments),
            bonds: Bonds::default(),
            tethers: Tethers::default(),
            reactions: Reactions::default(),
            collider_reactions: ColliderReactions::default(),
            by_loads: Applied::default(),
            by_fields: Applied::default(),
            emission: Emission::new(setup),
            collider_steps: Vec::new(),
            order: Vec::new(),
            reorder: ReorderScratch::default(),
            report: StepReport::default(),
        }
    }

    /// Readies the report of a substep.
    pub fn begin(&mut self) {
        self.report = StepReport::default();
    }

    /// Runs a stage and adds its wall time to the report.
    pub fn timed<R>(&mut self, stage: Stage, work: impl FnOnce(&mut Self) -> R) -> R {
        let start = Instant::now();
        let result = work(self);
        self.report.times.add(stage, start.elapsed().as_secs_f64());
        result
    }

    /// Births and removals; colliders from the start to the end of the substep.
    pub fn emit(&mut self, world: &mut World, dt: f64) -> Result<(), StepError> {
        let removed = emit::remove_outside(world, &mut self.reorder);
        let before = world.state.particles.len();
        self.emission.emit(world, dt)?;
        let born = MechanicalEnergy::of(world, before..world.state.particles.len());
        self.report.work.emitted_kinetic = born.kinetic - removed.kinetic;
        self.report.work.emitted_potential = born.potential - removed.potential;
        let time = world.state.time;
        let World { setup, state } = world;
        let colliders = setup.colliders[..setup.first_rigid()].iter();
        self.collider_steps.clear();
        self.collider_steps
            .extend(colliders.map(|c| ColliderStep::new(&c.motion, time, dt)));
        let steps = &mut self.collider_steps;
        self.rigid.start(
            &state.particles,
            state.methods.of::<RigidColumns>(),
            setup.gravity,
            dt,
            steps,
        );
        let (count, first_rigid) = (world.setup.colliders.len(), world.setup.first_rigid());
        self.collider_reactions.start(count, first_rigid);
        Ok(())
    }

    /// Neighbours, gradients, attached particles and contact candidates at the start positions.
    pub fn find(&mut self, world: &mut World, dt: f64) {
        let state = &mut world.state;
        self.order.clear();
        self.xpbi.sort(&state.particles, &mut self.order);
        self.fluid.sort(&state.particles, &mut self.order);
        self.granules.sort(&state.particles, &mut self.order);
        self.solids.sort(&state.particles, &mut self.order);
        let first = self.order.len();
        self.cloth.sort(&state.particles, &mut self.order);
        self.vertices = first..self.order.len();
        let of_springs = self.springs.sort(&state.particles, &mut self.order);
        self.surface_vertices = first..self.vertices.end + of_springs;
        self.rigid.sort(&state.particles, &mut self.order);
        state.reorder(&self.order, &mut self.reorder);
        let start = Instant::now();
        self.xpbi
            .search(&state.particles, state.methods.of::<XpbiColumns>(), dt);
        self.fluid
            .search(&state.particles, state.methods.of::<FluidColumns>(), dt);
        self.report.search_time = start.elapsed().as_secs_f64();
        let vertices = vertices(&state.particles, &self.vertices);
        self.cloth
            .find(vertices, state.methods.of::<ClothColumns>());
        let tells_held = attachments::are_carried(&world.setup.attachments);
        self.solids.find(
            &state.particles,
            state.methods.of::<StrainEnergyColumns>(),
            tells_held,
        );
        self.springs.find(&state.particles);
        self.find_attached(world, dt);
        self.find_contacts(world, dt);
        let walls = WallInput {
            contacts: &self.collider_contacts,
            colliders: &world.setup.colliders,
            steps: &self.collider_steps,
            first_rigid: world.setup.first_rigid(),
            bodies: &self.rigid.steps,
            push_out_speed: world.setup.push_out_speed(),
        };
        let state = &mut world.state;
        self.fluid.take_walls(
            walls,
            &state.particles.position,
            state.methods.of_mut::<FluidColumns>(),
        );
    }

    /// Attached particles in their new places, carried ones on their way.
    fn find_attached(&mut self, world: &mut World, dt: f64) {
        let World { setup, state } = world;
        let (held, particles) = (&setup.attachments, &mut state.particles);
        self.places.update(particles);
        let (steps, recoil) = (&self.collider_steps, &mut self.collider_reactions);
        attachments::carry(held, &self.places, steps, particles, recoil);
        let cap = setup.push_out_speed();
        self.bonds.find(held, &self.places, particles, cap, dt);
    }

    /// Gravity, loads and force fields into velocities, in this order.
    pub fn accelerate(&mut self, world: &mut World, dt: f64) {
        let World { setup, state } = world;
        let (time, p) = (state.time, &mut state.particles);
        integrator::accelerate(&mut p.velocity, &p.inverse_mass, setup.gravity, dt);
        let (held, places) = (&setup.attachments, &self.places);
        let are_loaded = attachments::are_loaded(held);
        let load = |p: &mut Particles| attachments::load(held, places, p, time, dt);
        self.by_loads.record(are_loaded, p, load);
        let forces = Forces::new(&setup.forces, time, dt);
        let acts = !forces.is_empty();
        self.by_fields.record(acts, p, |p| forces.accelerate(p));
    }

    /// Velocities of methods that solve a system of equations.
    pub fn predict(&mut self, world: &mut World, dt: f64) {
        self.springs.predict(&mut world.state.particles, dt);
        let state = &world.state;
        let step = contacts::pair_step(&world.setup, &self.collider_steps, dt);
        self.rigid
            .take_velocities(&state.particles, state.methods.of::<RigidColumns>(), step);
    }

    /// Their answers to what has been done to their velocities since, after their contacts have gone
    /// further the way they went.
    ///
    /// * `turn` — answers before in this substep
    pub fn respond(&mut self, world: &mut World, turn: u32) {
        let p = &mut world.state.particles;
        let range = self.springs.range();
        if range.is_empty() {
            return;
        }
        let acceleration = Acceleration {
            places: range.start as u32..range.end as u32,
            turn,
        };
        let (velocity, inverse_mass) = (&mut p.velocity, &p.inverse_mass);
        self.pairs.accelerate(velocity, inverse_mass, &acceleration);
        self.surfaces
            .accelerate(velocity, inverse_mass, &acceleration);
        self.collider_contacts
            .accelerate(velocity, inverse_mass, &acceleration);
        let bodies = &mut self.rigid.steps;
        self.rigid_contacts
            .accelerate(velocity, inverse_mass, bodies, &acceleration);
        self.springs.respond(&mut p.velocity, &p.mass);
    }

    /// The impulses of stress and pressure at the start.
    pub fn start_warm(&mut self, world: &mut World, dt: f64) {
        let World { setup, state } = world;
        self.xpbi.start_warm(&mut state.particles, dt);
        self.fluid
            .start_warm(&mut state.particles, &mut self.rigid.steps);
        let (p, range) = (&mut state.particles, self.vertices.clone());
        let inverse_mass = &p.inverse_mass[range.clone()];
        let step = cloth::Step::new(dt, setup.solver.iterations);
        self.cloth
            .start_warm(&mut p.velocity[range], inverse_mass, step);
    }

    /// One sweep of the constraints inside bodies.
    pub fn project_constraints(&mut self, world: &mut World, dt: f64) {
        let start = Instant::now();
        let World { setup, state } = world;
        self.xpbi.project(&mut state.particles, dt);
        let (bodies, answer) = self.rigid.with_answer(dt);
        self.fluid.project(&mut state.particles, bodies, answer);
        self.solids.project(&mut state.particles, dt);
        let (p, range) = (&mut state.particles, self.vertices.clone());
        let inverse_mass = &p.inverse_mass[range.clone()];
        let step = cloth::Step::new(dt, setup.solver.iterations);
        self.cloth
            .project(&mut p.velocity[range], inverse_mass, step);
        self.report.sweep_time += start.elapsed().as_secs_f64();
    }

    /// One pass of position correction.
    pub fn correct_positions(&mut self, world: &mut World, dt: f64) {
        let push_out_speed = world.setup.push_out_speed();
        let particles = &mut world.state.particles;
        self.xpbi.correct_positions(particles, push_out_speed, dt);
        self.fluid.correct_positions(particles, push_out_speed);
    }

    /// One pass over the rods that join bodies.
    pub fn project_attachments(&mut self, world: &mut World) {
        let p = &mut world.state.particles;
        self.bonds.project(&mut p.velocity, &p.inverse_mass);
        let bodies = &mut self.rigid.steps;
        self.tethers
            .project(&mut p.velocity, &p.inverse_mass, bodies);
    }

    /// What the constraints are off by, before velocities are smoothed: the greatest of all methods that
    /// iterate.
    pub fn measure_residual(&mut self, world: &World, dt: f64) {
        if self.measures_residual {
            let p = &world.state.particles;
            let sums = [
                self.xpbi.residual(p, dt),
                self.fluid.residual(p, &self.rigid.steps),
                self.solids.residual(p, dt),
            ];
            self.report.residual = sums.map(relative_residual).into_iter().fold(0.0, f64::max);
        }
    }

    /// XSPH.
    pub fn smooth(&mut self, world: &mut World, dt: f64) {
        let rate = world.setup.solver.xsph_rate;
        self.xpbi.smooth(&mut world.state.particles, rate, dt);
        self.fluid.smooth(&mut world.state.particles, rate);
    }

    /// Damping.
    pub fn damp(&mut self, world: &mut World, dt: f64) {
        let rate = world.setup.solver.damping;
        let p = &mut world.state.particles;
        integrator::damp(&mut p.velocity, &p.inverse_mass, rate, dt);
        self.rigid.damp(rate, dt);
    }

    /// Velocities and spins finite? In bounds?
    pub fn inspect(&mut self, world: &World, dt: f64) -> Result<(), StepError> {
        inspect::inspect_velocity(world, dt)?;
        match self.rigid.runaway() {
            None => Ok(()),
            Some(place) => Err(StepError::of(Trouble::NotFinite, Some(place), world)),
        }
    }

    /// Strains finite?
    pub fn inspect_strain(&mut self, world: &World) -> Result<(), StepError> {
        inspect::inspect_strain(world)?;
        inspect::inspect_solids(world, &self.solids)
    }

    /// Deformation, plastic state and pressure committed.
    pub fn flow(&mut self, world: &mut World, dt: f64) {
        let state = &mut world.state;
        self.xpbi
            .flow(&state.particles, state.methods.of_mut::<XpbiColumns>(), dt);
        self.fluid.keep(state.methods.of_mut::<FluidColumns>());
        self.solids.flow(
            &state.particles,
            state.methods.of_mut::<StrainEnergyColumns>(),
            dt,
        );
    }

    /// Positions moved, time passed.
    pub fn advance(&mut self, world: &mut World, dt: f64) {
        let state = &mut world.state;
        let p = &mut state.particles;
        integrator::advance(&mut p.position, &p.velocity, dt);
        let rigid = state.methods.of_mut::<RigidColumns>();
        let settling = Settling {
            gravity: world.setup.gravity.length(),
            push_out_speed: world.setup.push_out_speed(),
            touches: &self.rigid_contacts,
        };
        self.rigid.advance(p, rigid, settling, dt);
        let vertices = vertices(p, &self.vertices);
        self.cloth
            .tear(vertices, state.methods.of_mut::<ClothColumns>());
        self.solids.part(
            p,
            state.methods.of_mut::<StrainEnergyColumns>(),
            state.time,
            dt,
        );
        state.time += dt;
        state.substeps += 1;
    }

    /// What it computes with.
    pub fn instructions(&self) -> Instructions {
        self.pairs.instructions
    }

    /// Computes with other instructions.
    pub fn set_instructions(&mut self, instructions: Instructions) {
        self.xpbi.set_instructions(instructions);
        self.fluid.set_instructions(instructions);
        self.pairs.instructions = instructions;
        self.cloth.set_instructions(instructions);
        self.solids.set_instructions(instructions);
        self.springs.set_instructions(instructions);
    }

    /// The bare neighbour lists of the last substep.
    pub fn gather(&self, world: &World) -> Gather {
        Gather::new(&self.xpbi, &world.state.particles)
    }

    /// Number of constraints of cloth in the last substep.
    pub fn cloth_constraints(&self) -> usize {
        self.cloth.constraint_count()
    }

    /// Number of springs in the last substep, and steps of conjugate gradients in their prediction.
    pub fn springs(&self) -> (usize, u32) {
        (self.springs.spring_count(), self.springs.solver_steps())
    }

    /// What the substep did, into its report.
    pub fn sum_up(&mut self, world: &World, dt: f64) {
        let neighbors = self.mean_neighbors();
        let report = &mut self.report;
        report.contacts = self.collider_contacts.pressed_count()
            + self.pairs.pressed_count()
            + self.surfaces.pressed_count()
            + self.rigid_contacts.pressed_count()
            + self.rigid.pairs.pressed_count();
        report.neighbors = neighbors;
        if self.measures_residual {
            report.deficient_share = self.xpbi.deficient_share();
        }
        let mass = &world.state.particles.mass;
        let reactions = &mut self.collider_reactions;
        self.collider_contacts.add_impulses(mass, reactions);
        self.fluid.add_wall_impulses(reactions);
        self.rigid_contacts.add_impulses(reactions.of_rigid());
        self.tethers.add_impulses(reactions.of_rigid());
        self.rigid.pairs.add_impulses(reactions);
        if attachments::are_carried(&world.setup.attachments) {
            self.springs.find_impulses(mass);
        }
        let acting = Acting {
            places: &self.places,
            pairs: &self.pairs,
            surfaces: &self.surfaces,
            rigid_contacts: &self.rigid_contacts,
            tethers: &self.tethers,
            bonds: &self.bonds,
            xpbi: &self.xpbi,
            fluid: &self.fluid,
            solids: &self.solids,
            springs: &self.springs,
            cloth: &self.cloth,
            vertices: self.vertices.clone(),
        };
        self.reactions.add(world, acting, dt, reactions);
        report.collider_impulse.clone_from(&reactions.impulse);
        let particles = &world.state.particles;
        report.work.colliders = reactions.work;
        report.work.loads = self.by_loads.work(particles);
        report.work.fields = self.by_fields.work(particles);
        report.work.motors = self.rigid.motor_work();
    }

    /// Mean number of neighbours a particle, 0 without particles.
    fn mean_neighbors(&self) -> f64 {
        let counts = [
            self.xpbi.neighbor_counts(),
            self.fluid.neighbor_counts(),
            self.solids.neighbor_counts(),
        ];
        let neighbors: usize = counts.iter().map(|&(neighbors, _)| neighbors).sum();
        let particles: usize = counts.iter().map(|&(_, particles)| particles).sum();
        neighbors as f64 / particles.max(1) as f64
    }

    /// The report of the substep.
    pub fn end(&mut self) -> StepReport {
        std::mem::take(&mut self.report)
    }
}

/// The vertices at a range of places.
fn vertices<'a>(particles: &'a Particles, range: &Range<usize>) -> Vertices<'a> {
    Vertices {
        position: &particles.position[range.clone()],
        id: &particles.id[range.clone()],
    }
}
