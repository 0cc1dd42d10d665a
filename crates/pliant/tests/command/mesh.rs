//! `pliant mesh`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use pliant_geometry::TriangleMesh;
use pliant_geometry::topology::closed;
use pliant_io::export::read_frame;

use super::support::*;

fn meshes_in(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder.join("mesh")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let read = paths.map(|path| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, fs::read(path).unwrap())
    });
    read.collect()
}

#[test]
fn surfaces_are_closed_and_the_same_on_any_number_of_threads() {
    let place = Place::with(SAND);
    place.pliant_succeeds("run scene.toml --out run -q --frames 3");
    let said = place.pliant_succeeds("mesh run --to ply,vtk,usd --threads 1");
    assert!(
        said.text.contains("4 frames written, 0 were there"),
        "{}",
        said.text
    );
    place.pliant_succeeds("mesh run --to ply,vtk,usd --threads 3 --out other -q");
    assert!(meshes_in(&place.path("run")) == meshes_in(&place.path("other")));
    let frame = read_frame(&place.path("run/mesh/mesh.0003.ply")).unwrap();
    let particles = read_frame(&place.path("run/particles/particles.0003.vtp")).unwrap();
    let surface = TriangleMesh {
        vertices: frame.position,
        triangles: frame.triangles,
    };
    let surface = closed(&surface).unwrap();
    // A few particles in a random arrangement, of which a spacing cubed is the volume of each only nearly; the
    // tests of the surface have the true ones.
    let volume = particles.position.len() as f64 * 0.03_f64.powi(3);
    let ratio = surface.volume() / volume;
    assert!((0.7..1.4).contains(&ratio), "{ratio}");
    assert!(
        fs::read_to_string(place.path("run/mesh/scene.usda"))
            .unwrap()
            .contains("Mesh \"column\"")
    );
}

#[test]
fn meshes_go_on_where_they_were_stopped_and_leave_with_their_run() {
    let place = Place::with(SAND);
    place.pliant_succeeds("run scene.toml --out run -q --frames 3");
    place.pliant_succeeds("mesh run --material sand -q");
    let whole = meshes_in(&place.path("run"));
    fs::remove_file(place.path("run/mesh/mesh.0002.ply")).unwrap();
    fs::write(place.path("run/mesh/.partial-mesh.0002.ply"), "half").unwrap();
    let said = place.pliant_succeeds("mesh run --body column");
    assert!(
        said.text.contains("1 frames written, 3 were there"),
        "{}",
        said.text
    );
    assert!(meshes_in(&place.path("run")) == whole);
    place.pliant_succeeds("run scene.toml --out run -q --frames 1");
    assert!(meshes_in(&place.path("run")).is_empty());
}

#[test]
fn what_has_no_surface_is_told() {
    let place = Place::with(SAND);
    place.pliant_succeeds("run scene.toml --out run -q --frames 1");
    let wrong = [
        ("mesh none", "holds no run of Pliant"),
        (
            "mesh run --to bgeo-classic",
            "not written as `bgeo-classic`; they are as vtk, ply",
        ),
        (
            "mesh run --body colum",
            "no body `colum` that is shown as particles; there are column",
        ),
        ("mesh run --material snow", "no material `snow`"),
        (
            "mesh run --cube-size 0",
            "`cube_size` is 0; it must be from 0.05 to 2",
        ),
    ];
    for (command, expected) in wrong {
        let said = place.pliant(command);
        assert_eq!(said.status, Some(2), "{command}");
        assert!(said.errors.contains(expected), "{}", said.errors);
    }
}

/// The sand with its surface in each frame.
fn with_surface(table: &str) -> String {
    format!("{SAND}surface = [\"ply\", \"usd\"]\n[[surface]]\n{table}\n")
}

#[test]
fn surfaces_that_a_scene_asks_for_are_written_with_each_frame() {
    let place = Place::with(&with_surface("body = \"column\"\ncube_size = 0.7"));
    place.pliant_succeeds("run scene.toml --out run -q --frames 3 --threads 2");
    let during = meshes_in(&place.path("run"));
    assert!(during.contains_key("mesh.0004.ply") && during.contains_key("scene.usda"));
    // Afterwards those of the scene are made too, unless the command asks for others.
    place.pliant_succeeds("mesh run --to ply,usd --out other -q --threads 1");
    assert!(meshes_in(&place.path("other")) == during);
    place.pliant_succeeds("mesh run --to ply,usd --out finer -q --cube-size 0.5");
    assert!(meshes_in(&place.path("finer")) != during);
}

#[test]
fn a_run_that_is_resumed_goes_on_with_its_surfaces() {
    let place = Place::with(&with_surface("material = \"sand\""));
    place.pliant_succeeds("run scene.toml --out whole -q --frames 8");
    place.pliant_succeeds("run scene.toml --out short -q --frames 4");
    place.pliant_succeeds("run scene.toml --out short -q --frames 8 --resume");
    assert!(meshes_in(&place.path("short")) == meshes_in(&place.path("whole")));
    // Asked for later, the frames before are made of their particle files.
    fs::write(place.path("plain.toml"), SAND).unwrap();
    place.pliant_succeeds("run plain.toml --out late -q --frames 4");
    assert!(!place.path("late/mesh").exists());
    place.pliant_succeeds("run scene.toml --out late -q --frames 8 --resume");
    assert!(meshes_in(&place.path("late")) == meshes_in(&place.path("whole")));
}

#[test]
fn surfaces_around_nothing_are_refused_before_anything_is_written() {
    let cloth = r#"
[material.cotton]
preset = "cotton"
[[body]]
name = "towel"
material = "cotton"
shape = { sheet = { size = [0.2, 0.2] } }
position = [0.0, 0.5, 0.0]
spacing = 0.05
"#;
    let wrong = [
        ("body = \"colum\"", "surface[0].body"),
        (
            "body = \"column\"\nmaterial = \"sand\"",
            "leave one of the two out",
        ),
        ("cube_size = 9", "surface[0].cube_size = 9"),
        (
            "body = \"towel\"",
            "surface[0]: there is no body `towel` that is shown as particles; there are column",
        ),
    ];
    for (table, expected) in wrong {
        let place = Place::with(&format!("{}{cloth}", with_surface(table)));
        for command in ["run scene.toml --out run -q", "check scene.toml"] {
            let said = place.pliant(command);
            assert_eq!(said.status, Some(2), "{command}: {}", said.errors);
            assert!(said.errors.contains(expected), "{}", said.errors);
        }
        assert!(!place.path("run/run.json").exists());
    }
    let none = with_surface("").replace("\"ply\", \"usd\"", "");
    let said = Place::with(&none).pliant("check scene.toml");
    assert!(said.errors.contains("output.surface"), "{}", said.errors);
}
