//! All frames of a run as VTKHDF files: one of the particles, one of the surfaces that bodies carry.

use std::path::{Path, PathBuf};

use pliant_io::export::SceneFacts;
use pliant_vtkhdf::VtkhdfFile;

use super::ExportError;
use crate::additions::RunWorld;
use crate::recorded::Recorded;
use crate::run::OutputFolder;

/// Names of the files.
const PARTICLES: &str = "particles.vtkhdf";
const SURFACES: &str = "surface.vtkhdf";

/// Writes the files into a folder and returns their paths.
///
/// * `files` — those of the frames, in their order
pub(super) fn write(
    folder: &OutputFolder,
    files: &[(u32, PathBuf)],
    (scene, world): (&SceneFacts, &mut RunWorld),
    to: &Path,
    progress: &mut dyn FnMut(),
) -> Result<Vec<PathBuf>, ExportError> {
    let mut particles = VtkhdfFile::create(&to.join(PARTICLES), &scene.later_quantities)?;
    let mut surfaces = None;
    let mut recorded = Recorded::of(world);
    for (_, path) in files {
        recorded.read(folder, path)?;
        if let Some(surface) = recorded.surface()? {
            let file = match &mut surfaces {
                Some(file) => file,
                none => none.insert(VtkhdfFile::create(&to.join(SURFACES), &[])?),
            };
            file.add(&surface, false)?;
        }
        particles.add(&recorded.frame()?, true)?;
        progress();
    }
    let all = [Some(particles), surfaces].into_iter().flatten();
    Ok(all.map(VtkhdfFile::finish).collect::<Result<_, _>>()?)
}
