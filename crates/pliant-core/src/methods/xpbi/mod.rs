//! Position-based inelasticity: updated-Lagrangian particles whose constraint is their elastic energy.
//!
//! Paper: Yu et al. 2024, "XPBI: Position-Based Dynamics with Smoothing Kernels Handles Continuum
//! Inelasticity".
//!
//! | paper | here |
//! | --- | --- |
//! | Alg. 1, line 2: neighbour search | [`Xpbi::find`], `crate::interactions` |
//! | eq. 5, 6: kernel correction | `crate::kernels::Correction` |
//! | eq. 10: trial deformation | `deformation` |
//! | eq. 17–19: projection | `tensor` (default), `scalar` (the paper's) |
//! | sec. 4.3: coloured Gauss–Seidel | `sweep`, `crate::interactions::rows` |
//! | sec. 4.4: position correction | `crate::constraints::minimum_distance`, or `maximum_density` |
//! | eq. 20: XSPH | `crate::interactions::smoothing` |
//! | eq. 22: implicit plasticity | `flow` |
//!
//! Reads and writes: velocities. Keeps: E = b - I and one plastic scalar a particle (`columns`).
//! Scratch: everything in [`Continuum`].
//! Invariants: linear momentum; angular momentum without XSPH and outside of limited steps.
//! Not here: contacts (`crate::contacts`), constitutive laws (`pliant-materials`).

mod columns;
mod continuum;
mod deformation;
mod flow;
mod gather;
mod held;
mod kind;
mod method;
mod plain;
mod residual;
mod scalar;
mod settings;
mod setup;
mod state;
mod sweep;
mod tensor;

pub use columns::XpbiColumns;
pub use continuum::Continuum;
pub use deformation::{trial_hencky_strain, volume_ratio};
pub use gather::Gather;
pub use plain::PlainSweep;
pub use settings::{
    GradientPrecision, Multiplier, PlasticityScheme, PositionCorrection, XpbiSettings,
};
pub use setup::{XpbiBody, XpbiSetup};

use pliant_math::simd::Instructions;
use pliant_math::{DVec3, Real};

use crate::method::MethodState;
use crate::particles::{Particles, ReorderScratch};

/// The method, as bodies name it.
pub const XPBI: &dyn crate::world::MethodKind = &kind::Kind;

/// The method for all its bodies: a continuum for each support radius.
#[derive(Debug)]
pub struct Xpbi {
    /// The continua; bodies of different ones interact by contacts only.
    pub continua: Vec<Continuum>,
    /// Constants of the run.
    pub setup: XpbiSetup,
    /// Continuum of each body of this method.
    continuum_of_body: Vec<Option<u32>>,
    members: Vec<u32>,
}

impl Xpbi {
    /// Groups the bodies into continua.
    pub fn new(setup: XpbiSetup) -> Self {
        let groups = setup.continua();
        let mut continuum_of_body = vec![None; setup.bodies.len()];
        let mut continua = Vec::new();
        for (number, bodies) in groups.iter().enumerate() {
            continua.push(Continuum::new(&setup, bodies));
            for &body in bodies {
                continuum_of_body[body as usize] = Some(number as u32);
            }
        }
        Self {
            continua,
            setup,
            continuum_of_body,
            members: Vec::new(),
        }
    }

    /// Sorts the particles in space and finds neighbours, gradients and the pairs that may come too
    /// close within `dt` [s].
    pub fn find(
        &mut self,
        particles: &mut Particles,
        columns: &mut XpbiColumns,
        scratch: &mut ReorderScratch,
        dt: f64,
    ) {
        let mut order = Vec::new();
        self.sort(particles, &mut order);
        particles.reorder(&order, scratch);
        columns.reorder(&order, scratch);
        self.search(particles, columns, dt);
    }

    /// Appends the places of its particles to `order`, sorted in space: there they must stand when
    /// neighbours are searched.
    pub fn sort(&mut self, particles: &Particles, order: &mut Vec<u32>) {
        for (number, continuum) in self.continua.iter_mut().enumerate() {
            let of_body = &self.continuum_of_body;
            let belongs = |body: u32| of_body[body as usize] == Some(number as u32);
            self.members.clear();
            particles.claim(&mut self.members, belongs);
            continuum.sort(&self.members, particles, &self.setup, order);
        }
    }

    /// Finds neighbours, gradients and close pairs of the sorted particles.
    pub fn search(&mut self, particles: &Particles, columns: &XpbiColumns, dt: f64) {
        for continuum in &mut self.continua {
            continuum.find(particles, columns, &self.setup, dt);
        }
    }

    /// Computes with other instructions than the best that the processor has; the bits are the same.
    pub fn set_instructions(&mut self, instructions: Instructions) {
        for continuum in &mut self.continua {
            continuum.instructions = instructions;
        }
    }

    /// The continuum of a body, `None` for one of another method.
    pub fn continuum_of(&self, body: u32) -> Option<u32> {
        self.continuum_of_body[body as usize]
    }

    /// Applies the impulse of the stress at the start of the substep and readies the multipliers.
    pub fn start_warm(&mut self, particles: &mut Particles, dt: f64) {
        for continuum in &mut self.continua {
            continuum.start_warm(particles, &self.setup, dt);
        }
    }

    /// One sweep over all particles.
    pub fn project(&mut self, particles: &mut Particles, dt: f64) {
        for continuum in &mut self.continua {
            continuum.sweep(particles, &self.setup, dt);
        }
    }

    /// Takes crowded particles apart.
    pub fn correct_positions(&mut self, particles: &mut Particles, push_out_speed: f64, dt: f64) {
        for continuum in &mut self.continua {
            continuum.correct_positions(particles, &self.setup, push_out_speed, dt);
        }
    }

    /// XSPH at a rate [1/s].
    pub fn smooth(&mut self, particles: &mut Particles, rate: f64, dt: f64) {
        for continuum in &mut self.continua {
            continuum.smooth(particles, rate, dt);
        }
    }

    /// Finds what XSPH is about to give held particles, for [`Self::add_impulses`].
    pub fn find_held_xsph_impulses(&mut self, particles: &Particles, rate: f64, dt: f64) {
        for continuum in &mut self.continua {
            continuum.find_held_xsph_impulses(particles, rate, dt);
        }
    }

    /// Commits deformation and plastic state.
    pub fn flow(&mut self, particles: &Particles, columns: &mut XpbiColumns, dt: f64) {
        for continuum in &mut self.continua {
            continuum.flow(particles, columns, &self.setup, dt);
        }
    }

    /// Adds the impulses [N s] on particles that are held; see [`Continuum::add_impulses`].
    pub fn add_impulses(
        &self,
        columns: &XpbiColumns,
        inverse_mass: &[Real],
        dt: f64,
        on_particle: &mut [DVec3],
    ) {
        for continuum in &self.continua {
            continuum.add_impulses(&self.setup, columns, inverse_mass, dt, on_particle);
        }
    }

    /// The dual residual's sums; see [`crate::methods::relative_residual`].
    pub fn residual(&self, particles: &Particles, dt: f64) -> (f64, f64) {
        let each = |c: &Continuum| c.residual(particles, &self.setup, dt);
        let add = |a: (f64, f64), b: (f64, f64)| (a.0 + b.0, a.1 + b.1);
        self.continua.iter().map(each).fold((0.0, 0.0), add)
    }

    /// Norm of the momentum equation's left side [kg m/s]; see [`Continuum::momentum_residual`].
    pub fn momentum_residual(
        &self,
        particles: &Particles,
        columns: &XpbiColumns,
        free_velocity: &[pliant_math::Vec3],
        dt: f64,
    ) -> f64 {
        let square = |c: &Continuum| {
            let norm = c.momentum_residual(particles, columns, &self.setup, free_velocity, dt);
            norm * norm
        };
        self.continua.iter().map(square).sum::<f64>().sqrt()
    }

    /// Pairs of a particle and a neighbour, and particles.
    pub fn neighbor_counts(&self) -> (usize, usize) {
        let pairs = |c: &Continuum| c.neighbors.interactions.count();
        let particles = |c: &Continuum| c.range.len();
        let continua = self.continua.iter();
        (
            continua.clone().map(pairs).sum(),
            continua.map(particles).sum(),
        )
    }

    /// Share of particles whose gradient is not exact for every linear field.
    pub fn deficient_share(&self) -> f64 {
        let deficient = |c: &Continuum| c.neighbors.deficient_count();
        let count: usize = self.continua.iter().map(deficient).sum();
        let particles: usize = self.continua.iter().map(|c| c.range.len()).sum();
        count as f64 / particles.max(1) as f64
    }
}
