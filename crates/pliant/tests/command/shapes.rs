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
fn unused_columns_of_a_particle_file_are_reported() {
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

/// A square metre of four triangles in the plane y = 0, its faces up or down.
fn square(faces_up: bool) -> String {
    let triangles = [[1, 2, 5], [2, 3, 5], [3, 4, 5], [4, 1, 5]];
    let face = |[a, b, c]: [u32; 3]| {
        if faces_up {
            format!("f {b} {a} {c}\n")
        } else {
            format!("f {a} {b} {c}\n")
        }
    };
    let corners = "v -.5 0 -.5\nv .5 0 -.5\nv .5 0 .5\nv -.5 0 .5\nv 0 0 0\n";
    format!("{corners}{}", triangles.map(face).concat())
}

/// The sand, thrown at a mesh of 10 m that is turned about z by so many degrees.
fn sand_on_a_tilted_mesh(turn: f64, keys: &str) -> String {
    let mesh = "{ mesh = { file = \"square.obj\", scale = 10 } }";
    let collider = format!("rotation = [0, 0, {turn}]\n{keys}\n[[probe]]");
    SAND.replace("{ plane = { normal = [0, 1, 0] } }", mesh)
        .replace(
            "[0.0, 0.06, 0.0]",
            "[0.0, 0.1, 0.0]\nvelocity = [0, -10, 0]",
        )
        .replace("[[probe]]", &collider)
}

#[test]
fn sand_stays_on_its_side_of_an_open_mesh_whichever_side_that_is() {
    let (sine, cosine) = 15f64.to_radians().sin_cos();
    let up = DVec3::new(-sine, cosine, 0.0);
    for (turn, faces_up) in [(15.0, true), (15.0, false), (195.0, true)] {
        let place = Place::with(&sand_on_a_tilted_mesh(turn, "two_sided = true"));
        fs::write(place.path("square.obj"), square(faces_up)).unwrap();
        place.pliant_succeeds("run scene.toml --out out -q");
        let end = read_frame(&place.path("out/particles/particles.0007.vtp")).unwrap();
        assert!(end.position.len() > 80);
        for position in &end.position {
            let height = position.dot(up);
            assert!(height > 0.3 * 0.015, "{position} is {height} m above");
        }
        // It lies there: the middle one of them has not bounced off.
        let mut heights: Vec<f64> = end.position.iter().map(|x| x.dot(up)).collect();
        heights.sort_by(f64::total_cmp);
        assert!(heights[heights.len() / 2] < 0.1);
    }
}

#[test]
fn an_open_mesh_as_a_solid_collider_is_an_error_that_names_the_way_out() {
    let place = Place::with(&sand_on_a_tilted_mesh(15.0, ""));
    fs::write(place.path("square.obj"), square(true)).unwrap();
    let said = place.pliant("check scene.toml");
    assert_eq!(said.status, Some(2));
    for part in [
        "scene.toml:19",
        "collider.floor.shape.mesh.file",
        "4 open edges",
        "two_sided = true",
    ] {
        assert!(
            said.errors.contains(part),
            "'{part}' is not in\n{}",
            said.errors
        );
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

/// Trees in every use: a body with a turned mesh in it, a cup as a collider, half a cylinder as an
/// emitter, shells as regions.
const TREES: &str = r#"[scene]
duration = 0.3
[material.sand]
law = "drucker-prager"
density = 1600.0
youngs_modulus = 1e5
friction_angle = 30.0
[[body]]
name = "lump"
material = "sand"
shape = { sdf = { intersection = [
    { sdf = { union = [{ mesh = { file = "cube.obj", scale = 0.1 }, rotation = [0, 0, 45] }] }, rotation = [0, 0, -45] },
    { sphere = { radius = 0.06 } },
] } }
position = [0, 0.1, 0]
spacing = 0.01
[[body]]
name = "poured"
material = "sand"
spacing = 0.01
[[emitter]]
name = "spout"
body = "poured"
shape = { sdf = { difference = [
    { cylinder = { radius = 0.05, height = 0.03 } },
    { box = { size = [0.2, 0.2, 0.2] }, position = [-0.1, 0, 0] },
] } }
position = [0, 0.3, 0]
velocity = [0, -1, 0]
rate = 400
[[collider]]
name = "cup"
shape = { sdf = { difference = [
    { cylinder = { radius = 0.11, height = 0.2 }, position = [0, 0.09, 0] },
    { cylinder = { radius = 0.105, height = 0.3 }, position = [0, 0.15, 0] },
] } }
[[attach]]
name = "core"
body = "lump"
shape = { sdf = { intersection = [{ sphere = { radius = 0.02 } }, { plane = {} }] } }
position = [0, 0.1, 0]
[[probe]]
name = "shell"
body = "lump"
measure = "mass-in-region"
shape = { sdf = { difference = [{ sphere = { radius = 0.1 } }, { sphere = { radius = 0.04 } }] } }
position = [0, 0.1, 0]
[output]
preview = false
"#;

/// A cube with edges of length one.
const CUBE: &str =
    "v -.5 -.5 -.5\nv .5 -.5 -.5\nv .5 .5 -.5\nv -.5 .5 -.5\nv -.5 -.5 .5\nv .5 -.5 .5
v .5 .5 .5\nv -.5 .5 .5\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 4 8 7 3\nf 1 5 8 4\nf 2 3 7 6\n";

#[test]
fn trees_are_bodies_colliders_emitters_and_regions_alike() {
    let place = Place::with(TREES);
    fs::write(place.path("cube.obj"), CUBE).unwrap();
    place.pliant_succeeds("run scene.toml --out out -q");
    let frame = |n: u32| {
        let name = format!("out/particles/particles.{n:04}.vtp");
        read_frame(&place.path(&name)).unwrap()
    };
    let (first, last) = (frame(1), frame(9));
    // A ball without the six caps that stand out of the cube.
    let volume = std::f64::consts::PI * (4.0 / 3.0 * 0.06f64.powi(3) - 2.0 * 1e-4 * 0.17);
    let count = first.position.len() as f64;
    assert!((count / (volume * 1e6) - 1.0).abs() < 0.01, "{count}");
    let middle = 0.1 * DVec3::Y;
    for position in &first.position {
        let local = *position - middle;
        assert!(
            local.length() < 0.06 && local.abs().max_element() < 0.05,
            "{local}"
        );
    }
    let in_shell = first
        .position
        .iter()
        .filter(|p| p.distance(middle) > 0.04)
        .count();
    let probes = fs::read_to_string(place.path("out/probes.csv")).unwrap();
    let row = probes.lines().nth(1).unwrap();
    assert!(row.ends_with(&format!(",{in_shell}")), "{row} {in_shell}");
    for (i, position) in first.position.iter().enumerate() {
        let local = *position - middle;
        if local.length() < 0.02 && local.y < 0.0 {
            assert_eq!(last.position[i], *position, "what is held stays");
        }
    }
    let poured = last.body.iter().filter(|body| **body == 1).count();
    assert!((100..=140).contains(&poured), "{poured}");
    for (position, body) in last.position.iter().zip(&last.body) {
        let radius = position.x.hypot(position.z);
        let is_held_back = radius < 0.105 && position.y > 0.0;
        assert!(is_held_back, "{position} of body {body} has left the cup");
    }
    let scene = fs::read_to_string(place.path("out/scene.toml")).unwrap();
    assert!(scene.contains("file = \"../cube.obj\""), "{scene}");
    place.pliant_succeeds("check out/scene.toml");
}

#[test]
fn emitters_and_regions_may_be_particles_of_a_file() {
    let (place, before) = place_with_particles("ply");
    let emitter = "[[emitter]]\nname = \"spout\"\nbody = \"column\"\nvelocity = [0, -3, 0]\n\
                   position = [0, 1, 0]\nshape = { particles = { file = \"input/start.ply\" } }\n";
    let probe = "[[probe]]\nname = \"near\"\nmeasure = \"mass-in-region\"\n\
                 shape = { particles = { file = \"input/start.ply\" } }\n[output]";
    let scene = SAND.replace("[output]", &format!("{emitter}{probe}"));
    fs::write(place.path("spout.toml"), scene).unwrap();
    place.pliant_succeeds("run spout.toml --out out --frames 6 -q");
    let end = read_frame(&place.path("out/particles/particles.0007.vtp")).unwrap();
    let count = before.position.len();
    assert!(end.position.len() >= 2 * count, "{}", end.position.len());
    let probes = fs::read_to_string(place.path("out/probes.csv")).unwrap();
    let near: f64 = probes
        .lines()
        .nth(1)
        .unwrap()
        .rsplit(',')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    // The heap of three frames later lies in most of the places of the column it came from.
    assert!(near > 0.5 * count as f64, "{near} of {count}");
}
