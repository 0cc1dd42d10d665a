//! Scenes that the tests start from.

use std::path::Path;
use std::sync::Arc;

use pliant_geometry::{MeshSource, TriangleMesh};
use pliant_parameters::Problem;
use pliant_scene::{BuildWith, Built, Overrides, Scene, SceneError, SceneErrors};

/// A column of sand on a floor.
pub const SAND_COLUMN: &str = r##"
[scene]
title = "Sand column"
duration = 1.5
frame_rate = 24
gravity = [0.0, -9.81, 0.0]
seed = 1
bounds = { min = [-2, -0.1, -2], max = [2, 3, 2], on_exit = "remove" }

[solver]
time_step = 2e-4

[material.sand]
law = "drucker-prager"
density = 1600.0
youngs_modulus = 3.5e5
poissons_ratio = 0.3
friction_angle = 30.0

[[body]]
name = "column"
material = "sand"
shape = { cylinder = { radius = 0.1, height = 0.1 } }
position = [0.0, 0.05, 0.0]
spacing = 0.01
color = "#d8b27a"

[[collider]]
name = "floor"
shape = { plane = { normal = [0, 1, 0] } }
friction = 0.6

[[probe]]
name = "column"
body = "column"
measure = "run-out"

[[expect]]
column = "column.r99"
value = 0.168
tolerance = 0.006

[output]
particles = ["vtk"]
"##;

/// A unit cube of particles that is free, without a floor.
pub const CUBE: &str = r#"
scene.duration = 0.1
[material.rubber]
law = "elastic"
density = 1000.0
youngs_modulus = 1e5
[[body]]
name = "cube"
material = "rubber"
shape = { box = { size = [1, 1, 1] } }
position = [0, 2, 0]
spacing = 0.1
sampling = "grid"
"#;

/// Memory that is plenty for the scenes of the tests [bytes].
pub const MEMORY: u64 = 1 << 30;

/// Has no meshes.
pub struct NoMeshes;

impl MeshSource for NoMeshes {
    fn mesh(&self, file: &str) -> Result<Arc<TriangleMesh>, Problem> {
        Err(Problem::at(
            "file",
            format!("the mesh {file} leaks near (0.1, 0.2, 0.3)"),
            "close the hole",
        ))
    }
}

/// Reads a scene called `test.toml` with values set.
pub fn parse_with(text: &str, set: &[&str]) -> Result<Scene, SceneErrors> {
    let overrides = Overrides {
        set: set.iter().map(|s| s.to_string()).collect(),
        ..Overrides::default()
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    Scene::parse(text, "test.toml", folder, &overrides)
}

/// Reads a scene that must be right.
pub fn scene(text: &str) -> Scene {
    parse_with(text, &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

/// Builds a scene with plenty of memory and without meshes.
pub fn build(scene: &Scene) -> Result<Built, SceneErrors> {
    scene.build(BuildWith {
        meshes: &NoMeshes,
        memory: MEMORY,
    })
}

/// Builds a scene that must be right.
pub fn built(text: &str) -> Built {
    build(&scene(text)).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The errors of reading a scene, or of building it.
pub fn errors(text: &str) -> Vec<SceneError> {
    let errors = match parse_with(text, &[]) {
        Ok(scene) => build(&scene)
            .map(|_| ())
            .expect_err("the scene is accepted"),
        Err(errors) => errors,
    };
    errors.errors().to_vec()
}

/// The body of [`CUBE`] again, with another name and position.
pub fn another_cube(name: &str, position: &str) -> String {
    let (_, body) = CUBE.split_once("[[body]]").expect("a body");
    let body = body.replace("\"cube\"", &format!("\"{name}\""));
    format!("[[body]]{}", body.replace("[0, 2, 0]", position))
}

/// The sand column with one text replaced by another.
pub fn with(from: &str, to: &str) -> String {
    assert!(SAND_COLUMN.contains(from), "{from} is not in the scene");
    SAND_COLUMN.replace(from, to)
}

/// The only error of a scene.
pub fn refusal(text: &str) -> String {
    let errors = errors(text);
    assert_eq!(errors.len(), 1, "{errors:?}");
    errors[0].to_string()
}
