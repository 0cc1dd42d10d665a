//! Includes, levels of detail, and values set from outside.

use std::path::{Path, PathBuf};

use pliant_scene::{Overrides, Place, Scene, SceneErrors};

use crate::support::*;

/// A folder with files, removed at the end.
struct Folder {
    path: PathBuf,
}

impl Folder {
    fn with(name: &str, files: &[(&str, &str)]) -> Self {
        let path = std::env::temp_dir().join(format!("pliant-{name}-{}", std::process::id()));
        for (file, text) in files {
            let file = path.join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        Self { path }
    }

    fn read(&self, file: &str) -> Result<Scene, SceneErrors> {
        Scene::read(&self.path.join(file), &Overrides::default())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

fn spacings(scene: &Scene) -> Vec<f64> {
    let built = build(scene).unwrap_or_else(|e| panic!("{e}"));
    built.setup.bodies.iter().map(|b| b.spacing).collect()
}

fn at_level(text: &str, level: &str) -> Result<Scene, SceneErrors> {
    let overrides = Overrides {
        detail: Some(level.into()),
        ..Overrides::default()
    };
    Scene::parse(text, "test.toml", Path::new("."), &overrides)
}

#[test]
fn including_file_overrides_key_by_key_and_by_name() {
    let over = r#"
include = ["common/column.toml"]
scene.duration = 0.5
[[body]]
name = "column"
spacing = 0.02
[[body]]
name = "second"
material = "sand"
shape = { box = { size = [0.1, 0.1, 0.1] } }
position = [1.0, 0.1, 0.0]
spacing = 0.03
"#;
    let files = [("common/column.toml", SAND_COLUMN), ("over.toml", over)];
    let folder = Folder::with("include", &files);
    let scene = folder.read("over.toml").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(scene.duration(), 0.5);
    assert_eq!(scene.title(), "Sand column");
    assert_eq!(spacings(&scene), [0.02, 0.03]);
}

#[test]
fn including_file_may_address_bodies_by_name_and_place() {
    let over =
        "include = [\"column.toml\"]\nbody.column.spacing = 0.02\n\"body[0].jitter\" = 0.1\n";
    let files = [("column.toml", SAND_COLUMN), ("over.toml", over)];
    let folder = Folder::with("address", &files);
    let scene = folder.read("over.toml").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(spacings(&scene), [0.02]);
    assert!(scene.to_toml(Path::new(".")).contains("jitter = 0.1"));
}

#[test]
fn errors_in_an_included_file_name_that_file() {
    let wrong = with("density = 1600.0", "density = 0.0");
    let files = [
        ("sub/wrong.toml", wrong.as_str()),
        ("over.toml", "include = [\"sub/wrong.toml\"]\n"),
    ];
    let folder = Folder::with("place", &files);
    let errors = folder.read("over.toml").expect_err("density 0");
    let shown = errors.to_string();
    assert!(shown.contains("sub/wrong.toml:15:"), "{shown}");
}

#[test]
fn missing_and_circular_includes_are_errors() {
    let files = [
        ("a.toml", "include = [\"b.toml\"]\n"),
        ("b.toml", "include = [\"a.toml\"]\n"),
        ("c.toml", "include = [\"nothing.toml\"]\n"),
    ];
    let folder = Folder::with("circle", &files);
    let circle = folder.read("a.toml").expect_err("a circle").to_string();
    assert!(circle.contains("include each other"), "{circle}");
    let missing = folder.read("c.toml").expect_err("missing").to_string();
    assert!(
        missing.contains("nothing.toml") && missing.contains("c.toml:1:"),
        "{missing}"
    );
}

#[test]
fn a_level_of_detail_replaces_values() {
    let text = format!(
        "{SAND_COLUMN}\n[detail.coarse]\nbody.column.spacing = 0.02\nsolver.iterations = 7\n"
    );
    assert_eq!(spacings(&scene(&text)), [0.01]);
    let coarse = at_level(&text, "coarse").unwrap();
    assert_eq!(spacings(&coarse), [0.02]);
    assert_eq!(build(&coarse).unwrap().setup.solver.iterations, 7);
}

#[test]
fn a_level_may_replace_one_shape_by_another() {
    let text = format!(
        "{SAND_COLUMN}\n[detail.ball.body.column]\nshape = {{ sphere = {{ radius = 0.05 }} }}\n"
    );
    let ball = at_level(&text, "ball").unwrap();
    assert!(
        ball.to_toml(Path::new("."))
            .contains("sphere = { radius = 0.05 }")
    );
}

#[test]
fn a_level_that_is_not_there_names_the_nearest() {
    let text = format!("{SAND_COLUMN}\n[detail.paper]\nsolver.iterations = 7\n");
    let errors = at_level(&text, "papr")
        .expect_err("no such level")
        .to_string();
    assert!(
        errors.contains("papr") && errors.contains("\"paper\""),
        "{errors}"
    );
}

#[test]
fn a_level_that_is_not_asked_for_is_checked_too() {
    let text = format!("{SAND_COLUMN}\n[detail.fine]\nbody.column.spacing = -1.0\n");
    let errors = errors(&text);
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].key, "body.column.spacing");
    assert!(matches!(&errors[0].place, Place::File { excerpt, .. } if excerpt.contains("-1.0")));
}

#[test]
fn values_set_by_arguments_override_the_file() {
    let set = [
        "body.column.spacing=0.02",
        "body[0].spacing = 0.025",
        "solver.xpbi.multiplier=\"scalar\"",
        "material.sand.friction_angle=20",
        "scene.gravity=[0, -1, 0]",
    ];
    let scene = parse_with(SAND_COLUMN, &set).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(spacings(&scene), [0.025]);
    let text = scene.to_toml(Path::new("."));
    for part in [
        "multiplier = \"scalar\"",
        "friction_angle = 20.0",
        "gravity = [0.0, -1.0, 0.0]",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}
