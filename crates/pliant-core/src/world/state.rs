//! What moves: saved in checkpoints, hashed for determinism.

use pliant_math::{DVec3, Real, to_real};
use serde::{Deserialize, Serialize};

use super::{EnergyAccount, Refinement, Setup};
use crate::methods::cloth::ClothColumns;
use crate::methods::fluid::FluidColumns;
use crate::methods::rigid::RigidColumns;
use crate::methods::strain_energy::StrainEnergyColumns;
use crate::methods::xpbi::{XpbiColumns, volume_ratio};
use crate::particles::{NewParticle, Particles, ReorderScratch};

/// Everything about a world that changes while it runs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct State {
    /// Simulated time [s].
    pub time: f64,
    /// Number of the last frame reached; 1 is the initial state.
    pub frame: u32,
    /// Substeps taken.
    pub substeps: u64,
    /// Columns that all methods share.
    pub particles: Particles,
    /// Columns of the method `xpbi`, in the same order.
    pub xpbi: XpbiColumns,
    /// Columns of the method `fluid`, in the same order.
    pub fluid: FluidColumns,
    /// State of the method `cloth`.
    pub cloth: ClothColumns,
    /// State of the method `strain-energy`.
    pub strain_energy: StrainEnergyColumns,
    /// State of the method `rigid`.
    pub rigid: RigidColumns,
    /// The id of the next particle born.
    pub next_id: u32,
    /// Particles removed because they left the bounds.
    pub removed: u64,
    /// Fraction of a particle that each emitter still owes.
    pub owed: Vec<f64>,
    /// What the world has been given and has lost.
    pub account: EnergyAccount,
    /// How finely frames are divided.
    pub refinement: Refinement,
}

impl State {
    /// The initial state of a setup.
    pub fn initial(setup: &Setup) -> Self {
        let mut state = Self {
            frame: 1,
            owed: vec![0.0; setup.emitters.len()],
            cloth: ClothColumns::whole(setup.cloth().triangle_count()),
            strain_energy: StrainEnergyColumns::at_rest(&setup.strain_energy()),
            rigid: RigidColumns::at_start(&setup.rigid()),
            ..Self::default()
        };
        for (number, body) in setup.bodies.iter().enumerate() {
            let start = &body.particles;
            for (k, &position) in start.position.iter().enumerate() {
                state.add(
                    setup,
                    number as u32,
                    position,
                    start.velocity[k],
                    start.is_pinned[k],
                );
            }
            let first = state.particles.len() - start.position.len();
            for (k, _) in start.share.iter().enumerate() {
                state.particles.set_mass(first + k, start.mass(k) as Real);
            }
        }
        state
    }

    /// Volume of a particle over its rest volume. A fluid that is less dense than at rest has a free
    /// surface near and counts as at rest.
    pub fn volume_ratio(&self, i: usize) -> Real {
        volume_ratio(self.xpbi.strain[i]) / (1.0 + self.fluid.compression[i].max(0.0))
    }

    /// Puts particle `order[k]` at place `k`, every column together; particles not named are removed.
    pub fn reorder(&mut self, order: &[u32], scratch: &mut ReorderScratch) {
        let count = self.particles.len() as u32;
        let stays = (0..count).eq(order.iter().copied());
        if stays {
            return;
        }
        self.particles.reorder(order, scratch);
        self.xpbi.reorder(order, scratch);
        self.fluid.reorder(order, scratch);
    }

    /// Adds an undeformed particle of a body.
    pub fn add(
        &mut self,
        setup: &Setup,
        body: u32,
        position: DVec3,
        velocity: DVec3,
        is_pinned: bool,
    ) {
        let of_body = &setup.bodies[body as usize];
        self.particles.push(NewParticle {
            position,
            velocity: if is_pinned {
                to_real(DVec3::ZERO)
            } else {
                to_real(velocity)
            },
            mass: of_body.particles.particle_mass as Real,
            is_pinned,
            radius: setup.contact_radius(of_body) as Real,
            body,
            id: self.next_id,
        });
        self.xpbi
            .push(setup.materials[of_body.material as usize].initial_state());
        self.fluid.push();
        self.next_id += 1;
    }
}
