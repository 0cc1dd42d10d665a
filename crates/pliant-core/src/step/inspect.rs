//! Checks of the state before it is committed.

use pliant_math::Vec3;

use super::{StepError, Trouble};
use crate::parallel;
use crate::world::{OnExit, World};

/// A particle that crosses so many support radii in a substep has blown up.
const GREATEST_CROSSING: f64 = 100.0;

/// Finds the first particle with a velocity that is not finite, absurd, or that leaves stopping bounds.
pub fn inspect(world: &World, dt: f64) -> Result<(), StepError> {
    let particles = &world.state.particles;
    let widest = world
        .setup
        .bodies
        .iter()
        .map(|b| b.support_radius)
        .fold(0.0, f64::max);
    let limit = GREATEST_CROSSING * widest / dt;
    let trouble_of = |i: usize| trouble(particles.velocity[i], limit).or_else(|| outside(world, i));
    let first = parallel::ordered_fold(
        particles.len(),
        None,
        |mut range| range.find_map(|i| trouble_of(i).map(|t| (i, t))),
        |a, b| a.or(b),
    );
    match first {
        None => Ok(()),
        Some((i, trouble)) => Err(StepError::of(
            trouble,
            i,
            particles,
            &world.setup,
            (world.state.time, world.state.substeps + 1),
        )),
    }
}

fn trouble(velocity: Vec3, limit: f64) -> Option<Trouble> {
    let speed = f64::from(velocity.length());
    if !speed.is_finite() {
        Some(Trouble::NotFinite)
    } else if speed > limit {
        Some(Trouble::TooFast { speed })
    } else {
        None
    }
}

fn outside(world: &World, i: usize) -> Option<Trouble> {
    let bounds = world.setup.bounds.filter(|b| b.on_exit == OnExit::Stop)?;
    let x = world.state.particles.position[i];
    let inside = x.cmpge(bounds.min).all() && x.cmple(bounds.max).all();
    (!inside).then_some(Trouble::OutOfBounds)
}
