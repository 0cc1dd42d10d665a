//! `pliant run`.

use std::fmt::Display;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use pliant::run::{
    Manifest, OutputFolder, RunError, RunOptions, Status, Summary, run, with_frames,
};
use pliant_io::checkpoint;
use pliant_scene::Overrides;

use super::Failure;
use super::arguments::{check_exists, prepare, set_by};
use super::interrupt::Interrupt;
use super::print::{eprint_line, print_line};
use super::progress::{Loudness, Reporter};
use super::shell::resume_command;
use pliant::text::duration;

#[derive(Args)]
pub(crate) struct RunArguments {
    /// The scene file; - reads the standard input
    scene: PathBuf,
    /// Use the level [detail.NAME] of the scene
    #[arg(long, value_name = "NAME")]
    detail: Option<String>,
    #[command(flatten)]
    settings: RunSettings,
}

/// How a scene is run, and where to.
#[derive(Args)]
pub(super) struct RunSettings {
    /// Output folder [default: out/<name of the scene, or of the file of inputs>]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Frames after the initial one, instead of the scene's duration
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub frames: Option<u32>,
    /// Replace a value of the scene: body.column.spacing=0.005, solver.iterations=8
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Threads of the simulation [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Backend: auto, cpu
    #[arg(long, value_name = "BACKEND")]
    backend: Option<String>,
    /// Resume from the newest checkpoint; the result has the same bits as a run that was never stopped
    #[arg(long)]
    resume: bool,
    /// Make no pictures and no film
    #[arg(long)]
    no_preview: bool,
    /// Print errors only
    #[arg(long, short, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print a line a frame
    #[arg(long, short)]
    verbose: bool,
}

pub(crate) fn execute(arguments: &RunArguments) -> Result<(), Failure> {
    let (scene, settings) = (&arguments.scene, &arguments.settings);
    check_exists(scene)?;
    let mut overrides = Overrides {
        detail: arguments.detail.clone(),
        set: settings.set.clone(),
        ..Overrides::default()
    };
    settings.add_to(&mut overrides);
    if let Some(frames) = settings.frames {
        overrides = with_frames(scene, &overrides, frames)?;
    }
    let prepared = prepare(scene, &overrides, settings.thread_count(), settings.quiet)?;
    let folder = settings.folder(&prepared.name);
    let resuming = resume_command(&folder, settings.threads);
    let warnings = prepared.built.warnings.clone();
    settings.carry_out(&warnings, (&folder, &resuming), |options, reporter| {
        run(prepared, options, reporter)
    })
}

impl RunSettings {
    /// What they replace beside `--set`.
    pub fn add_to(&self, overrides: &mut Overrides) {
        if let Some(backend) = &self.backend {
            let argument = format!("--backend {backend}");
            set_by(overrides, &argument, &format!("solver.backend={backend:?}"));
        }
        if self.no_preview {
            set_by(overrides, "--no-preview", "output.preview=false");
        }
    }

    /// Threads of the simulation; 0 takes one a core.
    pub fn thread_count(&self) -> usize {
        self.threads.map_or(0, usize::from)
    }

    /// The output folder of something with a name.
    pub fn folder(&self, name: &str) -> PathBuf {
        let out = self.out.clone();
        out.unwrap_or_else(|| Path::new("out").join(name))
    }

    /// Runs, tells how far it is, and how it ended.
    ///
    /// * `warnings` — of the scene
    /// * `folder`, `resuming` — where to, and the command that goes on there
    pub fn carry_out(
        &self,
        warnings: &[impl Display],
        (folder, resuming): (&Path, &str),
        run: impl FnOnce(&RunOptions, &mut Reporter) -> Result<Summary, RunError>,
    ) -> Result<(), Failure> {
        let options = RunOptions {
            folder: folder.to_owned(),
            threads: self.thread_count(),
            resume: self.resume,
        };
        let interrupt = Interrupt::catch(folder);
        let mut reporter = Reporter::new(self.loudness(), interrupt);
        if !self.quiet {
            for warning in warnings {
                eprint_line(format_args!("warning: {warning}"));
            }
        }
        let start = Instant::now();
        let ended = run(&options, &mut reporter);
        reporter.clear();
        match ended {
            Ok(summary) => self.print_results(&summary, start.elapsed().as_secs_f64(), resuming),
            Err(error) => Err(with_way_on(error, folder, resuming)),
        }
    }

    fn loudness(&self) -> Loudness {
        match (self.quiet, self.verbose, std::io::stderr().is_terminal()) {
            (true, ..) => Loudness::Silent,
            (false, false, true) => Loudness::Bar,
            _ => Loudness::Lines,
        }
    }

    /// Prints how the run ended.
    fn print_results(
        &self,
        summary: &Summary,
        seconds: f64,
        resuming: &str,
    ) -> Result<(), Failure> {
        let manifest = &summary.manifest;
        if manifest.status == Status::Interrupted && !summary.was_complete {
            eprint_line(format_args!(
                "Interrupted after frame {} of {}; nothing is lost. To go on: {resuming}",
                manifest.frames_done, manifest.frames_planned,
            ));
            return Err(Failure::interrupted());
        }
        if self.quiet {
            return Ok(());
        }
        if !summary.was_complete {
            print_line(course(manifest, seconds));
        }
        if let Some(film) = &manifest.film {
            let film = summary.folder.root().join(film);
            print_line(format_args!("film    {}", film.display()));
        }
        let report = summary.folder.report();
        if report.is_file() {
            print_line(format_args!("report  {}", report.display()));
        }
        Ok(())
    }
}

/// `24 frames to 1.000 s, in 3 min 05 s`.
fn course(manifest: &Manifest, seconds: f64) -> String {
    let still = match manifest.status {
        Status::Still => ", where everything is still",
        _ => "",
    };
    format!(
        "{} frames to {:.3} s{still}, in {}",
        manifest.frames_done,
        manifest.simulated_time,
        duration(seconds)
    )
}

/// The failure of a run, with what is left of it and how to go on.
fn with_way_on(error: RunError, folder: &Path, resuming: &str) -> Failure {
    let status = error.exit_status();
    let (is_about_files, has_report) = (error.is_about_files(), error.has_report());
    let failure = Failure::from(error);
    if status == 2 {
        return failure;
    }
    let folder = OutputFolder::new(folder);
    let newest = checkpoint::newest_whole(&folder.checkpoints())
        .ok()
        .and_then(|n| n.checkpoint);
    let root = folder.root().display();
    match (newest, is_about_files) {
        (Some(found), true) => failure.with_advice(&format!(
            "Every file in `{root}` is whole. To go on from frame {} once that is put right: {resuming}",
            found.header.frame,
        )),
        (None, true) if folder.holds_run() => failure.with_advice(&format!(
            "Every file in `{root}` is whole, but there is no checkpoint yet: run the scene again once that is put right."
        )),
        (_, false) if has_report => {
            failure.with_advice(&format!("What there is lies in `{root}`; see report.html."))
        }
        _ => failure,
    }
}
