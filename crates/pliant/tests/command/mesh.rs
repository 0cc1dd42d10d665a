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
