//! Progress of a run on the screen.

use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use pliant::run::{FrameDone, Observer, Plan};
use pliant_core::step::Progress;

use super::interrupt::Interrupt;
use super::print::eprint_line;
use pliant::text::{duration, grouped, number};

/// How much is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loudness {
    /// Nothing.
    Silent,
    /// A bar, for terminals.
    Bar,
    /// A line a frame.
    Lines,
}

/// Says how far a run has come.
pub(crate) struct Reporter {
    loudness: Loudness,
    interrupt: Interrupt,
    bar: ProgressBar,
    started: Instant,
    first_frame: u32,
    last_frame: u32,
    frame_rate: f64,
    /// Frames done in this session, with the part of the current one.
    done: f64,
    /// The most substeps of a frame that a warning was printed for.
    warned_substeps: u64,
    /// The shortest substep [s] of repeated frames that a note was printed for.
    warned_step: f64,
    /// The greatest relative gain of energy that a warning was printed for.
    warned_gain: f64,
    /// Whether the scene gives the step.
    is_step_given: bool,
}

/// A gain of energy beyond this part of what there was is worth a warning.
const DOUBTFUL_GAIN: f64 = 0.01;

/// A frame of more substeps than this is worth a warning: it can take very long.
const MANY_SUBSTEPS: u64 = 10_000;

impl Reporter {
    pub fn new(loudness: Loudness, interrupt: Interrupt) -> Self {
        Self {
            loudness,
            interrupt,
            bar: ProgressBar::hidden(),
            started: Instant::now(),
            first_frame: 1,
            last_frame: 1,
            frame_rate: 1.0,
            done: 0.0,
            warned_substeps: MANY_SUBSTEPS / 2,
            warned_step: f64::INFINITY,
            warned_gain: 0.5 * DOUBTFUL_GAIN,
            is_step_given: false,
        }
    }

    /// Takes the bar off the screen.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Warns of a frame with very many substeps, and again when a later one has twice as many.
    fn warn_of_many_substeps(&mut self, now: Progress) {
        let is_more = now.of > MANY_SUBSTEPS && now.of >= 2 * self.warned_substeps;
        if now.done != 1 || !is_more || self.loudness == Loudness::Silent {
            return;
        }
        self.warned_substeps = now.of;
        let warning = format!(
            "warning: frame {} takes {} substeps of {} s",
            self.first_frame + self.done as u32 + 1,
            grouped(now.of),
            number(1.0 / (self.frame_rate * now.of as f64))
        );
        self.bar.suspend(|| eprint_line(warning));
    }

    /// Notes a frame that was repeated with a shorter step than any before, and warns of one that gained
    /// twice as much energy.
    fn warn_of_energy(&mut self, frame: &FrameDone) {
        if self.loudness == Loudness::Silent {
            return;
        }
        if frame.redone > 0 && frame.dt < self.warned_step {
            self.warned_step = frame.dt;
            let note = format!(
                "note: frame {} gained energy and was repeated with steps of {} s",
                frame.number,
                number(frame.dt)
            );
            self.bar.suspend(|| eprint_line(note));
        }
        if frame.gained_share > DOUBTFUL_GAIN && frame.gained_share >= 2.0 * self.warned_gain {
            self.warned_gain = frame.gained_share;
            let advice = match self.is_step_given {
                true => "a shorter solver.time_step helps, or none, which lets Pliant choose it",
                false => {
                    "shorter steps do not lessen it; a body that starts compressed or inside another does this"
                }
            };
            let warning = format!(
                "warning: in frame {} energy appeared that nothing has paid for, {:.0} % of what there was; {advice}",
                frame.number,
                100.0 * frame.gained_share
            );
            self.bar.suspend(|| eprint_line(warning));
        }
    }

    /// `3.1 frames/min, 0.031 s/s, 4 min 10 s left`.
    fn speed(&self) -> String {
        let elapsed = self.started.elapsed().as_secs_f64();
        if self.done <= 0.0 || elapsed <= 0.0 {
            return String::new();
        }
        let rate = self.done / elapsed;
        let left = f64::from(self.last_frame - self.first_frame) - self.done;
        format!(
            "{:.1} frames/min, {:.3} s/s, {} left",
            60.0 * rate,
            rate / self.frame_rate,
            duration(left.max(0.0) / rate)
        )
    }
}

/// ` (again, 1/4 of the step)` for a frame that was taken back.
fn again(redone: u32) -> String {
    match redone {
        0 => String::new(),
        times => format!(" (again, 1/{} of the step)", 1_u64 << times),
    }
}

impl Observer for Reporter {
    fn begin(&mut self, plan: &Plan<'_>) {
        self.started = Instant::now();
        (self.first_frame, self.last_frame) = (plan.first_frame, plan.last_frame);
        self.frame_rate = plan.frame_rate;
        self.is_step_given = plan.is_step_given;
        if self.loudness == Loudness::Silent {
            return;
        }
        eprint_line(format_args!(
            "{} particles, frames {} to {}, {} threads, into {}",
            grouped(plan.particles as u64),
            plan.first_frame,
            plan.last_frame,
            plan.threads,
            plan.folder.display()
        ));
        if self.loudness == Loudness::Bar {
            self.bar = ProgressBar::new(1000);
            let style = ProgressStyle::with_template("{bar:24} {msg}");
            self.bar
                .set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        }
    }

    fn progress(&mut self, now: Progress) {
        self.interrupt.progress(now);
        self.warn_of_many_substeps(now);
        if self.loudness != Loudness::Bar {
            return;
        }
        let frame = self.done.floor();
        self.done = frame + (now.done as f64 / now.of as f64).min(0.999_999);
        let all = f64::from(self.last_frame - self.first_frame).max(1.0);
        self.bar.set_position((1000.0 * self.done / all) as u64);
        self.bar.set_message(format!(
            "frame {}/{}{}  {:.3} s  {} particles  {}",
            self.first_frame + frame as u32 + 1,
            self.last_frame,
            again(now.redone),
            now.time,
            grouped(now.particles as u64),
            self.speed()
        ));
    }

    fn frame_done(&mut self, frame: &FrameDone) {
        self.done = f64::from(frame.number - self.first_frame);
        self.warn_of_energy(frame);
        if self.loudness == Loudness::Lines {
            eprint_line(format_args!(
                "frame {}/{}{}  {:.3} s  {} particles  {} substeps in {}  {}",
                frame.number,
                self.last_frame,
                again(frame.redone),
                frame.time,
                grouped(frame.particles as u64),
                frame.substeps,
                duration(frame.wall),
                self.speed()
            ));
        }
    }

    fn note(&mut self, text: &str) {
        if self.loudness != Loudness::Silent {
            self.bar
                .suspend(|| eprint_line(format_args!("note: {text}")));
        }
    }

    fn finishing(&mut self) {
        match self.loudness {
            Loudness::Silent => {}
            Loudness::Bar => self.bar.set_message("film and report"),
            Loudness::Lines => eprint_line("film and report"),
        }
    }

    fn wants_to_stop(&self) -> bool {
        self.interrupt.is_wanted()
    }
}
