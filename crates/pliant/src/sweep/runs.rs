//! The runs of a sweep, several at once.

use std::path::{Path, PathBuf};

use super::combinations::{Combination, Sweep};
use crate::jobs::{Job, Jobs};
use crate::run::{FrameDone, Observer, RunError, RunOptions, Status, run};

/// How the combinations are run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepOptions {
    /// Where the folders of the runs are.
    pub folder: PathBuf,
    /// Runs at once, at least 1.
    pub jobs: usize,
    /// Threads that they share.
    pub threads: usize,
    /// Goes on with what there is; runs that have ended are left as they are.
    pub resume: bool,
}

/// A run of a sweep.
#[derive(Clone, Copy, Debug)]
pub struct RunOfSweep<'a> {
    /// Its place, from 0.
    pub place: usize,
    /// Its values.
    pub combination: &'a Combination,
}

/// How a run of a sweep ended.
#[derive(Debug)]
pub enum Ended {
    /// It came to its end.
    Done,
    /// It had come to its end before.
    WasDone,
    /// It was stopped.
    Interrupted,
    /// It could not go on, or did not start.
    Failed(RunError),
    /// It was not begun.
    NotRun,
}

/// Watches the runs, from the threads they are on.
pub trait Watch: Sync {
    /// A run has done a frame, or has so many already.
    fn frames_done(&self, run: RunOfSweep<'_>, frames: u32);

    /// A run has ended.
    fn ended(&self, run: RunOfSweep<'_>, ended: &Ended);

    /// True to end the runs after their frames, with a checkpoint each, and begin no other.
    fn wants_to_stop(&self) -> bool;
}

/// Runs every combination and tells how each ended, in their order. One that fails stops no other.
pub fn run_all(sweep: &Sweep, options: &SweepOptions, watch: &dyn Watch) -> Vec<Ended> {
    let combinations = sweep.combinations();
    let mut ends: Vec<Ended> = combinations.iter().map(|_| Ended::NotRun).collect();
    let jobs = Jobs::new(options.jobs, combinations.len(), options.threads);
    let work = |job: Job, combination: &Combination| {
        let place = job.place;
        let of_sweep = RunOfSweep { place, combination };
        let ended = run_one(sweep, (of_sweep, job.threads), options, watch);
        watch.ended(of_sweep, &ended);
        ended
    };
    let is_over = || watch.wants_to_stop();
    jobs.run(combinations, &is_over, work, |place, ended| {
        ends[place] = ended;
    });
    ends
}

impl SweepOptions {
    /// The folder of a combination.
    pub fn folder_of(&self, combination: &Combination) -> PathBuf {
        Path::new(&self.folder).join(&combination.folder)
    }
}

fn run_one(
    sweep: &Sweep,
    (of_sweep, threads): (RunOfSweep<'_>, usize),
    options: &SweepOptions,
    watch: &dyn Watch,
) -> Ended {
    let prepared = match sweep.prepare(of_sweep.combination) {
        Ok(prepared) => prepared,
        Err(errors) => return Ended::Failed(errors.into()),
    };
    let options = RunOptions {
        folder: options.folder_of(of_sweep.combination),
        threads,
        resume: options.resume,
    };
    match run(prepared, &options, &mut Watched { of_sweep, watch }) {
        Ok(summary) if summary.was_complete => Ended::WasDone,
        Ok(summary) if summary.manifest.status == Status::Interrupted => Ended::Interrupted,
        Ok(_) => Ended::Done,
        Err(error) => Ended::Failed(error),
    }
}

struct Watched<'a> {
    of_sweep: RunOfSweep<'a>,
    watch: &'a dyn Watch,
}

impl Observer for Watched<'_> {
    fn frame_done(&mut self, frame: &FrameDone) {
        self.watch.frames_done(self.of_sweep, frame.number);
    }

    fn wants_to_stop(&self) -> bool {
        self.watch.wants_to_stop()
    }
}
