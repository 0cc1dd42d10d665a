//! Shapes from files, sheets and trees through scene files.

use std::fs;

use pliant_io::export::{ParticleFrame, read_frame};
use pliant_math::DVec3;

use crate::support::*;

/// A folder with what a run has left of the sand after three frames, `start.vtp`, `.ply`, `.npz`,
/// and a scene that begins with one of them, a metre higher and turned by a right angle.
fn place_with_particles(format: &str) -> (Place, ParticleFrame) {
    let place = Place::with(SAND);
    place.pliant_succeeds(
        "run scene.toml --out first --frames 3 -q --set output.particles=[\"vtk\",\"ply\",\"npz\"]",
    );
    let left = place.path(&format!("first/particles/particles.0004.{format}"));
    let frame = read_frame(&left).unwrap();
    fs::create_dir(place.path("input")).unwrap();
    fs::rename(left, place.path(&format!("input/start.{format}"))).unwrap();
    let shape = format!("shape = {{ particles = {{ file = \"input/start.{format}\" }} }}");
    let next = SAND
        .replace(
            "shape = { cylinder = { radius = 0.1, height = 0.1 } }",
            &shape,
        )
        .replace(
            "[0.0, 0.06, 0.0]",
            "[0.0, 1.0, 0.0]\nrotation = [0, 90, 0]\nvelocity = [0, 2, 0]",
        );
    fs::write(place.path("next.toml"), next).unwrap();
    (place, frame)
}

#[test]
fn particles_of_a_file_start_where_and_as_fast_as_it_says() {
    for format in ["vtp", "ply", "npz"] {
        let (place, before) = place_with_particles(format);
        place.pliant_succeeds("run next.toml --out next --frames 1 -q");
        let after = read_frame(&place.path("next/particles/particles.0001.vtp")).unwrap();
        assert_eq!(after.position.len(), before.position.len());
        for i in 0..before.position.len() {
            // A right angle about y takes x to -z and z to x.
            let turned = |v: DVec3| DVec3::new(v.z, v.y, -v.x);
            let position = turned(before.position[i]) + DVec3::Y;
            assert!((after.position[i] - position).length() < 1e-12);
            let velocity = turned(before.velocity[i].map(f64::from).into()) + 2.0 * DVec3::Y;
            let found = DVec3::from(after.velocity[i].map(f64::from));
            assert!((found - velocity).length() < 1e-6, "{found} {velocity}");
        }
    }
}

#[test]
fn a_run_from_a_particle_file_is_known_by_its_content_and_goes_on() {
    let (place, _) = place_with_particles("vtp");
    let options = "--frames 3 -q --set output.checkpoint_every=1";
    place.pliant_succeeds(&format!("run next.toml --out next {options}"));
    let manifest = fs::read_to_string(place.path("next/run.json")).unwrap();
    assert!(manifest.contains("start.vtp"), "{manifest}");
    let scene = fs::read_to_string(place.path("next/scene.toml")).unwrap();
    assert!(scene.contains("file = \"../input/start.vtp\""), "{scene}");
    let before = results(&place.path("next"));
    let newest = place.path("next/checkpoints/checkpoint.0004.pliant");
    fs::write(newest, "damaged").unwrap();
    let said = place.pliant_succeeds("run next/scene.toml --out next --resume");
    assert!(!said.errors.contains("anew"), "{}", said.errors);
    assert_same(&before, &results(&place.path("next")));
    // Another file under the same name makes it another run.
    fs::copy(
        place.path("first/particles/particles.0001.vtp"),
        place.path("input/start.vtp"),
    )
    .unwrap();
    let said = place.pliant("run next/scene.toml --out next --resume");
    assert!(
        said.errors.contains("content of input file"),
        "{}",
        said.errors
    );
}

#[test]
fn a_particle_file_that_cannot_be_used_is_an_error_with_its_place() {
    let place = Place::with(&SAND.replace(
        "shape = { cylinder = { radius = 0.1, height = 0.1 } }",
        "shape = { particles = { file = \"start.ply\" } }",
    ));
    let header = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n";
    fs::write(
        place.path("start.ply"),
        format!("{header}end_header\n1 2\n"),
    )
    .unwrap();
    let said = place.pliant("check scene.toml");
    assert_eq!(said.status, Some(2));
    for part in [
        "body.column.shape.particles.file",
        "no positions",
        "it has x, y",
        "scene.toml:13",
    ] {
        assert!(
            said.errors.contains(part),
            "'{part}' is not in\n{}",
            said.errors
        );
    }
}

#[test]
fn what_is_not_read_of_a_particle_file_is_told() {
    let (place, _) = place_with_particles("npz");
    let said = place.pliant_succeeds("check next.toml");
    assert!(
        said.text.contains("only positions and velocities are read"),
        "{}",
        said.text
    );
    assert!(said.text.contains("radius"), "{}", said.text);
}

#[test]
fn a_layer_of_particles_falls_onto_a_sheet_and_stays_on_it() {
    let scene = SAND
        .replace(
            "{ cylinder = { radius = 0.1, height = 0.1 } }",
            "{ sheet = { size = [0.3, 0.3] } }",
        )
        .replace(
            "{ plane = { normal = [0, 1, 0] } }",
            "{ sheet = { size = [1, 1] } }",
        );
    let place = Place::with(&scene);
    let said = place.pliant_succeeds("check scene.toml");
    assert!(said.text.contains("100"), "{}", said.text);
    place.pliant_succeeds("run scene.toml --out out -q");
    let end = read_frame(&place.path("out/particles/particles.0007.vtp")).unwrap();
    assert_eq!(end.position.len(), 100);
    for position in end.position {
        assert!((position.y - 0.015).abs() < 0.006, "{position}");
    }
}

#[test]
fn a_sheet_as_a_region_is_an_error_that_says_why() {
    let region =
        "[[attach]]\nname = \"hold\"\nbody = \"column\"\nshape = { sheet = { size = [1, 1] } }\n";
    let place = Place::with(&format!("{SAND}{region}"));
    let said = place.pliant("check scene.toml");
    assert_eq!(said.status, Some(2));
    assert!(said.errors.contains("attach.hold.shape"), "{}", said.errors);
    assert!(said.errors.contains("no inside"), "{}", said.errors);
}
