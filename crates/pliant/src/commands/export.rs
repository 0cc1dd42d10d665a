//! `pliant export`.

use std::path::PathBuf;

use clap::Args;
use pliant::export::{ExportError, ExportOptions, export, format_names};
use pliant::run::OutputFolder;
use pliant_io::export::GlbError;

use super::Failure;
use super::arguments::span;
use super::frame_progress::{FrameBar, tell_written};
use super::print::print_line;

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
    let bar = FrameBar::new("frame", arguments.quiet);
    let formats = arguments.to.iter().map(|name| name.trim().to_owned());
    let options = ExportOptions {
        formats: formats.collect(),
        frames: arguments.frames,
        out: arguments.out.clone(),
    };
    let folder = OutputFolder::new(&arguments.folder);
    let exported = export(&folder, &options, &mut |done, of| bar.show(done, of));
    bar.finish();
    let exported = exported.map_err(failure)?;
    for path in exported.animations.iter().filter(|_| !arguments.quiet) {
        print_line(format_args!("all frames  {}", path.display()));
    }
    if exported.formats > 0 {
        tell_written(
            (exported.written, exported.kept),
            exported.missing.as_deref(),
            &exported.folder.particles(),
            arguments.quiet,
        );
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
        #[cfg(feature = "vtkhdf")]
        ExportError::Vtkhdf(_) => Failure::failed(error),
        ExportError::NoVtkhdf
        | ExportError::UnknownFormat { .. }
        | ExportError::Glb(GlbError::TooLarge) => Failure::wrong(error),
        ExportError::Glb(_) => Failure::failed(error),
        ExportError::Recorded(error) if error.is_about_arguments() => Failure::wrong(error),
        ExportError::Recorded(error) => Failure::failed(error),
    }
}
