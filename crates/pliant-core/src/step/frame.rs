//! A frame: as many equal substeps as it takes, and again with more of them if they made energy.

use std::ops::ControlFlow;

use pliant_math::DVec3;

use super::audit::{self, Audit};
use super::{MOST_SUBSTEPS, StepError, StepReport, Stepper, Trouble, frame_substeps};
use crate::clock::Stopwatch;
use crate::measure::FrameReport;
use crate::world::{State, World};

/// A frame is done again at most so often, each time with half the step.
const MOST_HALVINGS: u32 = 6;
/// Its step is halved at most so often, those of frames before included.
const MOST_HALVINGS_KEPT: u32 = 12;
/// A gain that a shorter step does not bring below this part of it...
const LESSENED: f64 = 0.7;
/// ...and one of half that length neither, does not come from the step...
const MOST_IN_VAIN: u32 = 2;
/// ...and is kept if it is less than this part of what there was to be spent.
const FATAL: f64 = 0.25;

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
    /// How often this frame was taken back.
    pub redone: u32,
}

/// Advances a world by one frame, calling `progress` after each substep.
///
/// Where the step is left to the engine, a frame that made energy or blew up is taken back and done again
/// with half the step, up to six times; later frames try a longer one again. A gain that shorter steps do
/// not lessen is no error of the step: it is kept, and reported. A given `solver.time_step` is taken as
/// it is.
///
/// # Errors
/// If a substep fails, or the shortest step makes much energy too; the world is then not to be used any
/// further.
pub fn advance_frame(
    world: &mut World,
    stepper: &mut dyn Stepper,
    progress: &mut dyn FnMut(Progress),
) -> Result<FrameReport, StepError> {
    let clock = Stopwatch::start();
    let audit = Audit::start(world, |world| stepper.energies(world));
    let watch: Watch<'_> = &mut |so_far, _| {
        progress(so_far);
        ControlFlow::Continue(())
    };
    let advanced = match world.setup.solver.time_step {
        Some(_) => Attempt::default().run(world, stepper, watch, &audit)?,
        None => paid_frame(world, stepper, watch, &audit)?,
    };
    // Nobody breaks off, so there is always a report.
    Ok(timed(advanced.unwrap_or_default(), &clock))
}

/// The same for as long as `watch`, called after each substep, says to go on. `None` if it broke the frame
/// off: the world is then as it was before.
///
/// # Errors
/// As for [`advance_frame`].
pub fn advance_frame_while(
    world: &mut World,
    stepper: &mut dyn Stepper,
    watch: Watch<'_>,
) -> Result<Option<FrameReport>, StepError> {
    let clock = Stopwatch::start();
    let audit = Audit::start(world, |world| stepper.energies(world));
    let advanced = match world.setup.solver.time_step {
        Some(_) => {
            let saved = world.state.clone();
            let advanced = Attempt::default().run(world, stepper, watch, &audit)?;
            if advanced.is_none() {
                take_back(world, &saved, stepper);
            }
            advanced
        }
        None => paid_frame(world, stepper, watch, &audit)?,
    };
    Ok(advanced.map(|report| timed(report, &clock)))
}

/// Somebody who is told how far a frame has come, sees the world there, and may break it off.
pub type Watch<'a> = &'a mut dyn FnMut(Progress, &World) -> ControlFlow<()>;

fn timed(report: FrameReport, clock: &Stopwatch) -> FrameReport {
    let wall = clock.seconds();
    FrameReport { wall, ..report }
}

/// A frame that was paid for, with as short a step as that takes; `None` if it was broken off and taken back.
fn paid_frame(
    world: &mut World,
    stepper: &mut dyn Stepper,
    watch: Watch<'_>,
    audit: &Audit,
) -> Result<Option<FrameReport>, StepError> {
    let saved = world.state.clone();
    let first = saved.refinement.to_try();
    let mut best: Option<Candidate> = None;
    let (mut last_error, mut in_vain) = (None, 0);
    for redone in 0..=MOST_HALVINGS.min(MOST_HALVINGS_KEPT.saturating_sub(first)) {
        if redone > 0 {
            take_back(world, &saved, stepper);
        }
        let halvings = first + redone;
        let attempt = Attempt { halvings, redone };
        match attempt.run(world, stepper, watch, audit) {
            Ok(None) => {
                take_back(world, &saved, stepper);
                return Ok(None);
            }
            Ok(Some(report)) if audit::is_paid_for(&report, saved.refinement.tolerated) => {
                world.state.refinement.accept(halvings);
                return Ok(Some(FrameReport { redone, ..report }));
            }
            Ok(Some(report)) => {
                let share = report.gained_share;
                let lessened = best.as_ref().is_none_or(|b| share < LESSENED * b.share());
                in_vain = if lessened { 0 } else { in_vain + 1 };
                if lessened {
                    let state = world.state.clone();
                    best = Some(Candidate {
                        halvings,
                        state,
                        report,
                    });
                } else if in_vain == MOST_IN_VAIN
                    && best.as_ref().is_some_and(|b| b.share() < FATAL)
                {
                    break;
                }
            }
            Err(error) if !error.trouble.may_be_the_step() => return Err(error),
            Err(error) => last_error = Some(error),
        }
    }
    match (best, last_error) {
        (Some(best), _) if best.share() < FATAL => {
            take_back(world, &best.state, stepper);
            world.state.refinement.accept(best.halvings);
            world.state.refinement.tolerate(best.share());
            Ok(Some(FrameReport {
                redone: best.halvings - first,
                ..best.report
            }))
        }
        (None, Some(error)) => Err(error),
        (best, _) => Err(unpaid(world, &best.map(|b| b.report).unwrap_or_default())),
    }
}

/// A frame as one step length leaves it.
struct Candidate {
    halvings: u32,
    state: State,
    report: FrameReport,
}

impl Candidate {
    fn share(&self) -> f64 {
        self.report.gained_share
    }
}

/// Puts a world into another state, of which the stepper's scratch knows nothing.
fn take_back(world: &mut World, state: &State, stepper: &mut dyn Stepper) {
    world.state = state.clone();
    stepper.forget();
}

fn unpaid(world: &World, report: &FrameReport) -> StepError {
    let trouble = Trouble::UnpaidEnergy {
        gained: report.gained,
        share: report.gained_share,
    };
    StepError::of(trouble, audit::suspect(world), world)
}

/// Adds a substep to the report of a frame of a length [s].
fn add(report: &mut FrameReport, step: &StepReport, frame: f64) {
    report.times.add_all(&step.times);
    report.sweep_time += step.sweep_time;
    for (force, impulse) in report.collider_force.iter_mut().zip(&step.collider_impulse) {
        *force += *impulse / frame;
    }
    (report.contacts, report.neighbors) = (step.contacts, step.neighbors);
    (report.residual, report.deficient_share) = (step.residual, step.deficient_share);
    report.work = report.work.plus(&step.work);
}

/// One try at a frame.
#[derive(Clone, Copy, Debug, Default)]
struct Attempt {
    /// How often the step of the frame is halved.
    halvings: u32,
    /// How often the frame was taken back before.
    redone: u32,
}

impl Attempt {
    /// The frame; `None` if it was broken off, which leaves it half done.
    fn run(
        self,
        world: &mut World,
        stepper: &mut dyn Stepper,
        watch: Watch<'_>,
        audit: &Audit,
    ) -> Result<Option<FrameReport>, StepError> {
        let of = self.substeps(world)?;
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
            add(&mut report, &step, frame);
            let so_far = Progress {
                done,
                of,
                time: world.state.time,
                particles: world.state.particles.len(),
                redone: self.redone,
            };
            if watch(so_far, world).is_break() {
                return Ok(None);
            }
        }
        world.state.frame += 1;
        // The time of a frame is its number over the rate, not a sum of rounded steps.
        world.state.time = f64::from(world.state.frame - 1) / world.setup.frame_rate;
        let energies = stepper.energies(world);
        world.state.account = audit.close(world, energies, &mut report);
        Ok(Some(report))
    }

    /// The substeps of the frame, an error that names the fastest particle if they have no end.
    fn substeps(self, world: &World) -> Result<u64, StepError> {
        let count = frame_substeps(&world.setup, &world.state) * f64::from(1_u32 << self.halvings);
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
}
