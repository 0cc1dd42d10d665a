//! What moves: saved in checkpoints, hashed for determinism.

use pliant_math::{DVec3, Real, to_real};
use serde::{Deserialize, Serialize};

use super::{Drive, EnergyAccount, NumberedBody, Refinement, Setup, drive};
use crate::method::MethodStates;
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
    /// What methods keep; columns of particles are in the same order.
    #[serde(skip)]
    pub methods: MethodStates,
    /// The id of the next particle born.
    pub next_id: u32,
    /// Particles removed because they left the bounds.
    pub removed: u64,
    /// Fraction of a particle that each emitter still owes.
    pub owed: Vec<f64>,
    /// How driven colliders move.
    pub(crate) drives: Vec<Drive>,
    /// What the world has been given and has lost.
    pub account: EnergyAccount,
    /// How finely frames are divided.
    pub refinement: Refinement,
}

impl State {
    /// A state of a setup without particles.
    pub fn empty(setup: &Setup) -> Self {
        Self {
            frame: 1,
            owed: vec![0.0; setup.emitters.len()],
            drives: drive::drives(setup),
            methods: method_states(setup),
            ..Self::default()
        }
    }

    /// The initial state of a setup.
    pub fn initial(setup: &Setup) -> Self {
        let mut state = Self::empty(setup);
        for numbered in setup.numbered() {
            state.start(setup, numbered);
        }
        state
    }

    /// Adds the particles that a body starts with.
    fn start(&mut self, setup: &Setup, numbered: NumberedBody<'_>) {
        let start = &numbered.body.particles;
        self.next_id = numbered.first_id;
        let first = self.particles.len();
        for (k, &position) in start.position.iter().enumerate() {
            let (velocity, is_pinned) = (start.velocity[k], start.is_pinned[k]);
            self.add(setup, numbered.number, position, velocity, is_pinned);
        }
        for (k, _) in start.share.iter().enumerate() {
            self.particles.set_mass(first + k, start.mass(k) as Real);
        }
    }

    /// Becomes a state of constants that have further bodies behind those that it had.
    pub(super) fn grow(&mut self, setup: &Setup, bodies_before: usize) {
        let mut methods = method_states(setup);
        let of_body = &self.particles.body;
        methods.continue_from(std::mem::take(&mut self.methods), |state| {
            for &body in of_body {
                let material = setup.bodies[body as usize].material;
                state.push(setup.materials[material as usize].initial_state());
            }
        });
        self.methods = methods;
        for numbered in setup.numbered().skip(bodies_before) {
            self.start(setup, numbered);
        }
    }

    /// Puts particle `order[k]` at place `k`, every column together; particles not named are removed.
    pub fn reorder(&mut self, order: &[u32], scratch: &mut ReorderScratch) {
        let count = self.particles.len() as u32;
        let stays = (0..count).eq(order.iter().copied());
        if stays {
            return;
        }
        self.particles.reorder(order, scratch);
        for state in self.methods.iter_mut() {
            state.reorder(order, scratch);
        }
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
            radius: of_body.method.contact_radius(setup, of_body) as Real,
            body,
            id: self.next_id,
        });
        let initial_state = setup.materials[of_body.material as usize].initial_state();
        for state in self.methods.iter_mut() {
            state.push(initial_state);
        }
        self.next_id += 1;
    }
}

/// What the methods of a setup keep, before particles are added.
pub(super) fn method_states(setup: &Setup) -> MethodStates {
    let mut states = MethodStates::default();
    for method in setup.methods() {
        if let Some(state) = method.initial_state(setup) {
            states.add(method.name(), state);
        }
    }
    states
}
