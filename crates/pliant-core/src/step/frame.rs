//! A frame: as many equal substeps as it takes.

use std::time::Instant;

use pliant_math::DVec3;

use super::{MOST_SUBSTEPS, StepError, Stepper, Trouble, frame_substeps};
use crate::measure::FrameReport;
use crate::world::World;

/// How far a frame has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Substeps done.
    pub done: u64,
    /// Substeps of the frame.
    pub of: u64,
    /// Simulated time [s].
    pub time: f64,
    /// Particles now.
    pub particles: usize,
}

/// Advances a world by one frame, calling `progress` after each substep.
///
/// # Errors
/// If a substep fails; the world is then not to be used any further.
pub fn advance_frame(
    world: &mut World,
    stepper: &mut dyn Stepper,
    progress: &mut dyn FnMut(Progress),
) -> Result<FrameReport, StepError> {
    let start = Instant::now();
    let of = resolved_substeps(world)?;
    let frame = 1.0 / world.setup.frame_rate;
    let dt = frame / of as f64;
    let mut report = FrameReport {
        substeps: of,
        dt,
        collider_force: vec![DVec3::ZERO; world.setup.colliders.len()],
        ..FrameReport::default()
    };
    for done in 1..=of {
        stepper.measure_residual(done == of);
        let step = stepper.substep(world, dt)?;
        report.times.add_all(&step.times);
        report.sweep_time += step.sweep_time;
        for (force, impulse) in report.collider_force.iter_mut().zip(&step.collider_impulse) {
            *force += *impulse / frame;
        }
        (report.contacts, report.neighbors) = (step.contacts, step.neighbors);
        (report.residual, report.deficient_share) = (step.residual, step.deficient_share);
        progress(Progress {
            done,
            of,
            time: world.state.time,
            particles: world.state.particles.len(),
        });
    }
    world.state.frame += 1;
    // The time of a frame is its number over the rate, not a sum of rounded steps.
    world.state.time = f64::from(world.state.frame - 1) / world.setup.frame_rate;
    report.wall = start.elapsed().as_secs_f64();
    Ok(report)
}

/// The substeps of the next frame, an error that names the fastest particle if they have no end.
fn resolved_substeps(world: &World) -> Result<u64, StepError> {
    let count = frame_substeps(&world.setup, &world.state);
    if count <= MOST_SUBSTEPS {
        return Ok(count as u64);
    }
    let speeds = world.state.particles.velocity.iter().map(|v| v.length());
    let fastest = speeds.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
    let speed = fastest.map_or(0.0, |(_, speed)| f64::from(speed));
    let trouble = Trouble::TooManySubsteps { count, speed };
    Err(StepError::of(
        trouble,
        fastest.map(|(index, _)| index),
        world,
    ))
}
