//! `pliant test`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use pliant::expectation::Verdict;
use pliant::run::{OutputFolder, RunColumns, RunOptions, run};
use pliant_scene::Overrides;

use super::Failure;
use super::arguments::{SceneArguments, prepare, scene_files};
use super::interrupt::Interrupt;
use super::print::{print_line, print_text};
use super::progress::{Loudness, Reporter};
use super::side_by_side::{Share, side_by_side};
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

/// What became of a scene.
struct Tested {
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
    let share = Share::of(arguments.jobs, scenes.len(), arguments.threads);
    let work = |number: usize, scene: &PathBuf| {
        let name = scene.file_stem().unwrap_or_default().to_string_lossy();
        let folder = root.join(format!("{:03}-{name}", number + 1));
        arguments.run_scene(scene, (&folder, share), &interrupt)
    };
    side_by_side(&scenes, share.jobs, work, |scene, tested| {
        if interrupt.is_wanted() {
            return Err(Failure::interrupted());
        }
        match tested {
            Ok(tested) => arguments.print_results(scene, &tested, &mut tally),
            // A scene alone that is wrong ends the command as it does for `run`.
            Err(failure) if scenes.len() == 1 => return Err(failure),
            Err(failure) => {
                failure.report();
                tally.failed_runs += 1;
            }
        }
        Ok(())
    })?;
    tally.conclude(arguments.quiet)
}

impl TestArguments {
    /// Runs a scene without pictures and checks its expectations.
    fn run_scene(
        &self,
        scene: &Path,
        (folder, share): (&Path, Share),
        interrupt: &Interrupt,
    ) -> Result<Tested, Failure> {
        let start = Instant::now();
        let is_quiet = self.quiet || share.jobs > 1;
        let threads = u16::try_from(share.threads).ok().filter(|&count| count > 0);
        let prepared = prepare(scene, &self.overrides(), threads, is_quiet)?;
        let expectations = prepared.scene.expectations();
        let options = RunOptions {
            folder: folder.to_owned(),
            threads: share.threads,
            resume: false,
        };
        let mut reporter = Reporter::new(Loudness::Silent, interrupt.clone());
        run(prepared, &options, &mut reporter)?;
        let columns = RunColumns::read(&OutputFolder::new(folder)).map_err(Failure::failed)?;
        let verdicts = expectations.into_iter().map(|e| Verdict::of(e, &columns));
        Ok(Tested {
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
    fn print_results(&self, scene: &Path, tested: &Tested, tally: &mut Tally) {
        let verdicts = &tested.verdicts;
        if !self.quiet || verdicts.iter().any(|v| !v.passes()) {
            let seconds = duration(tested.seconds);
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
