//! All frames of a run as one glTF file.

use std::path::{Path, PathBuf};

use pliant_io::export::{GlbFile, Moment, SceneFacts};

use super::ExportError;
use crate::additions::RunWorld;
use crate::recorded::Recorded;
use crate::run::OutputFolder;

/// Name of the file.
const NAME: &str = "animation.glb";

/// Writes the file into a folder and returns its path.
///
/// * `files` — those of the frames, in their order
pub(super) fn write(
    folder: &OutputFolder,
    files: &[(u32, PathBuf)],
    (scene, world): (&SceneFacts, &mut RunWorld),
    to: &Path,
    progress: &mut dyn FnMut(),
) -> Result<PathBuf, ExportError> {
    let mut file = GlbFile::create(&to.join(NAME), scene)?;
    let mut recorded = Recorded::of(world);
    for (_, path) in files {
        recorded.read(folder, path)?;
        let surface = recorded.surface()?;
        file.add(&Moment {
            frame: &recorded.frame()?,
            surface: surface.as_ref(),
            scene,
        })?;
        progress();
    }
    Ok(file.finish()?)
}
