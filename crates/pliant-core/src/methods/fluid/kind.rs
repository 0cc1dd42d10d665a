//! The method as the bodies of a world name it.

use super::{Fluid, FluidColumns, FluidSetup};
use crate::method::{JoinedBody, LongestStep, Method, MethodState, Readings};
use crate::world::{MethodKind, Setup, World};

/// Position-based fluid.
#[derive(Debug)]
pub(super) struct Kind;

impl MethodKind for Kind {
    fn name(&self) -> &'static str {
        "fluid"
    }

    fn can_be_fed(&self) -> bool {
        true
    }

    fn solver(&self, setup: &Setup) -> Option<Box<dyn Method>> {
        Some(Box::new(Fluid::new(FluidSetup::of(setup))))
    }

    fn initial_state(&self, _: &Setup) -> Option<Box<dyn MethodState>> {
        Some(Box::new(FluidColumns::default()))
    }

    fn longest_step(&self, setup: &Setup, body: u32) -> LongestStep {
        let spacing = setup.bodies[body as usize].spacing;
        LongestStep::of_fall(spacing, setup.gravity.length())
    }

    /// A fluid that is less dense than at rest has a free surface near and counts as at rest.
    fn read(&self, world: &World, readings: &mut Readings) {
        let columns: &FluidColumns = world.state.methods.of();
        for (reading, compression) in readings.of_place.iter_mut().zip(&columns.compression) {
            // Of other methods nothing is compressed.
            if *compression > 0.0 {
                reading.volume_ratio = f64::from(1.0 / (1.0 + compression));
            }
        }
    }

    fn joined(&self, setup: &Setup) -> Vec<Vec<JoinedBody>> {
        setup.joined_within_support(FluidSetup::of(setup).groups())
    }
}
