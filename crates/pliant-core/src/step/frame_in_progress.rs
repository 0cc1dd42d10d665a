//! A frame that is done substep by substep, and can be left and gone on with between two of them.

use pliant_math::DVec3;

use super::audit::{self, Audit};
use super::{MOST_SUBSTEPS, Progress, StepError, StepReport, Stepper, Trouble, frame_substeps};
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

/// The frame that a world is in. Between its substeps the world may be looked at, but not changed; every call takes
/// the world and the stepper that it was started with.
pub struct FrameInProgress {
    clock: Stopwatch,
    audit: Audit,
    /// The world at the start of the frame.
    saved: State,
    /// Halvings of the step at the first attempt.
    first: u32,
    attempt: Attempt,
    best: Option<Candidate>,
    last_error: Option<StepError>,
    /// Attempts since the last one that gained less.
    in_vain: u32,
    /// True once there is no shorter step to try.
    is_exhausted: bool,
}

impl FrameInProgress {
    /// At the start of the next frame of a world.
    pub fn start(world: &mut World, stepper: &dyn Stepper) -> Self {
        let clock = Stopwatch::start();
        let audit = Audit::start(world, |world| stepper.energies(world));
        let saved = world.state.clone();
        let first = match world.setup.solver.time_step {
            Some(_) => 0,
            None => saved.refinement.to_try(),
        };
        Self {
            clock,
            audit,
            saved,
            first,
            attempt: Attempt::new(first, 0),
            best: None,
            last_error: None,
            in_vain: 0,
            is_exhausted: false,
        }
    }

    /// Does the next substep and tells how far the frame has come; `None` if the substep failed, and the frame was
    /// taken back to be done again with a shorter one.
    ///
    /// # Errors
    /// If the simulation cannot go on. The world is then not to be used any further.
    pub fn substep(
        &mut self,
        world: &mut World,
        stepper: &mut dyn Stepper,
    ) -> Result<Option<Progress>, StepError> {
        match self.attempt.substep(world, stepper) {
            Ok(()) => Ok(Some(self.attempt.progress(world))),
            Err(error) if is_given(world) || !error.trouble.may_be_the_step() => Err(error),
            Err(error) => {
                self.last_error = Some(error);
                self.shorten(world, stepper);
                Ok(None)
            }
        }
    }

    /// After each substep: the report once the frame is done; `None` while substeps are left, or once it was taken
    /// back to be done again.
    ///
    /// # Errors
    /// If the shortest step makes much energy too. The world is then not to be used any further.
    pub fn conclude(
        &mut self,
        world: &mut World,
        stepper: &mut dyn Stepper,
    ) -> Result<Option<FrameReport>, StepError> {
        let mut done = None;
        if self.attempt.is_complete() {
            let report = self.attempt.close(world, stepper, &self.audit);
            done = self.judge(report, world, stepper);
        }
        if done.is_none() && self.is_exhausted {
            done = Some(self.settle(world, stepper)?);
        }
        let wall = self.clock.seconds();
        Ok(done.map(|report| FrameReport { wall, ..report }))
    }

    /// Puts the world back to the start of the frame.
    pub fn take_back(self, world: &mut World, stepper: &mut dyn Stepper) {
        take_back(world, &self.saved, stepper);
    }

    /// The report if the frame may stand: it was paid for, or its step was given.
    fn judge(
        &mut self,
        report: FrameReport,
        world: &mut World,
        stepper: &mut dyn Stepper,
    ) -> Option<FrameReport> {
        let Attempt {
            halvings, redone, ..
        } = self.attempt;
        if is_given(world) {
            return Some(report);
        }
        if audit::is_paid_for(&report, self.saved.refinement.tolerated) {
            world.state.refinement.accept(halvings);
            return Some(FrameReport { redone, ..report });
        }
        let share = report.gained_share;
        let best = self.best.as_ref().map(Candidate::share);
        let is_less = best.is_none_or(|best| share < LESSENED * best);
        self.in_vain = if is_less { 0 } else { self.in_vain + 1 };
        if is_less {
            let state = world.state.clone();
            self.best = Some(Candidate {
                halvings,
                state,
                report,
            });
        }
        let is_in_vain = self.in_vain == MOST_IN_VAIN && best.is_some_and(|best| best < FATAL);
        match is_in_vain {
            true => self.is_exhausted = true,
            false => self.shorten(world, stepper),
        }
        None
    }

    /// Begins the frame again with half the step, as long as it may be halved.
    fn shorten(&mut self, world: &mut World, stepper: &mut dyn Stepper) {
        let most = MOST_HALVINGS.min(MOST_HALVINGS_KEPT.saturating_sub(self.first));
        let redone = self.attempt.redone + 1;
        if redone > most {
            self.is_exhausted = true;
            return;
        }
        take_back(world, &self.saved, stepper);
        self.attempt = Attempt::new(self.first + redone, redone);
    }

    /// The attempt that gained least, if that is not fatal.
    fn settle(
        &mut self,
        world: &mut World,
        stepper: &mut dyn Stepper,
    ) -> Result<FrameReport, StepError> {
        match (self.best.take(), self.last_error.take()) {
            (Some(best), _) if best.share() < FATAL => {
                take_back(world, &best.state, stepper);
                world.state.refinement.accept(best.halvings);
                world.state.refinement.tolerate(best.share());
                Ok(FrameReport {
                    redone: best.halvings - self.first,
                    ..best.report
                })
            }
            (None, Some(error)) => Err(error),
            (best, _) => Err(unpaid(world, &best.map(|b| b.report).unwrap_or_default())),
        }
    }
}

/// True if the scene says how long the step is: then it is taken as it is.
fn is_given(world: &World) -> bool {
    world.setup.solver.time_step.is_some()
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

/// One try at a frame.
struct Attempt {
    /// How often the step of the frame is halved.
    halvings: u32,
    /// How often the frame was taken back before.
    redone: u32,
    /// Substeps done.
    done: u64,
    /// Of so many, with their length, in the report; none before the first.
    report: FrameReport,
}

impl Attempt {
    fn new(halvings: u32, redone: u32) -> Self {
        Self {
            halvings,
            redone,
            done: 0,
            report: FrameReport::default(),
        }
    }

    fn is_complete(&self) -> bool {
        self.done > 0 && self.done == self.report.substeps
    }

    fn substep(&mut self, world: &mut World, stepper: &mut dyn Stepper) -> Result<(), StepError> {
        let frame = 1.0 / world.setup.frame_rate;
        if self.done == 0 {
            let of = self.substeps(world)?;
            self.report = FrameReport {
                substeps: of,
                dt: frame / of as f64,
                collider_force: vec![DVec3::ZERO; world.setup.colliders.len()],
                ..FrameReport::default()
            };
        }
        stepper.measure_residual(self.done + 1 == self.report.substeps);
        let step = stepper.substep(world, self.report.dt)?;
        self.done += 1;
        add(&mut self.report, &step, frame);
        Ok(())
    }

    fn progress(&self, world: &World) -> Progress {
        Progress {
            done: self.done,
            of: self.report.substeps,
            time: world.state.time,
            particles: world.state.particles.len(),
            redone: self.redone,
        }
    }

    /// Counts the frame, and what it did to the account of energy.
    fn close(&mut self, world: &mut World, stepper: &dyn Stepper, audit: &Audit) -> FrameReport {
        world.state.frame += 1;
        // The time of a frame is its number over the rate, not a sum of rounded steps.
        world.state.time = f64::from(world.state.frame - 1) / world.setup.frame_rate;
        let energies = stepper.energies(world);
        let mut report = std::mem::take(&mut self.report);
        world.state.account = audit.close(world, energies, &mut report);
        report
    }

    /// The substeps of the frame, an error that names the fastest particle if they have no end.
    fn substeps(&self, world: &World) -> Result<u64, StepError> {
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
