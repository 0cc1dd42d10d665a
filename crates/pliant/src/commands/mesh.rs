//! `pliant mesh`.

use std::path::PathBuf;

use clap::Args;
use pliant::mesh::{MeshError, MeshOptions, SurfaceOf, SurfaceRequest, mesh, mesh_format_names};
use pliant::run::OutputFolder;

use super::Failure;
use super::arguments::span;
use super::frame_progress::{FrameBar, tell_written};

#[derive(Args)]
pub(crate) struct MeshArguments {
    /// The folder of a run
    folder: PathBuf,
    #[arg(long, value_name = "FORMATS", value_delimiter = ',', default_value = "ply", help = to_help())]
    to: Vec<String>,
    /// First and last frame [default: all]
    #[arg(long, value_name = "A..B", value_parser = span)]
    frames: Option<[u32; 2]>,
    /// Of this body only [default: the scene's `[[surface]]`, or all that are shown as particles]
    #[arg(long, value_name = "NAME", conflicts_with = "material")]
    body: Option<String>,
    /// Of the bodies of this material only
    #[arg(long, value_name = "NAME")]
    material: Option<String>,
    /// Edge of the cubes of marching cubes, in spacings of the particles: 0.25 is fine, 1 coarse [default: 0.5]
    #[arg(long, value_name = "SPACINGS")]
    cube_size: Option<f64>,
    /// Passes of smoothing, which keeps the volume; 0 for none [default: 10]
    #[arg(long, value_name = "PASSES")]
    smoothing: Option<u32>,
    /// Folder to write `mesh/` into [default: the folder of the run]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Threads [default: one a core]
    #[arg(long, short = 'j', value_name = "N")]
    threads: Option<u16>,
    /// Print errors only
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn execute(arguments: &MeshArguments) -> Result<(), Failure> {
    let bar = FrameBar::new("frame", arguments.quiet);
    let folder = OutputFolder::new(&arguments.folder);
    let meshed = mesh(&folder, &options(arguments), &mut |done, of| {
        bar.show(done, of)
    });
    bar.finish();
    let meshed = meshed.map_err(failure)?;
    tell_written(
        (meshed.written, meshed.kept),
        meshed.missing.as_deref(),
        &meshed.folder,
        arguments.quiet,
    );
    Ok(())
}

fn options(arguments: &MeshArguments) -> MeshOptions {
    let formats = arguments.to.iter().map(|name| name.trim().to_owned());
    MeshOptions {
        formats: formats.collect(),
        frames: arguments.frames,
        surfaces: request(arguments).into_iter().collect(),
        out: arguments.out.clone(),
        threads: arguments.threads,
    }
}

/// The surface that arguments ask for, if they do.
fn request(arguments: &MeshArguments) -> Option<SurfaceRequest> {
    let of = match (&arguments.body, &arguments.material) {
        (Some(name), _) => Some(SurfaceOf::Body(name.clone())),
        (None, name) => name.clone().map(SurfaceOf::Material),
    };
    let (cube_size, smoothing) = (arguments.cube_size, arguments.smoothing);
    let asks = of.is_some() || cube_size.is_some() || smoothing.is_some();
    let usual = SurfaceRequest::default();
    asks.then(|| SurfaceRequest {
        of: of.unwrap_or_default(),
        cube_size: cube_size.unwrap_or(usual.cube_size),
        smoothing_passes: smoothing.unwrap_or(usual.smoothing_passes),
    })
}

fn to_help() -> String {
    format!("Formats, with commas between them: {}", mesh_format_names())
}

fn failure(error: MeshError) -> Failure {
    match error {
        MeshError::Scene(errors) => errors.into(),
        MeshError::Run(error) => error.into(),
        error if error.is_about_arguments() => Failure::wrong(error),
        error => Failure::failed(error),
    }
}
