//! Meshes that are not closed, through scene files.

use std::fs;

use super::support::*;

/// A cube of a metre, about the origin, without its lid; counter-clockwise from outside.
const OPEN_CUBE: &str = "
v -0.5 -0.5 -0.5\nv 0.5 -0.5 -0.5\nv 0.5 -0.5 0.5\nv -0.5 -0.5 0.5
v -0.5 0.5 -0.5\nv 0.5 0.5 -0.5\nv 0.5 0.5 0.5\nv -0.5 0.5 0.5
f 1 2 3\nf 1 3 4\nf 1 5 6\nf 1 6 2\nf 2 6 7\nf 2 7 3\nf 3 7 8\nf 3 8 4\nf 4 8 5\nf 4 5 1
";

/// Sand in the form of a mesh with some keys.
fn place(keys: &str) -> Place {
    let shape = format!("shape = {{ mesh = {{ file = \"cube.obj\", scale = 0.1, {keys} }} }}");
    let cylinder = "shape = { cylinder = { radius = 0.1, height = 0.1 } }";
    assert!(SAND.contains(cylinder));
    let place = Place::with(&SAND.replace(cylinder, &shape));
    fs::write(place.path("cube.obj"), OPEN_CUBE).unwrap();
    place
}

#[test]
fn an_open_mesh_names_the_repair_and_is_told_what_that_did() {
    let said = place("").pliant("check scene.toml");
    assert_eq!(said.status, Some(2));
    assert!(
        said.errors.contains("repair = \"fill-holes\""),
        "{}",
        said.errors
    );
    for (keys, told) in [
        (
            "repair = \"fill-holes\"",
            "1 hole was filled with 2 triangles",
        ),
        (
            "repair = \"winding\"",
            "what it goes around has a new surface of ",
        ),
        ("repair = \"voxels\", gap = 0.11", "openings of 0.11 m"),
    ] {
        let said = place(keys).pliant("check scene.toml");
        let all = format!("{}{}", said.text, said.errors);
        assert_eq!(said.status, Some(0), "{all}");
        assert!(
            all.contains("cube.obj was repaired: ") && all.contains(told),
            "{all}"
        );
        assert!(all.contains("(scene.toml, line "), "{all}");
    }
}

#[test]
fn what_no_repair_closes_is_an_error_with_its_place() {
    for (keys, told) in [
        ("gap = 0.01", "only voxels know of a gap"),
        // The ball goes in by the open top: what is left is where it does not come, along the edges.
        ("repair = \"voxels\"", "no particle of spacing 0.03 m fits"),
        ("repair = \"fill\"", "fill-holes"),
        ("repair = \"voxels\", gap = -1", "gap"),
    ] {
        let said = place(keys).pliant("check scene.toml");
        assert_eq!(said.status, Some(2), "{}", said.text);
        assert!(said.errors.contains(told), "{}", said.errors);
        assert!(said.errors.contains("scene.toml:"), "{}", said.errors);
    }
}
