//! `pliant sweep`.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use pliant::expectation::Verdict;
use pliant::machine::available_memory;
use pliant::new_folder;
use pliant::prepare::scene_name;
use pliant::run::{FolderLock, OutputFolder};
use pliant::sweep::{
    Ended, Ending, Outcome, RunOfSweep, Sweep, SweepError, SweepOptions, Vary, Watch, csv, page,
    run_all,
};
use pliant::text::{bytes, duration, number, table};
use pliant_io::write_bytes;

use super::Failure;
use super::arguments::{SceneArguments, check_exists, set_by};
use super::interrupt::Interrupt;
use super::print::{eprint_line, print_line, print_text};
use super::shell::same_command_with;

/// Columns of the table on the screen that say what was found.
const MOST_FOUND: usize = 5;

#[derive(Args)]
pub(crate) struct SweepArguments {
    /// The scene file
    scene: PathBuf,
    /// A key and the values it takes; several keys make all combinations:
    /// body.column.spacing=0.02,0.01 or 'scene.gravity=[0, -9.81, 0],[0, -1.62, 0]'
    #[arg(long, value_name = "KEY=V1,V2,...", required = true)]
    vary: Vec<String>,
    /// Number of runs at a time; they share the cores
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// Where the folders of the runs, sweep.csv and sweep.html are written
    /// [default: out/<name of the scene>-sweep]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Frames after the initial one, instead of the scene's duration
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    frames: Option<u32>,
    #[command(flatten)]
    scene_arguments: SceneArguments,
    /// Resume the sweep: finished runs are not repeated
    #[arg(long)]
    resume: bool,
    /// Make no pictures and no films of the frames
    #[arg(long)]
    no_preview: bool,
    /// Print errors only
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn execute(arguments: &SweepArguments) -> Result<(), Failure> {
    check_exists(&arguments.scene)?;
    let sweep = arguments.sweep()?;
    let options = arguments.options(&sweep);
    let frames = arguments.check(&sweep, &options)?;
    new_folder::check(&options.folder).map_err(Failure::wrong)?;
    let _lock = FolderLock::take(&options.folder)?;
    if !arguments.quiet {
        eprint_line(format_args!(
            "{} runs, {} at once on {} threads, into {}",
            sweep.combinations().len(),
            options.jobs,
            options.threads,
            options.folder.display()
        ));
    }
    let screen = Screen::new(
        &sweep,
        arguments.quiet,
        frames,
        Interrupt::catch(&options.folder),
    );
    let ends = run_all(&sweep, &options, &screen);
    screen.bar.finish_and_clear();
    let runs = sweep.combinations().iter().zip(&ends);
    let outcomes: Vec<Outcome> = runs
        .map(|(run, ended)| Outcome::read(run, options.folder_of(run), ended))
        .collect();
    arguments.write(&sweep, &outcomes, &options.folder)?;
    arguments.conclude(&outcomes, &screen.interrupt)
}

impl SweepArguments {
    fn sweep(&self) -> Result<Sweep, Failure> {
        let varied = self.vary.iter().map(|text| Vary::parse(text));
        let varied = varied.collect::<Result<Vec<Vary>, _>>();
        let varied = varied.map_err(|error| Failure::wrong(format!("--vary: {error}")))?;
        let mut overrides = self.scene_arguments.overrides();
        if self.no_preview {
            set_by(&mut overrides, "--no-preview", "output.preview=false");
        }
        Sweep::new(&self.scene, overrides, self.frames, varied).map_err(Failure::wrong)
    }

    fn options(&self, sweep: &Sweep) -> SweepOptions {
        let name = scene_name(&self.scene);
        let folder = || Path::new("out").join(format!("{name}-sweep"));
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = usize::from(self.jobs).min(sweep.combinations().len());
        SweepOptions {
            folder: self.out.clone().unwrap_or_else(folder),
            jobs,
            threads: cores.max(jobs),
            resume: self.resume,
        }
    }

    /// Checks all runs before the first one; returns the frames of all runs.
    fn check(&self, sweep: &Sweep, options: &SweepOptions) -> Result<u64, Failure> {
        if OutputFolder::new(&options.folder).holds_run() {
            return Err(Failure::wrong(format!(
                "`{}` holds a run; name another folder with --out",
                options.folder.display()
            )));
        }
        let checked = sweep.check(options.jobs);
        let (memory, frames) = checked.map_err(|error| match error {
            SweepError::Scene { .. } | SweepError::Run { .. } => Failure::wrong(error),
            error => Failure::wrong(format!("--vary: {error}")),
        })?;
        let available = available_memory();
        if memory > available {
            return Err(Failure::wrong(format!(
                "{} runs at once take about {} of memory, and {} are available; give fewer --jobs",
                options.jobs,
                bytes(memory),
                bytes(available)
            )));
        }
        Ok(frames)
    }

    fn write(&self, sweep: &Sweep, outcomes: &[Outcome], folder: &Path) -> Result<(), Failure> {
        let (table, html) = (folder.join("sweep.csv"), folder.join("sweep.html"));
        write_bytes(&table, csv(sweep, outcomes).as_bytes()).map_err(Failure::failed)?;
        write_bytes(&html, page(sweep, outcomes).as_bytes()).map_err(Failure::failed)?;
        if !self.quiet {
            print_text(screen_table(sweep, outcomes));
            print_line(format_args!("\ntable  {}", table.display()));
            print_line(format_args!("page   {}", html.display()));
        }
        Ok(())
    }

    fn conclude(&self, outcomes: &[Outcome], interrupt: &Interrupt) -> Result<(), Failure> {
        let count =
            |ending: fn(&Ending) -> bool| outcomes.iter().filter(|o| ending(&o.ending)).count();
        let failed = count(|ending| matches!(ending, Ending::Failed(_)));
        let done = count(|ending| *ending == Ending::Done);
        if interrupt.is_wanted() && done + failed < outcomes.len() {
            eprint_line(format_args!(
                "Interrupted with {done} of {} runs done; nothing is lost. To go on: {}",
                outcomes.len(),
                same_command_with("--resume")
            ));
            return Err(Failure::interrupted());
        }
        match failed {
            0 => Ok(()),
            _ => Err(Failure::failed(format!(
                "{failed} of {} runs failed",
                outcomes.len()
            ))),
        }
    }
}

/// What is said while the runs go on.
struct Screen<'a> {
    sweep: &'a Sweep,
    is_quiet: bool,
    interrupt: Interrupt,
    bar: ProgressBar,
    /// Frames that each run has done.
    done: Vec<std::sync::atomic::AtomicU32>,
}

impl<'a> Screen<'a> {
    fn new(sweep: &'a Sweep, is_quiet: bool, frames: u64, interrupt: Interrupt) -> Self {
        let is_shown = !is_quiet && std::io::stderr().is_terminal();
        let bar = if is_shown {
            ProgressBar::new(frames)
        } else {
            ProgressBar::hidden()
        };
        let style = ProgressStyle::with_template("{bar:24} frame {pos}/{len}  {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self {
            sweep,
            is_quiet,
            interrupt,
            bar,
            done: sweep.combinations().iter().map(|_| 0.into()).collect(),
        }
    }
}

impl Watch for Screen<'_> {
    fn frames_done(&self, run: RunOfSweep<'_>, frames: u32) {
        let before = self.done[run.place].swap(frames, std::sync::atomic::Ordering::Relaxed);
        self.bar.inc(u64::from(frames.saturating_sub(before)));
    }

    fn ended(&self, run: RunOfSweep<'_>, ended: &Ended) {
        let how = match ended {
            Ended::Done => "done".to_owned(),
            Ended::WasDone => "was done before".into(),
            Ended::Interrupted => "interrupted".into(),
            Ended::NotRun => "not run".into(),
            Ended::Failed(error) => format!("failed: {error}"),
        };
        if !self.is_quiet || matches!(ended, Ended::Failed(_)) {
            let title = self.sweep.title(run.combination);
            let count = self.sweep.combinations().len();
            let text = format!("run {} of {count}: {title}: {how}", run.place + 1);
            self.bar.suspend(|| eprint_line(text));
        }
    }

    fn wants_to_stop(&self) -> bool {
        self.interrupt.is_wanted()
    }
}

/// Values, status, time, and what was expected, or the probes at the end if nothing was.
fn screen_table(sweep: &Sweep, outcomes: &[Outcome]) -> String {
    let expected = outcomes.iter().map(|o| &o.verdicts).max_by_key(|v| v.len());
    let expected: &[Verdict] = expected.map_or(&[], Vec::as_slice);
    let probes = if expected.is_empty() {
        probes(outcomes)
    } else {
        Vec::new()
    };
    let mut header = sweep.labels().to_vec();
    header.extend(["status", "time", "particles"].map(String::from));
    let names = expected
        .iter()
        .map(|v| format!("{} {}", v.expectation.column, v.moment_text()));
    header.extend(names.take(MOST_FOUND));
    header.extend(probes.iter().cloned());
    let mut rows = vec![header];
    for outcome in outcomes {
        let mut row = outcome.combination.values.clone();
        row.extend([
            outcome.status().to_owned(),
            duration(outcome.wall),
            outcome.particles.to_string(),
        ]);
        row.extend(outcome.verdicts.iter().take(MOST_FOUND).map(verdict_text));
        let last = |name: &String| outcome.last(name).map_or(String::new(), number);
        row.extend(probes.iter().map(last));
        rows.push(row);
    }
    table(&rows, &[])
}

/// The first columns of the probes.
fn probes(outcomes: &[Outcome]) -> Vec<String> {
    let first = outcomes.iter().find_map(|outcome| outcome.columns.as_ref());
    first.map_or(Vec::new(), |(columns, _)| {
        let names = columns.probes.columns().iter().skip(2);
        names.take(MOST_FOUND).cloned().collect()
    })
}

fn verdict_text(verdict: &Verdict) -> String {
    let word = if verdict.passes() { "pass" } else { "FAIL" };
    match &verdict.found {
        Ok(value) => format!("{} {word}", number(*value)),
        Err(_) => format!("- {word}"),
    }
}
