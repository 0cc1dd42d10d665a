//! The method as the bodies of a world name it.

use super::{RigidColumns, RigidSetup};
use crate::method::{LongestStep, Method, MethodState, MethodStates};
use crate::world::{MethodKind, MovedParticles, Setup, State};

/// Longest automatic step with rigid bodies [s].
const LONGEST_STEP: f64 = 0.005;

/// What does not deform.
#[derive(Debug)]
pub(super) struct Kind;

impl MethodKind for Kind {
    fn name(&self) -> &'static str {
        "rigid"
    }

    fn solver(&self, _: &Setup) -> Option<Box<dyn Method>> {
        None
    }

    fn is_rigid(&self) -> bool {
        true
    }

    fn initial_state(&self, setup: &Setup) -> Option<Box<dyn MethodState>> {
        Some(Box::new(RigidColumns::at_start(&RigidSetup::of(setup))))
    }

    fn check_state(&self, setup: &Setup, states: &MethodStates) -> Result<(), String> {
        states.of::<RigidColumns>().check(&RigidSetup::of(setup))
    }

    /// Who is moved wakes up.
    fn take_note_of(&self, setup: &Setup, state: &mut State, moved: &MovedParticles) {
        let particles = &state.particles;
        let columns: &mut RigidColumns = state.methods.of_mut();
        let is_rigid = |place: usize| {
            let body = particles.body[place] as usize;
            setup.bodies[body].method.is_rigid()
        };
        let places = moved.position.iter().chain(&moved.velocity);
        let places = places.map(|&place| place as usize);
        let bodies = RigidSetup::of(setup).bodies;
        for place in places.filter(|&place| is_rigid(place)) {
            let id = particles.id[place];
            if let Some(number) = bodies.iter().position(|body| body.id == id) {
                columns.time_at_rest[number] = 0.0;
            }
        }
    }

    fn longest_step(&self, _: &Setup, _: u32) -> LongestStep {
        LongestStep {
            seconds: LONGEST_STEP,
            reason: "a fall in it may end a tenth of a millimetre deep",
        }
    }
}
