//! What moves: saved in checkpoints, hashed for determinism.

use pliant_math::{DVec3, Real, to_real};
use serde::{Deserialize, Serialize};

use super::Setup;
use crate::methods::xpbi::XpbiColumns;
use crate::particles::{NewParticle, Particles};

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
    /// The id of the next particle born.
    pub next_id: u32,
    /// Particles removed because they left the bounds.
    pub removed: u64,
    /// Fraction of a particle that each emitter still owes.
    pub owed: Vec<f64>,
}

impl State {
    /// The initial state of a setup.
    pub fn initial(setup: &Setup) -> Self {
        let mut state = Self {
            frame: 1,
            owed: vec![0.0; setup.emitters.len()],
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
        }
        state
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
            radius: (0.5 * of_body.spacing) as Real,
            body,
            id: self.next_id,
        });
        self.xpbi
            .push(setup.materials[of_body.material as usize].initial_state());
        self.next_id += 1;
    }
}
