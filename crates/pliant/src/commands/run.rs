//! `pliant run`.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use pliant::run::{
    Manifest, OutputFolder, RunError, RunOptions, Status, Summary, run, with_frames,
};
use pliant_io::checkpoint;

use super::Failure;
use super::arguments::{SceneArguments, check_exists, prepare, set_by};
use super::interrupt::Interrupt;
use super::print::{eprint_line, print_line};
use super::progress::{Loudness, Reporter};
use super::shell::resume_command;
use pliant::text::duration;

#[derive(Args)]
pub(crate) struct RunArguments {
    /// The scene file; - reads the standard input
    scene: PathBuf,
    /// Output folder [default: out/<name of the scene>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Frames after the initial one, instead of the scene's duration
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    frames: Option<u32>,
    #[command(flatten)]
    scene_arguments: SceneArguments,
    /// Threads of the simulation [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
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
    quiet: bool,
    /// Print a line a frame
    #[arg(long, short)]
    verbose: bool,
}

pub(crate) fn execute(arguments: RunArguments) -> Result<(), Failure> {
    let scene = &arguments.scene;
    check_exists(scene)?;
    let mut overrides = arguments.scene_arguments.overrides();
    if let Some(backend) = &arguments.backend {
        let argument = format!("--backend {backend}");
        set_by(
            &mut overrides,
            &argument,
            &format!("solver.backend={backend:?}"),
        );
    }
    if arguments.no_preview {
        set_by(&mut overrides, "--no-preview", "output.preview=false");
    }
    if let Some(frames) = arguments.frames {
        overrides = with_frames(scene, &overrides, frames)?;
    }
    let prepared = prepare(scene, &overrides, arguments.threads, arguments.quiet)?;
    let folder = arguments
        .out
        .clone()
        .unwrap_or_else(|| Path::new("out").join(&prepared.name));
    let options = RunOptions {
        folder: folder.clone(),
        threads: arguments.threads.map_or(0, usize::from),
        resume: arguments.resume,
    };
    let interrupt = Interrupt::catch(&folder);
    let mut reporter = Reporter::new(arguments.loudness(), interrupt);
    if !arguments.quiet {
        for warning in &prepared.built.warnings {
            eprint_line(format_args!("warning: {warning}"));
        }
    }
    let start = Instant::now();
    let ended = run(prepared, &options, &mut reporter);
    reporter.clear();
    match ended {
        Ok(summary) => arguments.print_results(&summary, start.elapsed().as_secs_f64()),
        Err(error) => Err(with_way_on(error, &folder, arguments.threads)),
    }
}

impl RunArguments {
    fn loudness(&self) -> Loudness {
        match (self.quiet, self.verbose, std::io::stderr().is_terminal()) {
            (true, ..) => Loudness::Silent,
            (false, false, true) => Loudness::Bar,
            _ => Loudness::Lines,
        }
    }

    /// Prints how the run ended.
    fn print_results(&self, summary: &Summary, seconds: f64) -> Result<(), Failure> {
        let manifest = &summary.manifest;
        if manifest.status == Status::Interrupted && !summary.was_complete {
            eprint_line(format_args!(
                "Interrupted after frame {} of {}; nothing is lost. To go on: {}",
                manifest.frames_done,
                manifest.frames_planned,
                resume_command(summary.folder.root(), self.threads)
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
fn with_way_on(error: RunError, folder: &Path, threads: Option<u16>) -> Failure {
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
            "Every file in `{root}` is whole. To go on from frame {} once that is put right: {}",
            found.header.frame,
            resume_command(folder.root(), threads)
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
