//! Going on after an interrupt, a kill, a change of the scene.

#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use pliant_render::picture::decode_png;

use crate::support::*;

/// Long enough to be stopped on the way.
const LONG: &str = "run scene.toml --frames 40 --threads 2 --out";

fn start(place: &Place, arguments: &str) -> Child {
    place
        .command(arguments)
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn signal(child: &Child, name: &str) {
    let done = Command::new("kill")
        .args([name, &child.id().to_string()])
        .status()
        .unwrap();
    assert!(done.success());
}

#[test]
fn an_interrupted_run_resumes_to_the_same_bits() {
    let place = Place::with(SAND);
    place.pliant_succeeds(&format!("{LONG} whole -q"));
    let child = start(&place, &format!("{LONG} stopped"));
    wait_for(&place.path("stopped/particles/particles.0003.vtp"));
    signal(&child, "-INT");
    let said = Said::of(child.wait_with_output().unwrap());
    assert_eq!(said.status, Some(130), "{}", said.errors);
    assert!(said.errors.contains("--resume"), "{}", said.errors);
    let stopped = files(&place.path("stopped"));
    assert!(!stopped.contains_key("particles/particles.0041.vtp"));
    assert!(stopped.contains_key("report.html"));
    place.pliant_succeeds(&format!("{LONG} stopped -q --resume"));
    assert_same(
        &results(&place.path("whole")),
        &results(&place.path("stopped")),
    );
}

/// Far away something is so fast from frame 6 on that frame 7 takes some hundred thousand substeps.
const ROCKET: &str = "[[collider]]\nname = \"rocket\"\nshape = { sphere = { radius = 0.1 } }\n\
    motion = { keyframes = [{ t = 0.209, position = [9, 9, 9] }, { t = 0.25, position = [9, 2e3, 9] }] }\n";

#[test]
fn second_interrupt_stops_in_the_middle_of_a_frame_and_leaves_whole_files() {
    let place = Place::with(&format!("{SAND}{ROCKET}"));
    let mut child = start(&place, "run scene.toml --frames 6 --out a");
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut wait_for_line = |part: &str| {
        let found = lines.find(|line| line.as_ref().unwrap().contains(part));
        found
            .unwrap_or_else(|| panic!("nobody says {part}"))
            .unwrap()
    };
    let warning = wait_for_line("substeps of");
    assert!(warning.starts_with("warning: frame 7 takes "), "{warning}");
    signal(&child, "-INT");
    let said = wait_for_line("ending this frame");
    assert!(said.contains("Ctrl-C again"), "{said}");
    std::thread::sleep(std::time::Duration::from_millis(100));
    assert_eq!(child.try_wait().unwrap(), None, "it ends the frame first");
    signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let left = files(&place.path("a"));
    assert!(!left.keys().any(|name| name.contains(".partial-")));
    place.pliant_succeeds("run scene.toml --frames 5 --out whole -q");
    let resumed = place.pliant_succeeds("run scene.toml --frames 5 --out a --resume");
    assert!(
        resumed.errors.contains("frames 5 to 6"),
        "{}",
        resumed.errors
    );
    assert_same(&results(&place.path("whole")), &results(&place.path("a")));
}

#[test]
fn advice_after_an_interrupt_goes_on_with_all_that_was_asked_for() {
    let place = Place::with(&format!(
        "{SAND}[detail.coarse]\nbody.column.spacing = 0.04\n"
    ));
    let options = "--frames 40 --detail coarse --set solver.iterations=5 --no-preview --backend cpu --threads 1";
    place.pliant_succeeds(&format!("run scene.toml --out whole -q {options}"));
    let mut command = place.command(&format!("run scene.toml {options} --out"));
    let odd = "it's a $(strange) folder";
    command.arg(odd);
    let child = command
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for(&place.path(odd).join("particles/particles.0003.vtp"));
    signal(&child, "-INT");
    let said = Said::of(child.wait_with_output().unwrap());
    assert_eq!(said.status, Some(130), "{}", said.errors);
    assert!(said.errors.contains("--threads 1"), "{}", said.errors);
    let went_on = said.follow_advice("To go on: ", &place);
    assert_eq!(went_on.status, Some(0), "{}", went_on.errors);
    assert!(!went_on.errors.contains("anew"), "{}", went_on.errors);
    assert_same(&results(&place.path("whole")), &results(&place.path(odd)));
}

#[test]
fn scene_beside_the_checkpoints_is_the_same_run_with_mesh_files_anywhere() {
    let place = Place::with(SAND);
    place.pliant_succeeds("new deep/body.toml --from mesh-body");
    let options =
        "--frames 2 -q --no-preview --set body[0].spacing=0.02 --set output.checkpoint_every=1";
    for out in ["deep/out", "elsewhere/far/out"] {
        place.pliant_succeeds(&format!("run deep/body.toml --out {out} {options}"));
        let before = results(&place.path(out));
        let newest = place.path(out).join("checkpoints/checkpoint.0003.pliant");
        fs::write(newest, "damaged").unwrap();
        let said = place.pliant_succeeds(&format!("run {out}/scene.toml --out {out} --resume"));
        assert!(!said.errors.contains("anew"), "{}", said.errors);
        assert_same(&before, &results(&place.path(out)));
    }
}

#[test]
fn a_killed_run_resumes_to_the_same_bits() {
    let place = Place::with(SAND);
    place.pliant_succeeds(&format!("{LONG} whole -q"));
    let mut child = start(&place, &format!("{LONG} killed -q"));
    wait_for(&place.path("killed/checkpoints/checkpoint.0010.pliant"));
    wait_for(&place.path("killed/particles/particles.0012.vtp"));
    signal(&child, "-KILL");
    child.wait().unwrap();
    assert!(!place.path("killed/report.html").exists());
    // What a killed program leaves half written.
    fs::write(
        place.path("killed/particles/.partial-particles.0013.vtp"),
        "half",
    )
    .unwrap();
    let said = place.pliant_succeeds(&format!("{LONG} killed --resume"));
    assert!(!said.errors.contains("anew"), "{}", said.errors);
    assert_same(
        &results(&place.path("whole")),
        &results(&place.path("killed")),
    );
    assert!(
        !files(&place.path("killed"))
            .keys()
            .any(|name| name.contains(".partial-"))
    );
}

#[test]
fn damaged_checkpoint_is_passed_over_for_an_older_one() {
    let place = Place::with(SAND);
    place.pliant_succeeds(&format!("{LONG} whole -q"));
    place.pliant_succeeds(&format!("{LONG} damaged -q"));
    let newest = place.path("damaged/checkpoints/checkpoint.0041.pliant");
    let mut bytes = fs::read(&newest).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&newest, bytes).unwrap();
    let said = place.pliant_succeeds(&format!("{LONG} damaged --resume"));
    assert!(said.errors.contains("checkpoint.0041"), "{}", said.errors);
    assert_same(
        &results(&place.path("whole")),
        &results(&place.path("damaged")),
    );
}

#[test]
fn longer_run_goes_on_from_the_end_of_a_shorter_one() {
    let place = Place::with(SAND);
    place.pliant_succeeds("run scene.toml --out long --frames 9 -q");
    place.pliant_succeeds("run scene.toml --out grown --frames 4 -q");
    place.pliant_succeeds("run scene.toml --out grown --frames 9 -q --resume");
    assert_same(
        &results(&place.path("long")),
        &results(&place.path("grown")),
    );
}

#[test]
fn run_that_grows_keeps_the_camera_of_its_first_pictures() {
    let cart = "[[collider]]\nname = \"cart\"\nshape = { sphere = { radius = 0.05 } }\n\
        position = [0.5, 0.05, 0.0]\nmotion = { velocity = [30.0, 0.0, 0.0] }\n";
    let place = Place::with(&format!("{SAND}{cart}"));
    let picture = |out: &str, frame: u32| {
        let file = place.path(out).join(format!("preview/{frame:04}.png"));
        decode_png(&fs::read(file).unwrap()).unwrap().rgb
    };
    // Steps of 255 between two pictures, on average; particle files round positions.
    let difference = |a: &[u8], b: &[u8]| {
        let steps = a.iter().zip(b).map(|(a, b)| f64::from(a.abs_diff(*b)));
        steps.sum::<f64>() / a.len() as f64
    };
    let options = "--set output.preview=true -q";
    place.pliant_succeeds(&format!("run scene.toml --out short --frames 2 {options}"));
    place.pliant_succeeds(&format!("run scene.toml --out long --frames 4 {options}"));
    let apart = difference(&picture("short", 3), &picture("long", 3));
    assert!(apart > 1.0, "the cart goes on and on: {apart}");
    place.pliant_succeeds(&format!(
        "run scene.toml --out short --frames 4 --resume {options}"
    ));
    let of_run = picture("short", 5);
    assert!(difference(&of_run, &picture("long", 5)) > 0.5 * apart);
    place.pliant_succeeds("render short -q");
    assert!(difference(&of_run, &picture("short", 5)) < 0.01 * apart);
}

#[test]
fn a_complete_run_is_not_repeated() {
    let place = Place::with(SAND);
    place.pliant_succeeds("run scene.toml --out a --frames 9 -q");
    let before = files(&place.path("a"));
    for (frames, part) in [("9", "complete, with 10 frames"), ("3", "beyond frame 4")] {
        let said = place.pliant_succeeds(&format!(
            "run scene.toml --out a --frames {frames} --resume"
        ));
        assert!(said.errors.contains(part), "{}", said.errors);
        assert!(said.text.contains("report.html") && !said.text.contains(" s, in "));
        assert_same(&before, &files(&place.path("a")));
    }
}

#[test]
fn complete_run_with_another_title_gets_another_report() {
    let place = Place::with(SAND);
    place.pliant_succeeds("run scene.toml --out a --frames 3 -q");
    place
        .pliant_succeeds("run scene.toml --out a --frames 3 -q --resume --set scene.title=\"New\"");
    let report = fs::read_to_string(place.path("a/report.html")).unwrap();
    assert!(report.contains("New"));
}

#[test]
fn frames_that_a_shorter_run_does_not_compute_again_are_named() {
    let place = Place::with(SAND);
    place.pliant_succeeds("run scene.toml --out a --frames 9 -q");
    fs::remove_file(place.path("a/checkpoints/checkpoint.0010.pliant")).unwrap();
    let said = place.pliant_succeeds("run scene.toml --out a --frames 6 --resume");
    assert!(said.errors.contains("frames 8 to 10"), "{}", said.errors);
    place.pliant_succeeds("run scene.toml --out b --frames 6 -q");
    assert_same(&results(&place.path("a")), &results(&place.path("b")));
}

#[test]
fn another_scene_is_refused_with_what_has_changed() {
    let place = Place::with(SAND);
    place.pliant_succeeds("run scene.toml --out a --frames 2 -q");
    let before = files(&place.path("a"));
    let said = place.pliant("run scene.toml --out a --frames 2 --resume --set solver.iterations=7");
    assert_eq!(said.status, Some(2));
    assert!(
        said.errors.contains("solver.iterations is 7, was 4"),
        "{}",
        said.errors
    );
    assert_same(&before, &files(&place.path("a")));
}

/// A tetrahedron whose numbers lie in a buffer beside the file.
const BODY: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
    "accessors":[
      {"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,1,1]},
      {"bufferView":1,"componentType":5121,"count":12,"type":"SCALAR"}],
    "bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}],
    "buffers":[{"uri":"body.bin","byteLength":60}]}"#;

/// What is in the buffer, of an edge length.
fn buffer(size: f32) -> Vec<u8> {
    let corners = [
        [0.0; 3],
        [size, 0.0, 0.0],
        [0.0, size, 0.0],
        [0.0, 0.0, size],
    ];
    let numbers = corners.as_flattened().iter();
    let faces = [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3];
    numbers.flat_map(|x| x.to_le_bytes()).chain(faces).collect()
}

#[test]
fn a_mesh_file_or_one_that_it_refers_to_with_other_content_is_another_scene() {
    let cylinder = "shape = { cylinder = { radius = 0.1, height = 0.1 } }";
    assert!(SAND.contains(cylinder));
    let shape = "shape = { mesh = { file = \"body.gltf\" } }";
    let place = Place::with(&SAND.replace(cylinder, shape));
    let write = |name: &str, bytes: &[u8]| fs::write(place.path(name), bytes).unwrap();
    write("body.gltf", BODY.as_bytes());
    write("body.bin", &buffer(0.25));
    place.pliant_succeeds("run scene.toml --out a --frames 2 -q");
    let told = fs::read_to_string(place.path("a/run.json")).unwrap();
    assert!(
        told.contains("body.gltf") && told.contains("body.bin"),
        "{told}"
    );
    let refused = |what: &str| {
        let said = place.pliant("run scene.toml --out a --frames 3 --resume");
        assert_eq!(said.status, Some(2), "{}", said.errors);
        assert!(said.errors.contains(what), "{}", said.errors);
    };
    write("body.bin", &buffer(0.3));
    refused("content of input file 1 is");
    write("body.bin", &buffer(0.25));
    write("body.gltf", format!("{BODY}\n").as_bytes());
    refused("content of input file 2 is");
    write("body.gltf", BODY.as_bytes());
    place.pliant_succeeds("run scene.toml --out a --frames 3 -q --resume");
}

#[test]
fn resume_without_a_checkpoint_starts_anew() {
    let place = Place::with(SAND);
    let said = place.pliant_succeeds("run scene.toml --out a --frames 2 --resume");
    assert!(said.errors.contains("anew"), "{}", said.errors);
    place.pliant_succeeds("run scene.toml --out b --frames 2 -q");
    assert_same(&results(&place.path("a")), &results(&place.path("b")));
}
