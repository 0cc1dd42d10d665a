//! The frames of a run written in other formats, afterwards: the same bytes as if the run had written
//! them; or all in one file. One frame is in memory at a time.

mod glb;
#[cfg(feature = "vtkhdf")]
mod vtkhdf;

use std::collections::BTreeMap;
use std::path::PathBuf;

use pliant_io::export::{EXPORTERS, GlbError, exporter, list_frames};
use pliant_io::remove_partial_files;
use pliant_scene::SceneErrors;
#[cfg(feature = "vtkhdf")]
use pliant_vtkhdf::VtkhdfError;

use crate::additions::{RunScene, RunWorld};
use crate::recorded::{Recorded, RecordedError, chosen_files};
use crate::run::{
    FolderLock, FrameContents, FrameFiles, Manifest, OutputFolder, RunError, missing_frames,
    written_at,
};

/// The format that holds a whole run in one file: a page shows it without any other program.
pub const GLB: &str = "glb";

/// The format that holds a whole run in a file of particles and one of surfaces, for ParaView.
pub const VTKHDF: &str = "vtkhdf";

/// What is exported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// Names of formats, [`GLB`] and [`VTKHDF`] among them.
    pub formats: Vec<String>,
    /// First and last frame; all if missing.
    pub frames: Option<[u32; 2]>,
    /// Where to; into the run's own folder if missing.
    pub out: Option<PathBuf>,
}

/// Why frames could not be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The folder's scene is wrong.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// There is no such format.
    #[error("there is no format `{name}`; there are {}", format_names())]
    UnknownFormat {
        /// What was asked for.
        name: String,
    },
    /// The frames cannot be read.
    #[error(transparent)]
    Recorded(#[from] RecordedError),
    /// The file of the whole run cannot be written.
    #[error(transparent)]
    Glb(#[from] GlbError),
    /// The program was built without that format.
    #[error(
        "this pliant was built without VTKHDF; in a clone, `cargo install --path crates/pliant --features vtkhdf` brings it"
    )]
    NoVtkhdf,
    /// The files for ParaView cannot be written.
    #[cfg(feature = "vtkhdf")]
    #[error(transparent)]
    Vtkhdf(#[from] VtkhdfError),
    /// A file cannot be written, or another process writes there.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// What was exported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The folder.
    pub folder: OutputFolder,
    /// The files of the whole run that were asked for.
    pub animations: Vec<PathBuf>,
    /// Formats of a file a frame.
    pub formats: usize,
    /// Frames that were written.
    pub written: usize,
    /// Frames whose files were there already, and newer than those of the run.
    pub kept: usize,
    /// Frames that have no particle file to be read: `3, 5 to 7`.
    pub missing: Option<String>,
}

/// Writes frames of a run in other formats, without those that are there already: one that was stopped
/// goes on where it was. `progress` is called with the frames done and their number.
///
/// # Errors
/// If the folder holds no run or no frames that can be read, or a file cannot be read or written; every
/// file under its name is whole then.
pub fn export(
    folder: &OutputFolder,
    options: &ExportOptions,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Exported, ExportError> {
    let (of_all, of_frames): (Vec<_>, Vec<_>) = options
        .formats
        .iter()
        .cloned()
        .partition(|name| [GLB, VTKHDF].contains(&name.as_str()));
    if let Some(name) = of_frames.iter().find(|name| exporter(name).is_none()) {
        return Err(ExportError::UnknownFormat { name: name.clone() });
    }
    if cfg!(not(feature = "vtkhdf")) && of_all.iter().any(|name| name == VTKHDF) {
        return Err(ExportError::NoVtkhdf);
    }
    let no_run = |source| RecordedError::NoRun {
        folder: folder.root().to_owned(),
        source,
    };
    let manifest = Manifest::read(&folder.manifest()).map_err(no_run)?;
    let to = options.out.as_deref().unwrap_or(folder.root());
    let _lock = FolderLock::take(to)?;
    let to = OutputFolder::new(to);
    for room in [to.root().to_owned(), to.particles(), to.surface()] {
        remove_partial_files(&room).map_err(RunError::from)?;
    }
    let RunScene { scene, mut world } = RunScene::read(folder)?;
    let files = chosen_files(folder, options.frames)?;
    let contents = FrameContents {
        formats: of_frames,
        ..FrameContents::of_run(&scene, &world)
    };
    let (facts, formats) = (contents.scene.clone(), contents.formats.len());
    let is_wanted = |name: &str| of_all.iter().any(|wanted| wanted == name);
    let passes = [formats > 0, is_wanted(GLB), is_wanted(VTKHDF)];
    let passes = passes.into_iter().filter(|&is_made| is_made).count();
    let mut done = 0;
    let mut count = || {
        done += 1;
        progress(done, passes * files.len());
    };
    let mut animations = Vec::new();
    if is_wanted(GLB) {
        let scenery = (&facts, &mut world);
        animations.push(glb::write(folder, &files, scenery, to.root(), &mut count)?);
    }
    #[cfg(feature = "vtkhdf")]
    if is_wanted(VTKHDF) {
        let written = vtkhdf::write(folder, &files, (&facts, &mut world), to.root(), &mut count)?;
        animations.extend(written);
    }
    let series = if formats > 0 { &files[..] } else { &[] };
    let mut frames = FrameFiles::open(&to, contents, f64::INFINITY)?;
    let mut recorded = Recorded::of(&mut world);
    let mut written = 0;
    for (number, file) in series {
        let since = written_at(file);
        if !frames.has(*number, since) {
            recorded.read(folder, file)?;
            let surface = recorded.surface()?;
            frames.write_missing(&recorded.frame()?, surface.as_ref(), since)?;
            written += 1;
        }
        count();
    }
    let numbers: Vec<u32> = files.iter().map(|(number, _)| *number).collect();
    let [first, last] = options.frames.unwrap_or([1, u32::MAX]);
    Ok(Exported {
        folder: to,
        animations,
        formats,
        written,
        kept: series.len() - written,
        missing: missing_frames(&numbers, first.max(1), last.min(manifest.frames_done)),
    })
}

/// Writes the files that are missing of the frames up to `last`, as when a format was added to a run
/// that is resumed. What cannot be written, because no format of that frame can be read, is returned:
/// `3, 5 to 7`.
///
/// # Errors
/// If a file cannot be read or written.
pub(crate) fn fill(
    folder: &OutputFolder,
    frames: &mut FrameFiles,
    last: u32,
    world: &mut RunWorld,
) -> Result<Option<String>, RunError> {
    let files: BTreeMap<u32, PathBuf> = list_frames(&folder.particles())?.into_iter().collect();
    let mut recorded = Recorded::of(world);
    let mut whole = Vec::new();
    for number in 1..=last {
        if !frames.has(number, None) {
            let Some(file) = files.get(&number) else {
                continue;
            };
            recorded.read(folder, file)?;
            let surface = recorded.surface()?;
            frames.write_missing(&recorded.frame()?, surface.as_ref(), None)?;
        }
        whole.push(number);
    }
    Ok(missing_frames(&whole, 1, last))
}

/// The formats for people: "vtk, ply, npz".
pub fn format_names() -> String {
    let names = EXPORTERS.iter().map(|exporter| exporter.name);
    let names: Vec<&str> = names.chain([GLB, VTKHDF]).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_may_name_every_format() {
        let schema = pliant_scene::schema().to_string();
        for exporter in EXPORTERS {
            let name = format!("\"{}\"", exporter.name);
            assert!(schema.contains(&name), "output.particles lacks {name}");
        }
    }
}
