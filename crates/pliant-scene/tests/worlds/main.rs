//! What worlds built from scenes keep to rounding, in single as in double precision.

mod carried;
mod closed_world;
mod creature;
mod crushed;
mod fields;
mod heaps;
mod joints;
mod load_steps;
mod loaded;
mod method_bodies;
mod pressed;
mod scales;
mod tied;
mod turned_scales;

use std::path::Path;
use std::sync::Arc;

use pliant_core::world::World;
use pliant_geometry::{MeshSource, TriangleMesh};
use pliant_parameters::Problem;
use pliant_scene::{BuildWith, Overrides, Scene};

/// No scene here names a mesh.
struct NoMeshes;

impl MeshSource for NoMeshes {
    fn mesh(&self, file: &str) -> Result<Arc<TriangleMesh>, Problem> {
        Err(Problem::at("file", format!("there is no {file}"), "none"))
    }
}

/// The world of a scene that must be right.
fn world(text: &str) -> World {
    let scene = Scene::parse(text, "test.toml", Path::new("."), &Overrides::default());
    let built = scene.and_then(|scene| {
        scene.build(BuildWith {
            meshes: &NoMeshes,
            memory: 1 << 30,
        })
    });
    World::new(built.unwrap_or_else(|errors| panic!("{errors}")).setup)
}
