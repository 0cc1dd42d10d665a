//! The block of sand that is timed.

use std::path::Path;

use pliant_core::world::{Setup, World};
use pliant_scene::{BuildWith, Overrides, Scene, SceneErrors};

use crate::machine::available_memory;
use crate::prepare::InputFiles;

/// Spacing of the grains [m].
const SPACING: f64 = 0.055;

/// A cube of about so many grains on a floor, its lattice shaken by 0.3 spacings: irregular, and at a
/// weight that two sweeps of a millisecond resolve.
///
/// # Errors
/// If there is no memory for it.
pub fn sand_block(particles: u64) -> Result<World, SceneErrors> {
    let edge = (particles as f64).cbrt().round().max(2.0) * SPACING;
    let text = format!(
        "scene.duration = 1.0\n\
         solver = {{ time_step = 1e-3, iterations = 2 }}\n\
         material.sand = {{ law = \"drucker-prager\", density = 1000.0, youngs_modulus = 4e5, friction_angle = 34.0 }}\n\
         [[body]]\n\
         name = \"block\"\n\
         material = \"sand\"\n\
         shape = {{ box = {{ size = [{edge:?}, {edge:?}, {edge:?}] }} }}\n\
         position = [0.0, {:?}, 0.0]\n\
         spacing = {SPACING:?}\n\
         sampling = \"grid\"\n\
         jitter = 0.3\n\
         [[collider]]\n\
         name = \"floor\"\n\
         shape = {{ plane = {{}} }}\n\
         friction = 0.5\n",
        0.5 * edge
    );
    Ok(World::new(setup(&text)?))
}

fn setup(text: &str) -> Result<Setup, SceneErrors> {
    let scene = Scene::parse(text, "block", Path::new("."), &Overrides::default())?;
    let built = scene.build(BuildWith {
        meshes: &InputFiles::default(),
        memory: available_memory(),
    })?;
    Ok(built.setup)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_about_as_many_grains_as_asked_for() {
        let count = sand_block(3000).unwrap().state.particles.len() as f64;
        assert!((count / 3000.0 - 1.0).abs() < 0.1, "{count}");
    }
}
