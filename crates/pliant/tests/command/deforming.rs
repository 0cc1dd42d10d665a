//! Colliders whose meshes deform, from files.

use std::fs;
use std::io::Write as _;

use pliant_io::export::read_frame;
use pliant_io::mesh::{Sampling, read_animation_with};
use pliant_math::DVec3;
use pliant_parameters::Disk;

use crate::support::*;

/// A tray as an OBJ file, 0.6 m wide, its top so high and higher by `slope` for each metre along x [m].
fn tray(top: f64, slope: f64) -> Vec<u8> {
    let mut text = Vec::new();
    for corner in 0..8 {
        let side = |bit: i32| if corner >> bit & 1 == 1 { 0.3 } else { -0.3 };
        let height = match corner >> 2 {
            1 => top + slope * side(0),
            _ => -0.1,
        };
        writeln!(text, "v {} {height} {}", side(0), side(1)).unwrap();
    }
    for face in [
        "1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4",
    ] {
        writeln!(text, "f {face}").unwrap();
    }
    text
}

/// The sand on a tray that goes up by 1 cm a frame and tilts, with its files.
fn place(frames: u32) -> Place {
    let tray_table = format!(
        "shape = {{ mesh-sequence = {{ file = \"meshes/tray.##.obj\", last = {frames} }} }}"
    );
    let place =
        Place::with(&SAND.replace("shape = { plane = { normal = [0, 1, 0] } }", &tray_table));
    fs::create_dir(place.path("meshes")).unwrap();
    for frame in 1..=frames {
        let risen = 0.01 * f64::from(frame - 1);
        write(&place, frame, &tray(risen, 5.0 * risen));
    }
    place
}

fn write(place: &Place, frame: u32, mesh: &[u8]) {
    fs::write(place.path(&format!("meshes/tray.{frame:02}.obj")), mesh).unwrap();
}

#[test]
fn sand_goes_up_on_a_tray_and_slides_when_it_tilts_and_the_run_goes_on_to_the_same_bits() {
    let place = place(5);
    let options = "--frames 6 -q --set output.checkpoint_every=1";
    place.pliant_succeeds(&format!("run scene.toml --out whole {options}"));
    let ends = read_frame(&place.path("whole/particles/particles.0007.vtp")).unwrap();
    for x in &ends.position {
        assert!(x.y - 0.2 * x.x > 0.04 + 0.014, "{x} is in the tray");
    }
    let starts = read_frame(&place.path("whole/particles/particles.0001.vtp")).unwrap();
    let middle = |all: &[DVec3]| all.iter().sum::<DVec3>() / all.len() as f64;
    let way = middle(&ends.position) - middle(&starts.position);
    assert!(way.x < -0.008 && way.y > 0.0, "{way}");
    let before = results(&place.path("whole"));
    for newest in ["0006", "0007"] {
        let file = place.path(&format!("whole/checkpoints/checkpoint.{newest}.pliant"));
        fs::write(file, "damaged").unwrap();
    }
    place.pliant_succeeds("run whole/scene.toml --out whole --resume");
    assert_same(&before, &results(&place.path("whole")));
    // What a frame of it holds makes a run another one.
    write(&place, 5, &tray(0.0, 0.0));
    let said = place.pliant("run whole/scene.toml --out whole --resume");
    assert!(
        said.errors.contains("content of input file 5"),
        "{}",
        said.errors
    );
}

#[test]
fn a_rigid_body_rides_on_it() {
    let place = place(5);
    for frame in 1..=5 {
        write(&place, frame, &tray(0.01 * f64::from(frame - 1), 0.0));
    }
    let scene = fs::read_to_string(place.path("scene.toml")).unwrap();
    let law = scene.find("law = ").unwrap()..scene.find("[[body]]").unwrap();
    let mut scene = scene.clone();
    scene.replace_range(law, "law = \"rigid\"\ndensity = 8000.0\n");
    let scene = scene.replace("[0.0, 0.06, 0.0]\nspacing = 0.03", "[0.0, 0.051, 0.0]");
    let (scene, _) = scene.split_once("[[probe]]").unwrap();
    fs::write(place.path("scene.toml"), scene).unwrap();
    place.pliant_succeeds("run scene.toml --out a --frames 6 -q --no-preview");
    let ends = read_frame(&place.path("a/particles/particles.0007.vtp")).unwrap();
    // Its middle is half of its height above the tray.
    let [x] = ends.position[..] else {
        panic!("one body")
    };
    assert!((x.y - 0.09).abs() < 2e-3 && x.x.abs() < 2e-3, "{x}");
}

#[test]
fn pictures_show_it_as_it_is() {
    let place = place(5);
    let options = "--frames 4 -q --set output.preview=true --set output.size=[120,90]";
    place.pliant_succeeds(&format!("run scene.toml --out a {options}"));
    let picture = |number| fs::read(place.path(&format!("a/preview/{number:04}.png"))).unwrap();
    let (first, during) = (picture(1), picture(5));
    place.pliant_succeeds("render a --frames 5..5 -q");
    assert!(picture(5) == during && during != first);
}

#[test]
fn exports_have_it_in_each_frame_as_the_simulation_had_it() {
    let place = place(5);
    // A file every 1/16 s, a frame of the run every 1/24 s.
    let scene = fs::read_to_string(place.path("scene.toml")).unwrap();
    let scene = scene.replace(
        "last = 5",
        "last = 5, frame_rate = 16.0, interpolation = \"linear\"",
    );
    fs::write(place.path("scene.toml"), scene).unwrap();
    place.pliant_succeeds("run scene.toml --out a --frames 6 -q --no-preview");
    place.pliant_succeeds("export a --to glb,usd --out b -q");
    let stage = fs::read_to_string(place.path("b/particles/scene.usda")).unwrap();
    assert!(stage.contains("def Xform \"floor\""), "{stage}");
    let sampling = Sampling {
        animation: None,
        rate: 24.0,
    };
    let path = place.path("b/animation.glb");
    let (tray, _) = read_animation_with(&path, &Disk, &sampling).unwrap();
    assert_eq!((tray.places.len(), tray.mesh.triangles.len()), (7, 12));
    for (frame, places) in (0..).zip(&tray.places) {
        let risen = 0.01 * f64::from(frame) * 16.0 / 24.0;
        for x in places {
            // The sand is no mesh.
            let top = risen + 5.0 * risen * x.x;
            let error = (x.y - top).abs().min((x.y + 0.1).abs());
            assert!(error < 1e-6, "{x} in frame {frame}");
        }
    }
}

#[test]
fn cloth_that_was_exported_as_usd_is_a_collider_of_another_scene() {
    let place = place(3);
    place.pliant_succeeds("new strip.toml --from cloth/strip");
    place.pliant_succeeds("run strip.toml --out a --frames 5 -q --no-preview");
    place.pliant_succeeds("export a --to usd --out b -q");
    let sampling = Sampling {
        animation: None,
        rate: 24.0,
    };
    let path = place.path("b/particles/scene.usda");
    let (strip, rate) = read_animation_with(&path, &Disk, &sampling).unwrap();
    assert!((rate - 24.0).abs() < 1e-9 && strip.places.len() == 6);
    let frame = |number: usize| {
        let file = format!("a/particles/particles.{number:04}.vtp");
        read_frame(&place.path(&file)).unwrap().position
    };
    // The strip, and two clamps that are boxes.
    let first = frame(1);
    assert_eq!(strip.mesh.vertices.len(), first.len() + 2 * 8);
    let vertex_of = |x: &DVec3| {
        let distances = strip.places[0].iter().map(|vertex| vertex.distance(*x));
        distances
            .enumerate()
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap()
            .0
    };
    let vertices: Vec<usize> = first.iter().map(vertex_of).collect();
    for (number, places) in (1..).zip(&strip.places) {
        let mut way = 0.0_f64;
        for (place, x) in vertices.iter().zip(frame(number)) {
            assert!(places[*place].distance(x) < 1e-6, "{x} in frame {number}");
            way = way.max(places[*place].distance(strip.places[0][*place]));
        }
        assert!(
            number == 1 || way > 1e-3,
            "it moves by {way} up to frame {number}"
        );
    }
    let scene = fs::read_to_string(place.path("scene.toml")).unwrap();
    let from = scene.find("shape = { mesh-sequence").unwrap();
    let rest = &scene[from..][scene[from..].find('\n').unwrap()..];
    let shape =
        "shape = { mesh-sequence = { file = \"b/particles/scene.usda\" } }\ntwo_sided = true";
    let scene = format!("{}{shape}{rest}", &scene[..from]);
    fs::write(place.path("scene.toml"), scene).unwrap();
    let options = "--frames 1 -q --set output.checkpoint_every=1";
    place.pliant_succeeds(&format!("run scene.toml --out c {options}"));
    // A clip is among what a run is made of.
    let clip = place.path("b/particles/particles.0004.usdc");
    fs::copy(place.path("b/particles/particles.0005.usdc"), clip).unwrap();
    let said = place.pliant("run c/scene.toml --out c --frames 2 -q --resume");
    assert!(
        said.errors.contains("content of input file"),
        "{}",
        said.errors
    );
    fs::remove_file(place.path("b/particles/particles.0004.usdc")).unwrap();
    let said = place.pliant("check scene.toml");
    for part in [
        "scene.usda",
        "particles.0004.usdc",
        "`default` of /World",
        "does not exist",
    ] {
        assert!(
            said.errors.contains(part),
            "{part} is not in\n{}",
            said.errors
        );
    }
}

#[test]
fn files_that_do_not_make_a_sequence_are_errors_with_their_place() {
    let check = |change: &dyn Fn(&Place), parts: &[&str]| {
        let place = place(3);
        change(&place);
        let said = place.pliant("check scene.toml");
        assert_eq!(said.status, Some(2), "{}", said.errors);
        for part in parts {
            assert!(
                said.errors.contains(part),
                "'{part}' is not in\n{}",
                said.errors
            );
        }
    };
    let place_of_key = "collider.floor.shape.mesh-sequence.file";
    check(
        &|place| fs::remove_file(place.path("meshes/tray.02.obj")).unwrap(),
        &[place_of_key, "tray.02.obj", "scene.toml:18"],
    );
    check(
        &|place| write(place, 3, b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
        &[
            place_of_key,
            "tray.03.obj",
            "tray.01.obj",
            "same triangles",
            "8 and 12",
        ],
    );
    let of_body = |place: &Place| {
        let scene = fs::read_to_string(place.path("scene.toml")).unwrap();
        let sequence = "mesh-sequence = { file = \"meshes/tray.##.obj\", last = 3 }";
        let body = scene.replace("cylinder = { radius = 0.1, height = 0.1 }", sequence);
        fs::write(place.path("scene.toml"), body).unwrap();
    };
    check(
        &of_body,
        &["body.column.shape.mesh-sequence", "[[collider]]"],
    );
}
