//! Checks of the state before it moves on.

use pliant_math::Vec3;

use super::{StepError, Trouble};
use crate::method::{Method, Methods};
use crate::parallel;
use crate::world::{OnExit, Setup, World};

/// A particle that crosses so many support radii in a substep has blown up.
const GREATEST_CROSSING: f64 = 100.0;

/// A particle stretched by such a factor has blown up; energies and volumes of its strain would soon
/// leave the range of single precision.
const GREATEST_STRETCH: f64 = 1e4;

/// Finds the first particle whose velocity is not finite or absurd, or that is outside of stopping
/// bounds.
pub fn inspect_velocity(world: &World, dt: f64) -> Result<(), StepError> {
    let particles = &world.state.particles;
    let limit = greatest_crossing_speed(&world.setup, dt);
    first_trouble(world, |i| {
        trouble(particles.velocity[i], limit).or_else(|| outside(world, i))
    })
}

/// Greatest speed [m/s] of a particle in a step of `dt` [s] that has not blown up.
pub fn greatest_crossing_speed(setup: &Setup, dt: f64) -> f64 {
    let supports = setup.bodies.iter().map(|b| b.support_radius);
    GREATEST_CROSSING * supports.fold(0.0, f64::max) / dt
}

/// Finds the first particle whose strain or history, just committed, is not finite or absurd.
pub fn inspect_strain(world: &World, methods: &Methods) -> Result<(), StepError> {
    let state = &world.state;
    let greatest = GREATEST_STRETCH * GREATEST_STRETCH;
    let unsound =
        |method: &dyn Method| method.first_unsound(&state.particles, &state.methods, greatest);
    let Some(unsound) = methods.iter().find_map(unsound) else {
        return Ok(());
    };
    let squared = unsound.squared_stretches;
    let trouble = match unsound.volume_ratio {
        Some(volume_ratio) => Trouble::InsideOut { volume_ratio },
        None if squared.is_finite() => Trouble::TooStretched {
            stretch: libm::sqrt(squared),
        },
        None => Trouble::NotFinite,
    };
    Err(StepError::of(trouble, Some(unsound.place), world))
}

/// The error of the first particle that is in trouble.
fn first_trouble(
    world: &World,
    trouble_of: impl Fn(usize) -> Option<Trouble> + Sync,
) -> Result<(), StepError> {
    let first = parallel::ordered_fold(
        world.state.particles.len(),
        None,
        |mut range| range.find_map(|i| trouble_of(i).map(|t| (i, t))),
        |a, b| a.or(b),
    );
    match first {
        None => Ok(()),
        Some((i, trouble)) => Err(StepError::of(trouble, Some(i), world)),
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
    let inside = bounds.contains(world.state.particles.position[i]);
    (!inside).then_some(Trouble::OutOfBounds)
}
