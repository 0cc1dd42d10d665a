//! `pliant export`.

use std::path::PathBuf;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use pliant::export::{ExportError, ExportOptions, export, format_names};
use pliant::run::OutputFolder;

use super::Failure;
use super::arguments::span;
use super::print::{eprint_line, print_line};

#[derive(Args)]
pub(crate) struct ExportArguments {
    /// The folder of a run
    folder: PathBuf,
    #[arg(long, value_name = "FORMATS", value_delimiter = ',', required = true, help = to_help())]
    to: Vec<String>,
    /// First and last frame [default: all]
    #[arg(long, value_name = "A..B", value_parser = span)]
    frames: Option<[u32; 2]>,
    /// Folder to write into [default: the folder of the run]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print errors only
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn execute(arguments: &ExportArguments) -> Result<(), Failure> {
    let bar = match arguments.quiet {
        true => ProgressBar::hidden(),
        false => ProgressBar::new(0),
    };
    let style = ProgressStyle::with_template("{bar:24} frame {pos}/{len}  {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let mut progress = |done: usize, of: usize| {
        bar.set_length(of as u64);
        bar.set_position(done as u64);
    };
    let formats = arguments.to.iter().map(|name| name.trim().to_owned());
    let options = ExportOptions {
        formats: formats.collect(),
        frames: arguments.frames,
        out: arguments.out.clone(),
    };
    let folder = OutputFolder::new(&arguments.folder);
    let exported = export(&folder, &options, &mut progress);
    bar.finish_and_clear();
    let exported = exported.map_err(failure)?;
    if let Some(missing) = &exported.missing {
        eprint_line(format_args!(
            "warning: there is no particle file of frame {missing} that can be read"
        ));
    }
    if !arguments.quiet {
        print_line(format_args!(
            "{} frames written, {} were there already: {}",
            exported.written,
            exported.kept,
            exported.folder.particles().display()
        ));
    }
    Ok(())
}

fn to_help() -> String {
    format!("Formats, with commas between them: {}", format_names())
}

fn failure(error: ExportError) -> Failure {
    match error {
        ExportError::Scene(errors) => errors.into(),
        ExportError::Run(error) => error.into(),
        ExportError::UnknownFormat { .. } => Failure::wrong(error),
        ExportError::Recorded(error) if error.is_about_arguments() => Failure::wrong(error),
        ExportError::Recorded(error) => Failure::failed(error),
    }
}
