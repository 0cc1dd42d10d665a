//! The method as the bodies of a world name it.

use super::{RigidColumns, RigidSetup};
use crate::method::{LongestStep, Method, MethodState, MethodStates};
use crate::world::{MethodKind, Setup};

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

    fn longest_step(&self, _: &Setup, _: u32) -> LongestStep {
        LongestStep {
            seconds: LONGEST_STEP,
            reason: "a fall in it may end a tenth of a millimetre deep",
        }
    }
}
