//! The environment map that lights the pictures of a scene.

use std::sync::Arc;

use pliant_io::environment_map;
use pliant_render::{EnvironmentLight, EnvironmentMap};
use pliant_scene::{Environment, Scene, SceneErrors};

/// The environment map that lights the pictures of a scene, if it names one.
///
/// # Errors
/// If it cannot be read.
pub fn environment_of(scene: &Scene) -> Result<Option<EnvironmentLight>, SceneErrors> {
    const REMEDY: &str = "name a Radiance file (.hdr), or leave the key out";
    let Some(named) = scene.output().environment else {
        return Ok(None);
    };
    let wrong = |why: String| scene.errors_at("output.environment", why, REMEDY);
    read_environment(&named).map(Some).map_err(wrong)
}

/// The environment map of a file, or what is wrong with it.
pub fn read_environment(named: &Environment) -> Result<EnvironmentLight, String> {
    let read = environment_map::read(&named.file).map_err(|error| error.to_string())?;
    let map = EnvironmentMap::new(read.width, read.height, read.pixels);
    let unusable = |why| format!("`{}` cannot light a scene: {why}", named.file.display());
    Ok(EnvironmentLight {
        map: Arc::new(map.map_err(unusable)?),
        turn: named.turn,
        strength: named.strength as f32,
        is_seen: named.is_seen,
    })
}
