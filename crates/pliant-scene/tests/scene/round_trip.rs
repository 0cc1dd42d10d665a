//! A printed scene is the same scene.

use std::path::Path;

use proptest::prelude::*;

use pliant_scene::{Overrides, Scene};

use crate::support::*;

const EVERYTHING: &str = r##"
[scene]
title = "Quotes \" and \\ and\nlines"
duration = 0.3
up = "z"
[solver]
stop_when_still = 0.001
[material.clay]
law = "elastic"
density = 1100
youngs_modulus = 1e4
[[body]]
name = "beam"
material = "clay"
shape = { box = { size = [0.4, 0.1, 0.1] } }
rotation = [10, 20, 30]
sampling = "hexagonal"
jitter = 0.05
spacing = 0.02
spin = [0, 90, 0]
mass = 5.0
scale = 1.5
share_neighbors = false
[[body]]
name = "jet"
material = "clay"
spacing = 0.02
[[collider]]
name = "paddle"
shape = { sdf = { difference = [{ sphere = { radius = 0.2 } }, { box = { size = [0.1, 1.0, 1.0] }, position = [0.1, 0.0, 0.0] }] } }
position = [0, 0, -3]
motion = { keyframes = [{ t = 0.0 }, { t = 1.0, rotation = [0, 0, 720] }], ease = "smooth" }
[[emitter]]
name = "nozzle"
body = "jet"
shape = { box = { size = [0.2, 0.2, 0.2] } }
position = [0, 0, 2]
velocity = [0, 0, -1]
rate = 500
stop = 0.2
[[attach]]
name = "root"
body = "beam"
shape = { plane = { normal = [1, 0, 0] } }
[[probe]]
name = "tip"
measure = "nearest-particle"
body = "beam"
point = [0.2, 0.0, 0.0]
[[expect]]
column = "tip.x"
at = 0.25
range = [-1.0, 1.0]
[[camera]]
position = [1, 1, 1]
target = [0, 0, 0]
"##;

fn read_again(scene: &Scene) -> Scene {
    let text = scene.to_toml(Path::new("."));
    let read = Scene::parse(
        text.clone(),
        "printed.toml",
        Path::new("."),
        &Overrides::default(),
    );
    read.unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}

/// Positions, velocities and masses of all particles, as bits.
fn bits(scene: &Scene) -> Vec<u64> {
    let built = build(scene).unwrap_or_else(|errors| panic!("{errors}"));
    let mut bits = Vec::new();
    for body in &built.setup.bodies {
        let p = &body.particles;
        let vectors = p.position.iter().chain(&p.velocity);
        bits.extend(vectors.flat_map(|v| v.to_array()).map(f64::to_bits));
        bits.extend([p.particle_mass.to_bits(), p.particle_volume.to_bits()]);
    }
    for emitter in &built.setup.emitters {
        let seeds = emitter.seeds.iter().flat_map(|v| v.to_array());
        bits.extend(seeds.map(f64::to_bits));
    }
    bits
}

#[test]
fn printed_scene_is_equal_and_builds_the_same_bits() {
    for text in [SAND_COLUMN, EVERYTHING] {
        let scene = scene(text);
        let again = read_again(&scene);
        assert_eq!(scene, again);
        assert_eq!(bits(&scene), bits(&again));
        assert_eq!(scene.to_toml(Path::new(".")), again.to_toml(Path::new(".")));
    }
}

#[test]
fn printed_scene_has_every_default() {
    let text = scene(SAND_COLUMN).to_toml(Path::new("."));
    let defaults = [
        "iterations = 4",
        "xsph_rate = 10.0",
        "multiplier = \"tensor\"",
        "backend = \"cpu\"",
        "sampling = \"poisson\"",
        "support_radius = 2.0",
        "restitution = 0.0",
        "checkpoint_every = 24",
    ];
    for part in defaults {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn paths_of_the_printed_scene_lead_to_the_same_file() {
    let text = with(
        "{ cylinder = { radius = 0.1, height = 0.1 } }",
        "{ mesh = { file = \"src/../Cargo.toml\" } }",
    );
    let scene = scene(&text);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("out/deep");
    let printed = scene.to_toml(&folder);
    assert!(printed.contains("file = \"../../Cargo.toml\""), "{printed}");
    let again = Scene::parse(printed, "scene.toml", &folder, &Overrides::default());
    assert_eq!(again.unwrap(), scene);
}

#[test]
fn elastic_bodies_get_the_wider_support() {
    let built = built(EVERYTHING);
    assert!((built.setup.bodies[0].support_radius - 2.6 * 0.02).abs() < 1e-15);
}

proptest! {
    #[test]
    fn numbers_print_to_the_same_bits(x in proptest::num::f64::NORMAL | proptest::num::f64::ZERO) {
        let set = format!("scene.gravity=[{x:?}, 0.0, 0.0]");
        let scene = parse_with(SAND_COLUMN, &[&set]).unwrap();
        prop_assert_eq!(&read_again(&scene), &scene);
        let printed = format!("gravity = [{x:?}, ");
        prop_assert!(scene.to_toml(Path::new(".")).contains(&printed));
    }

    #[test]
    fn texts_print_to_the_same_text(title in ".{0,40}") {
        let quoted: String = title.chars().flat_map(char::escape_unicode).collect();
        let quoted = quoted.replace("\\u{", "\\U").replace('}', " ");
        let escaped: String = quoted.split_whitespace().map(|c| format!("\\U{:0>8}", &c[2..])).collect();
        let text = with("\"Sand column\"", &format!("\"{escaped}\""));
        let scene = scene(&text);
        prop_assert_eq!(scene.title(), title);
        prop_assert_eq!(read_again(&scene), scene);
    }
}
