//! Position-based fluids: particles whose constraint is that density does not exceed the rest density.
//!
//! Paper: Macklin and Müller 2013, "Position Based Fluids"; walls as in Koschier and Bender 2017.
//!
//!   C_i = (V0 W(0) + sum_j V_j W_ij + walls)/s - 1 <= 0,   dC_i/dt = -div v_i
//!
//! Unknown of each particle: a pressure p_i >= 0, whose impulses dt V0 p_i g_ij push neighbours away.
//! Deviations from the paper:
//! - Kernels are taken at the start of the substep, as for every method here, and C is carried along
//!   with the velocities: one linear complementarity problem a substep, swept by coloured
//!   Gauss–Seidel. The error of the linearisation is corrected in the next substep.
//! - The pressure of the last substep starts the next one. A deep tank keeps its weight with four
//!   sweeps a substep, which from zero would need as many as it has rows.
//! - The constraint only pushes, so nothing is drawn together at a free surface, and the paper's
//!   artificial pressure against that (its eq. 13) is what particles closer than
//!   `minimum_distance` feel, at a limited speed.
//! - Density above rest is let go at a limited rate: projecting it at once, d/dt, throws fluid up that
//!   was sampled a little too densely.
//! - Viscosity is Newton's, implicit, with a tensor a particle that is iterated with the pressure.
//!
//! Reads and writes: velocities. Keeps: pressure and compression a particle (`columns`).
//! Invariants: linear momentum. Particles of solids near the fluid count in its density, feel its
//! pressure and its viscosity; rigid bodies are walls that it moves (`bodies`).
//! Not here: contacts (`crate::contacts`).

mod bodies;
mod columns;
mod group;
mod held;
mod kind;
mod members;
mod method;
mod residual;
mod settings;
mod setup;
mod state;
mod sweep;
mod viscosity;
mod vorticity;
mod walls;

pub use columns::FluidColumns;
pub use group::FluidGroup;
pub use settings::FluidSettings;
pub use setup::{FluidBody, FluidSetup};

use pliant_math::simd::Instructions;
use pliant_math::{DVec3, Real};

use crate::boundaries::{ColliderReactions, RigidStep};
use crate::method::Walls;
use crate::particles::Particles;

/// The method, as bodies name it.
pub const FLUID: &dyn crate::world::MethodKind = &kind::Kind;

/// The method for all its bodies: a pool for each support radius.
#[derive(Debug)]
pub struct Fluid {
    /// The groups; particles of different ones interact by contacts only.
    pub groups: Vec<FluidGroup>,
    /// Constants of the run.
    pub setup: FluidSetup,
    /// Group of each body of this method.
    group_of_body: Vec<Option<u32>>,
    members: Vec<u32>,
}

impl Fluid {
    /// Groups the bodies into groups.
    pub fn new(setup: FluidSetup) -> Self {
        let mut group_of_body = vec![None; setup.bodies.len()];
        let mut groups = Vec::new();
        for (number, bodies) in setup.groups().iter().enumerate() {
            groups.push(FluidGroup::new(&setup, bodies));
            for &body in bodies {
                group_of_body[body as usize] = Some(number as u32);
            }
        }
        Self {
            groups,
            setup,
            group_of_body,
            members: Vec::new(),
        }
    }

    /// The group of a body, `None` for one of another method.
    pub fn group_of(&self, body: u32) -> Option<u32> {
        self.group_of_body[body as usize]
    }

    /// Computes with other instructions than the best that the processor has; the bits are the same.
    pub fn set_instructions(&mut self, instructions: Instructions) {
        for group in &mut self.groups {
            group.instructions = instructions;
        }
    }

    /// Appends the places of its particles to `order`, sorted in space: there they must stand when
    /// neighbours are searched.
    pub fn sort(&mut self, particles: &Particles, order: &mut Vec<u32>) {
        for (number, group) in self.groups.iter_mut().enumerate() {
            let of_body = &self.group_of_body;
            let belongs = |body: u32| of_body[body as usize] == Some(number as u32);
            self.members.clear();
            particles.claim(&mut self.members, belongs);
            group.sort(&self.members, particles, order);
        }
    }

    /// Finds neighbours of the sorted particles, solids near them included, for a substep of `dt` [s].
    pub fn search(&mut self, particles: &Particles, columns: &FluidColumns, dt: f64) {
        let is_solid = |body: u32| {
            let displaces = self.setup.volume_of_mass[body as usize] > 0.0;
            displaces && self.group_of_body[body as usize].is_none()
        };
        for group in &mut self.groups {
            group.search(particles, columns, &self.setup, &is_solid, dt);
        }
    }

    /// Takes over the walls that contacts were found with, and completes the constraints.
    pub fn add_collider_terms(
        &mut self,
        input: Walls<'_>,
        position: &[DVec3],
        columns: &mut FluidColumns,
    ) {
        for group in &mut self.groups {
            group.add_collider_terms(input, position, columns);
        }
    }

    /// Applies the pressure of the last substep, to rigid bodies too.
    pub fn start_warm(&mut self, particles: &mut Particles, bodies: &mut [RigidStep]) {
        for group in &mut self.groups {
            group.start_warm(particles, bodies);
        }
    }

    /// One sweep over all particles, and the rigid bodies among them.
    ///
    /// * `answer` — solves the other contacts of the bodies: it is called while their pressures are found
    pub fn project(
        &mut self,
        particles: &mut Particles,
        bodies: &mut [RigidStep],
        mut answer: impl FnMut(&mut [RigidStep]),
    ) {
        for group in &mut self.groups {
            group.sweep(particles, bodies, &mut answer);
        }
    }

    /// How far the pressures are from solving their problem at the velocities of particles and bodies:
    /// (sum V0 r^2, sum V0 (p - r)^2), r what another visit of a particle would take from its pressure p
    /// [Pa]. The root of their ratio is 0 for a solution and 1 if nothing has been solved; both are 0
    /// where there is no pressure.
    pub fn residual(&self, particles: &Particles, bodies: &[RigidStep]) -> (f64, f64) {
        let each = |group: &FluidGroup| group.residual(particles, bodies);
        self.groups.iter().map(each).fold((0.0, 0.0), residual::add)
    }

    /// Keeps close pairs at the minimum distance.
    pub fn correct_positions(&mut self, particles: &mut Particles, push_out_speed: f64) {
        for group in &mut self.groups {
            group.correct_positions(particles, &self.setup, push_out_speed);
        }
    }

    /// XSPH at a rate [1/s], and vorticity confinement.
    pub fn smooth(&mut self, particles: &mut Particles, rate: f64) {
        for group in &mut self.groups {
            group.smooth(particles, rate);
            group.confine_vorticity(particles, &self.setup);
        }
    }

    /// Finds what XSPH is about to give held particles, for [`Self::add_impulses`].
    pub fn find_held_xsph_impulses(&mut self, particles: &Particles, rate: f64) {
        for group in &mut self.groups {
            group.find_held_xsph_impulses(particles, rate);
        }
    }

    /// Keeps the pressures for the next substep.
    pub fn keep(&self, columns: &mut FluidColumns) {
        for group in &self.groups {
            group.keep(columns);
        }
    }

    /// Adds the impulses [N s] of the pressure on walls in this substep to their colliders.
    pub fn add_wall_impulses(&self, reactions: &mut ColliderReactions) {
        for group in &self.groups {
            group.add_wall_impulses(reactions);
        }
    }

    /// Adds the impulses [N s] of pressure and viscosity in this substep on particles that are held.
    pub fn add_impulses(&self, inverse_mass: &[Real], on_particle: &mut [DVec3]) {
        for group in &self.groups {
            group.add_impulses(inverse_mass, on_particle);
        }
    }

    /// Pairs of a particle and a neighbour, and particles.
    pub fn neighbor_counts(&self) -> (usize, usize) {
        let counts = self.groups.iter().map(FluidGroup::neighbor_counts);
        counts.fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
    }
}
