//! The method as the bodies of a world name it.

use super::{GranuleColumns, Granules, bodies_of};
use crate::method::{JoinedBody, LongestStep, Method, MethodState};
use crate::world::{MethodKind, Setup};

/// Grains that meet as contacts only.
#[derive(Debug)]
pub(super) struct Kind;

/// Granules nearer than so many diameters touch.
const TOUCH: f64 = 1.05;

impl MethodKind for Kind {
    fn name(&self) -> &'static str {
        "granules"
    }

    fn can_be_fed(&self) -> bool {
        true
    }

    fn solver(&self, setup: &Setup) -> Option<Box<dyn Method>> {
        Some(Box::new(Granules::new(bodies_of(setup))))
    }

    fn initial_state(&self, _: &Setup) -> Option<Box<dyn MethodState>> {
        Some(Box::new(GranuleColumns::default()))
    }

    fn longest_step(&self, setup: &Setup, body: u32) -> LongestStep {
        let spacing = setup.bodies[body as usize].spacing;
        LongestStep::of_fall(spacing, setup.gravity.length())
    }

    fn joined(&self, setup: &Setup) -> Vec<Vec<JoinedBody>> {
        let granules = Granules::new(bodies_of(setup));
        let mut groups = vec![Vec::new(); granules.continuum_count() as usize];
        for (number, body) in (0..).zip(&setup.bodies) {
            if let Some(group) = granules.continuum_of(number) {
                groups[group as usize].push(JoinedBody {
                    body: number,
                    reach: TOUCH * body.spacing,
                });
            }
        }
        groups
    }
}
