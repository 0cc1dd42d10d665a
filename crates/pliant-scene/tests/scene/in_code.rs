//! Scenes made in code.

use pliant_scene::{Scene, SceneBuilder, SceneTable, SceneValue};

use crate::support::*;

fn ball() -> SceneTable {
    SceneTable::new()
        .with("name", "ball")
        .with("material", "rubber")
        .with("shape.sphere.radius", 0.05)
        .with("position", [0.0, 0.5, 0.0])
        .with("spacing", 0.02)
}

fn builder() -> SceneBuilder {
    Scene::builder()
        .with("scene.duration", 0.5)
        .with("scene.seed", 3)
        .with("material.rubber.preset", "rubber")
        .add("body", ball())
        .add(
            "collider",
            SceneTable::new()
                .with("name", "floor")
                .with("shape.plane", SceneTable::new()),
        )
        .with("output.particles", vec!["vtk", "ply"])
        .with("output.preview", false)
}

const SAME: &str = r#"
scene = { duration = 0.5, seed = 3 }
material.rubber.preset = "rubber"
output = { particles = ["vtk", "ply"], preview = false }
[[body]]
name = "ball"
material = "rubber"
shape = { sphere = { radius = 0.05 } }
position = [0.0, 0.5, 0.0]
spacing = 0.02
[[collider]]
name = "floor"
shape = { plane = {} }
"#;

#[test]
fn a_scene_in_code_equals_the_one_in_a_file() {
    let in_code = builder().build().expect("sound");
    assert_eq!(in_code, parse_with(SAME, &[]).expect("sound"));
    let finer = builder().with("body.ball.spacing", 0.01).build();
    let same = SAME.replace("spacing = 0.02", "spacing = 0.01");
    assert_eq!(
        finer.expect("sound"),
        parse_with(&same, &[]).expect("sound")
    );
}

#[test]
fn errors_of_code_are_those_of_a_file_without_a_line() {
    let wrong: [(&str, SceneValue, &str, &str); 5] = [
        ("spacing", (-0.5).into(), "spacing = 0.02", "spacing = -0.5"),
        (
            "spacing",
            "fine".into(),
            "spacing = 0.02",
            "spacing = \"fine\"",
        ),
        (
            "spaceing",
            0.02.into(),
            "spacing = 0.02",
            "spacing = 0.02\nspaceing = 0.02",
        ),
        (
            "material",
            "ruber".into(),
            "\"rubber\"\nshape",
            "\"ruber\"\nshape",
        ),
        ("spacing", 0.5.into(), "spacing = 0.02", "spacing = 0.5"),
    ];
    for (key, value, old, new) in wrong {
        let in_code = builder().with(format!("body.ball.{key}"), value).build();
        let in_file = parse_with(&SAME.replace(old, new), &[]);
        let build = |scene: Scene| build(&scene);
        let [in_code, in_file] =
            [in_code, in_file].map(|scene| scene.and_then(build).expect_err(new));
        let without_place = |e: &pliant_scene::SceneError| {
            (
                e.key.clone(),
                e.value.clone(),
                e.message.clone(),
                e.remedy.clone(),
            )
        };
        let said = |errors: &pliant_scene::SceneErrors| -> Vec<_> {
            errors.errors().iter().map(without_place).collect()
        };
        assert_eq!(said(&in_code), said(&in_file), "{new}");
        assert!(!in_code.to_string().contains("-->"), "{in_code}");
    }
}

#[test]
fn addresses_that_lead_nowhere_and_tables_without_end_are_refused() {
    let mut deep = SceneTable::new();
    for _ in 0..200 {
        deep = SceneTable::new().with("difference", vec![deep]);
    }
    let long = ["a"; 200].join(".");
    let wrong = [
        builder().with("", 1.0),
        builder().with("body[7].spacing", 0.01),
        builder().with("body.cube.spacing", 0.01),
        builder().with("scene.duration.x", 0.01),
        builder().with("body[0].shape", deep),
        builder().with(long, 1.0),
        builder().with("material.rubber", f64::NAN),
        builder().add("scene", ball()).add("scene", ball()),
        builder().add("", ball()),
    ];
    for builder in wrong {
        let said = builder
            .build()
            .map(|_| ())
            .expect_err("no scene")
            .to_string();
        assert!(said.starts_with("error: "), "{said}");
    }
}
