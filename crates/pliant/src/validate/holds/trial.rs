//! A case, run with default settings and checked.

use std::fmt::Display;
use std::path::Path;
use std::time::Instant;

use pliant_core::measure::FrameReport;
use pliant_core::parallel::Pool;
use pliant_core::step::advance_frame;
use pliant_core::world::World;
use pliant_scene::Overrides;

use super::super::MOST_RISEN;
use super::case::{BODY, Case, LOAD};
use super::ladder::Verdict;
use super::weight::Weights;
use crate::backend;
use crate::prepare::Prepared;

/// Particles times substeps of a run; what would take more is not tried.
const MOST_WORK: f64 = 6e6;
/// A run that needs so many times that, because frames are done again with shorter steps, is stopped.
const MOST_OVERRUN: f64 = 4.0;
/// Greatest part of a weight that may be missing or too much.
const MOST_AMISS: f64 = 0.005;

/// What was measured in a run.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// Particles at the start.
    pub particles: u64,
    /// Substeps a second at the start.
    pub substeps: f64,
    /// Frames that were done again.
    pub redone: u32,
    /// Greatest rise of energy that nothing paid for, as a part of what there was.
    pub risen: f64,
    /// What carries the load, over its weight; nothing if it has not come to rest.
    pub on_load: Option<f64>,
    /// What the colliders carry, over all weight; nothing if it has not come to rest.
    pub on_supports: Option<f64>,
    /// Wall time [s].
    pub seconds: f64,
}

/// Runs the case in a scene file.
pub fn run(case: &Case, path: &Path) -> (Verdict, Trial) {
    let start = Instant::now();
    let mut trial = Trial::default();
    let verdict = match Prepared::read(path, &Overrides::default()) {
        Ok(prepared) => judged(case, prepared, &mut trial),
        Err(errors) => Verdict::Failed(errors.to_string()),
    };
    trial.seconds = start.elapsed().as_secs_f64();
    (verdict, trial)
}

/// Fills in what is measured, as far as the run comes.
fn judged(case: &Case, prepared: Prepared, trial: &mut Trial) -> Verdict {
    let estimate = &prepared.built.estimate;
    let setup = prepared.built.setup;
    trial.particles = estimate.particle_count;
    trial.substeps = f64::from(estimate.substeps_per_frame) * setup.frame_rate;
    let frames = estimate.frame_count;
    let work = f64::from(estimate.substeps_per_frame) * f64::from(frames) * trial.particles as f64;
    if work > MOST_WORK {
        return Verdict::TooExpensive(format!("{} substeps a second", trial.substeps));
    }
    let mut world = World::new(setup);
    let mut weights = Weights::default();
    if let Err(verdict) = advance(case, &mut world, frames, &mut weights, trial) {
        return verdict;
    }
    if !case.comes_to_rest {
        return Verdict::Held;
    }
    (trial.on_load, trial.on_supports) = weights.shares(&world.setup);
    amiss(trial)
}

/// Runs all frames.
///
/// # Errors
/// What ends the run before.
fn advance(
    case: &Case,
    world: &mut World,
    frames: u32,
    weights: &mut Weights,
    trial: &mut Trial,
) -> Result<(), Verdict> {
    let failed = |error: &dyn Display| Verdict::Failed(error.to_string());
    let pool = Pool::new(1).map_err(|e| failed(&e))?;
    let mut stepper = backend::stepper(&pool);
    let mut work = 0.0;
    for _ in 0..frames {
        let report = advance_frame(world, stepper.as_mut(), &mut |progress| {
            work += progress.particles as f64;
        })
        .map_err(|e| failed(&e))?;
        weights.add(world, &report);
        if let Some(why) = fault(case, world, &report, trial) {
            return Err(Verdict::Failed(why));
        }
        if work > MOST_OVERRUN * MOST_WORK {
            return Err(Verdict::TooExpensive(format!(
                "frames were repeated {} times, at last with {} substeps a second",
                trial.redone,
                report.substeps as f64 * world.setup.frame_rate
            )));
        }
    }
    Ok(())
}

/// What a frame did that must not be.
fn fault(case: &Case, world: &World, report: &FrameReport, trial: &mut Trial) -> Option<String> {
    trial.redone += report.redone;
    trial.risen = trial.risen.max(world.state.account.risen_share());
    let when = format!("at {:.2} s", world.state.time);
    if trial.risen > MOST_RISEN {
        let percent = 100.0 * trial.risen;
        return Some(format!("energy rose by {percent:.1} % {when}"));
    }
    let particles = &world.state.particles;
    for limit in &case.limits {
        let is_below = |&i: &usize| {
            let body = &world.setup.bodies[particles.body[i] as usize];
            let is_above = particles.position[i].y >= limit.least;
            body.name == limit.body && !is_above
        };
        let below = (0..particles.len()).filter(is_below).count();
        if below > 0 {
            let what = if limit.body == LOAD {
                LOAD
            } else {
                "particles"
            };
            return Some(format!("{below} {what} {} {when}", limit.passed));
        }
    }
    let is_outside = |i: &usize| {
        let x = particles.position[*i];
        let is_inside = x.x.abs().max(x.z.abs()) <= case.half_width;
        world.setup.bodies[particles.body[*i] as usize].name == BODY && !is_inside
    };
    let outside = (0..particles.len()).filter(is_outside).count();
    (outside > 0).then(|| format!("{outside} particles through a wall {when}"))
}

/// Whether weights are as expected, as far as they can be told.
fn amiss(trial: &Trial) -> Verdict {
    let shares = [
        (trial.on_load, "of the load"),
        (trial.on_supports, "of all"),
    ];
    let is_right = |share: &f64| (share - 1.0).abs() <= MOST_AMISS;
    for (share, whose) in shares {
        if let Some(share) = share.filter(|share| !is_right(share)) {
            let percent = 100.0 * share;
            return Verdict::Failed(format!("{percent:.2} % of the weight {whose} is carried"));
        }
    }
    Verdict::Held
}
