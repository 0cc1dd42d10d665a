//! The blocks of sand, of another law, or of solid that are timed.

use std::path::Path;

use pliant_core::world::{Setup, World};
use pliant_scene::{BuildWith, Overrides, Scene, SceneErrors};

use crate::machine::available_memory;
use pliant_io::InputFiles;

/// Spacing of the grains [m].
const SPACING: f64 = 0.055;

/// Spacing of the particles of solid [m].
const SOLID_SPACING: f64 = 0.027;

/// The laws that are timed beside each other with their numbers; each yields in the block, if it can.
pub const LAWS: &[(&str, &str)] = &[
    ("drucker-prager", "friction_angle = 34.0"),
    ("elastic", "poissons_ratio = 0.3"),
    ("von-mises", "yield_stress = 2e3"),
    (
        "herschel-bulkley",
        "yield_stress = 1e3, consistency = 100.0, flow_index = 0.3",
    ),
    (
        "cam-clay",
        "initial_volume_strain = -0.01, cohesion_ratio = 0.05, hardening = 1.0, critical_state_slope = 1.2",
    ),
    (
        "snow",
        "critical_compression = 0.01, critical_stretch = 0.005",
    ),
];

/// A cube of about so many grains on a floor, its lattice shaken by 0.3 spacings: irregular, and at a
/// weight that two sweeps of a millisecond resolve.
///
/// # Errors
/// If there is no memory for it.
pub fn sand_block(particles: u64) -> Result<World, SceneErrors> {
    let (law, numbers) = LAWS[0];
    law_block(particles, law, numbers, "auto")
}

/// The same of a law with its numbers, and with kernel gradients of a precision.
///
/// # Errors
/// As above.
pub fn law_block(
    particles: u64,
    law: &str,
    numbers: &str,
    gradient_precision: &str,
) -> Result<World, SceneErrors> {
    let edge = (particles as f64).cbrt().round().max(2.0) * SPACING;
    let text = format!(
        "scene.duration = 1.0\n\
         solver = {{ time_step = 1e-3, iterations = 2, xpbi = {{ gradient_precision = \"{gradient_precision}\" }} }}\n\
         material.matter = {{ law = \"{law}\", density = 1000.0, youngs_modulus = 4e5, {numbers} }}\n\
         [[body]]\n\
         name = \"block\"\n\
         material = \"matter\"\n\
         shape = {{ box = {{ size = [{edge:?}, {edge:?}, {edge:?}] }} }}\n\
         position = [0.0, {:?}, 0.0]\n\
         spacing = {SPACING:?}\n\
         support_radius = 2.0\n\
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

/// A cube of about so many particles of rubber on a floor: a lattice whose particles have 26 neighbours
/// inside. Its outer layers look for contacts with the floor and with each other.
///
/// # Errors
/// If there is no memory for it.
pub fn solid_block(particles: u64, ordering: &str) -> Result<World, SceneErrors> {
    let law = "law = \"neo-hookean\", poissons_ratio = 0.4";
    let text = solid(particles, ordering, law, "");
    Ok(World::new(setup(&format!(
        "{text}[[collider]]\n\
         name = \"floor\"\n\
         shape = {{ plane = {{}} }}\n\
         friction = 0.5\n"
    ))?))
}

/// The same of another law, spinning without weight and without contacts.
///
/// * `law` — name and numbers
///
/// # Errors
/// As above.
pub fn free_block(particles: u64, law: &str) -> Result<World, SceneErrors> {
    let body = "self_contact = false\nspin = [0.0, 90.0, 0.0]\n";
    let text = solid(particles, "gauss-seidel", law, body);
    let weightless = format!("scene.gravity = [0.0, 0.0, 0.0]\n{text}");
    Ok(World::new(setup(&weightless)?))
}

/// A cube of solid on the plane y = 0, in steps in which a Jacobi sweep is stable.
fn solid(particles: u64, ordering: &str, law: &str, body: &str) -> String {
    let edge = (particles as f64).cbrt().round().max(2.0) * SOLID_SPACING;
    format!(
        "scene.duration = 1.0\n\
         solver = {{ time_step = 1e-3, ordering = \"{ordering}\" }}\n\
         material.matter = {{ {law}, density = 1000.0, youngs_modulus = 1e5 }}\n\
         [[body]]\n\
         name = \"block\"\n\
         method = \"strain-energy\"\n\
         material = \"matter\"\n\
         shape = {{ box = {{ size = [{edge:?}, {edge:?}, {edge:?}] }} }}\n\
         position = [0.0, {:?}, 0.0]\n\
         spacing = {SOLID_SPACING:?}\n\
         support_radius = 1.8\n\
         sampling = \"grid\"\n\
         {body}",
        0.5 * edge
    )
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
    use super::super::{Processor, Stages};
    use super::*;

    #[test]
    fn a_block_has_about_as_many_grains_as_asked_for() {
        let count = sand_block(3000).unwrap().state.particles.len() as f64;
        assert!((count / 3000.0 - 1.0).abs() < 0.1, "{count}");
    }

    #[test]
    fn every_law_can_be_timed_and_takes_a_substep() {
        for (law, numbers) in LAWS {
            for precision in ["auto", "full"] {
                let world = law_block(200, law, numbers, precision).expect(law);
                let stages = Stages::measure(world, Processor::with_threads(1), 1).expect(law);
                assert!(
                    stages.cost("sweep").is_some_and(|c| c.bounds > 0.0),
                    "{law}"
                );
            }
        }
    }
}
