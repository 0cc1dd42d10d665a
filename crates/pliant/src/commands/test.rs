//! `pliant test`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use pliant::expectation::Verdict;
use pliant::jobs::{Job, Jobs};
use pliant::run::{OutputFolder, RunColumns, RunOptions, run};
use pliant_scene::Overrides;

use super::Failure;
use super::arguments::{SceneArguments, prepare, scene_files};
use super::interrupt::Interrupt;
use super::print::{print_line, print_text};
use super::progress::{Loudness, Reporter};
use pliant::text::{duration, number, table};

#[derive(Args)]
pub(crate) struct TestArguments {
    /// Scene files; a folder means all scenes in it and below
    #[arg(required = true)]
    scenes: Vec<PathBuf>,
    #[command(flatten)]
    scene_arguments: SceneArguments,
    /// Take the level [detail.quick] of each scene that has one
    #[arg(long, conflicts_with = "detail")]
    quick: bool,
    /// Threads of the simulation [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Scenes that run at the same time; they share the threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// Keep the output of the runs, a folder for each scene [default: a temporary folder]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print only what is not as expected
    #[arg(long, short)]
    quiet: bool,
}

/// Whether a scene shows what it expects.
struct SceneResult {
    verdicts: Vec<Verdict>,
    seconds: f64,
}

/// How many expectations of all scenes pass.
#[derive(Default)]
struct Tally {
    passed: usize,
    short: usize,
    failed_runs: usize,
}

pub(crate) fn execute(arguments: &TestArguments) -> Result<(), Failure> {
    let scenes = scene_files(&arguments.scenes)?;
    let temporary = tempfile::tempdir().map_err(Failure::failed)?;
    let root = arguments.out.as_deref().unwrap_or(temporary.path());
    let interrupt = Interrupt::catch(root);
    let mut tally = Tally::default();
    let mut wrong = None;
    let jobs = usize::from(arguments.jobs);
    let jobs = Jobs::new(jobs, scenes.len(), arguments.threads.map_or(0, usize::from));
    let is_quiet = arguments.quiet || jobs.are_several();
    let work = |job: Job, scene: &PathBuf| {
        let name = scene.file_stem().unwrap_or_default().to_string_lossy();
        let folder = root.join(format!("{:03}-{name}", job.place + 1));
        arguments.run_scene(scene, &folder, (job.threads, is_quiet), &interrupt)
    };
    jobs.run(&scenes, &|| interrupt.is_wanted(), work, |place, result| {
        match result {
            _ if interrupt.is_wanted() => {}
            Ok(result) => arguments.print_results(&scenes[place], &result, &mut tally),
            // A scene alone that is wrong ends the command as it does for `run`.
            Err(failure) if scenes.len() == 1 => wrong = Some(failure),
            Err(failure) => {
                failure.report();
                tally.failed_runs += 1;
            }
        }
    });
    if interrupt.is_wanted() {
        return Err(Failure::interrupted());
    }
    if let Some(failure) = wrong {
        return Err(failure);
    }
    tally.conclude(arguments.quiet)
}

impl TestArguments {
    /// Runs a scene without pictures and checks its expectations.
    fn run_scene(
        &self,
        scene: &Path,
        folder: &Path,
        (threads, is_quiet): (usize, bool),
        interrupt: &Interrupt,
    ) -> Result<SceneResult, Failure> {
        let start = Instant::now();
        let prepared = prepare(scene, &self.overrides(), threads, is_quiet)?;
        let expectations = prepared.scene.expectations();
        let options = RunOptions {
            folder: folder.to_owned(),
            threads,
            resume: false,
        };
        let mut reporter = Reporter::new(Loudness::Silent, interrupt.clone());
        run(prepared, &options, &mut reporter)?;
        let columns = RunColumns::read(&OutputFolder::new(folder)).map_err(Failure::failed)?;
        let verdicts = expectations.into_iter().map(|e| Verdict::of(e, &columns));
        Ok(SceneResult {
            verdicts: verdicts.collect(),
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    fn overrides(&self) -> Overrides {
        let mut overrides = self.scene_arguments.overrides();
        overrides.quick = self.quick;
        overrides.set.push("output.preview=false".into());
        if self.out.is_none() {
            overrides.set.push("output.particles=[]".into());
        }
        overrides
    }

    /// Prints a table of the verdicts on a scene.
    fn print_results(&self, scene: &Path, result: &SceneResult, tally: &mut Tally) {
        let verdicts = &result.verdicts;
        if !self.quiet || verdicts.iter().any(|v| !v.passes()) {
            let seconds = duration(result.seconds);
            print_line(format_args!("{}  ({seconds})", scene.display()));
        }
        let passed = verdicts.iter().filter(|v| v.passes()).count();
        tally.passed += passed;
        tally.short += verdicts.len() - passed;
        let shown = verdicts.iter().filter(|v| !self.quiet || !v.passes());
        let rows: Vec<Vec<String>> = shown.map(row).collect();
        print_text(table(&rows, &[3]));
        if verdicts.is_empty() && !self.quiet {
            print_line("  expects nothing");
        }
    }
}

impl Tally {
    fn conclude(&self, is_quiet: bool) -> Result<(), Failure> {
        let Self {
            passed,
            short,
            failed_runs,
        } = self;
        let text = format!("{passed} pass, {short} fail, {failed_runs} scenes did not run");
        if short + failed_runs > 0 {
            return Err(Failure::failed(text));
        }
        if !is_quiet {
            print_line(text);
        }
        Ok(())
    }
}

fn row(verdict: &Verdict) -> Vec<String> {
    let expectation = &verdict.expectation;
    let found = match &verdict.found {
        Ok(value) => number(*value),
        Err(why) => why.to_string(),
    };
    vec![
        format!("  {}", if verdict.passes() { "pass" } else { "FAIL" }),
        expectation.column.clone(),
        verdict.moment_text(),
        found,
        format!(
            "in [{}, {}]",
            number(expectation.low),
            number(expectation.high)
        ),
        expectation.source.clone().unwrap_or_default(),
    ]
}
