//! Materials that start from a preset.

use std::path::Path;

use pliant_materials::presets::PRESETS;
use pliant_parameters::Value;
use pliant_scene::{Overrides, Scene, SceneErrors};

const BODY: &str = r#"
[[body]]
name = "lump"
material = "stuff"
shape = { sphere = { radius = 0.1 } }
spacing = 0.05
"#;

fn read(material: &str) -> Result<Scene, SceneErrors> {
    let text = format!("[scene]\nduration = 1.0\n[material.stuff]\n{material}\n{BODY}");
    Scene::parse(text, "test.toml", Path::new("."), &Overrides::default())
}

fn scene(material: &str) -> Scene {
    read(material).unwrap_or_else(|errors| panic!("{errors}"))
}

fn value(scene: &Scene, key: &str) -> Option<f64> {
    let material = &scene.materials()[0];
    let found = material.values.iter().find(|(name, _, _)| *name == key)?;
    match found.1 {
        Value::Number(x) => Some(*x),
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_preset_is_a_whole_material_and_survives_printing() {
    for preset in PRESETS {
        let scene = scene(&format!("preset = {:?}", preset.name));
        assert_eq!(scene.materials()[0].law, preset.law);
        assert_eq!(scene.materials()[0].preset, Some(preset.name));
        for (key, number) in preset.values {
            assert_eq!(value(&scene, key), Some(*number), "{}: {key}", preset.name);
        }
        let printed = scene.to_toml(Path::new("."));
        let again = Scene::parse(printed, "again.toml", Path::new("."), &Overrides::default());
        assert_eq!(again, Ok(scene));
    }
}

#[test]
fn written_values_come_before_those_of_the_preset() {
    let scene = scene("preset = \"dry-sand\"\nfriction_angle = 41.0\ndensity = 1500");
    assert_eq!(value(&scene, "friction_angle"), Some(41.0));
    assert_eq!(value(&scene, "density"), Some(1500.0));
    assert_eq!(value(&scene, "poissons_ratio"), Some(0.3));
}

#[test]
fn an_alternative_key_replaces_the_value_of_a_preset() {
    let of_norm = scene("preset = \"clay\"\nyield_deviator = 7e3");
    assert_eq!(value(&of_norm, "yield_deviator"), Some(7e3));
    assert_eq!(value(&of_norm, "yield_stress"), None);
    let of_strain = scene("preset = \"wet-sand\"\ncohesion_strain = 1e-3");
    assert_eq!(value(&of_strain, "cohesion"), None);
}

#[test]
fn unknown_preset_another_law_and_foreign_keys_are_refused() {
    for (material, parts) in [
        ("preset = \"dry-snad\"", ["dry-snad", "dry-sand"]),
        ("preset = 3", ["3", "\"dry-sand\""]),
        (
            "preset = \"clay\"\nlaw = \"elastic\"",
            ["\"clay\"", "\"von-mises\""],
        ),
        (
            "preset = \"clay\"\nfriction_angle = 30.0",
            ["friction_angle", "drucker-prager"],
        ),
        ("density = 1000", ["material.stuff.law", "preset"]),
    ] {
        let errors = read(material).expect_err(material).to_string();
        for part in parts {
            assert!(errors.contains(part), "'{part}' is not in\n{errors}");
        }
    }
}

#[test]
fn an_unknown_preset_is_the_only_error_of_its_material() {
    for material in [
        "preset = \"canvas\"",
        "preset = 3",
        "preset = \"canvas\"\nfriction_angle = 30.0",
    ] {
        let errors = read(material).expect_err(material).to_string();
        assert_eq!(errors.matches("error:").count(), 1, "{errors}");
    }
}
