//! Contracts of recordings to which bodies are added.

use std::collections::BTreeMap;
use std::fs;

use pliant_scene::{SceneBuilder, SceneTable};

use super::recording::{files, record};
use super::*;
use crate::compare::compare;
use crate::export::{ExportOptions, export};
use crate::live::Playback;
use crate::mesh::{MeshOptions, mesh};
use crate::recorded::{Recorded, chosen_files};
use crate::redraw::{RedrawOptions, redraw};
use crate::run::{OutputFolder, RunError, RunOptions, Unobserved, run};
use crate::{additions::RunScene, additions::RunWorld};

const SCENE: &str = r#"
scene.duration = 0.2
output.preview = false
output.checkpoint_every = 4
output.particles = ["vtk", "npz", "usd"]
output.surface = ["ply"]
[material.rubber]
preset = "rubber"
[material.sand]
preset = "dry-sand"
[[body]]
name = "block"
material = "rubber"
shape = { box = { size = [0.1, 0.1, 0.1] } }
position = [0.0, 0.08, 0.0]
spacing = 0.05
[[body]]
name = "heap"
material = "sand"
shape = { box = { size = [0.1, 0.1, 0.1] } }
position = [0.3, 0.08, 0.0]
spacing = 0.05
[[collider]]
name = "floor"
shape = { plane = {} }
[[collider]]
name = "wall"
shape = { box = { size = [0.1, 0.1, 0.1] } }
position = [0.0, 0.05, 1.0]
[[surface]]
material = "sand"
"#;

/// The last frame of what is recorded here.
const LAST: u32 = 7;

fn simulation() -> Simulation {
    let scene = Scene::parse(SCENE, "text", Path::new("."), &Overrides::default());
    let prepared = Prepared::of(scene.expect("sound"), "a", "a", &|_| ()).expect("sound");
    Simulation::new(prepared, 1).expect("a thread")
}

fn body(name: &str, material: &str, shape: &str, x: f64) -> SceneTable {
    let [kind, key] = shape.split('.').collect::<Vec<_>>()[..] else {
        panic!("a shape and its size");
    };
    let size = match kind {
        "sheet" => SceneTable::new().with(key, [0.1, 0.1]),
        _ => SceneTable::new().with(key, [0.1, 0.1, 0.1]),
    };
    SceneTable::new()
        .with("name", name)
        .with("material", material)
        .with("shape", SceneTable::new().with(kind, size))
        .with("position", [x, 0.3, 0.0])
        .with("spacing", 0.05)
}

/// What is done after some frames are reached, before the next one.
fn act(own: &mut Simulation) {
    let of = |table: SceneTable| Scene::builder().add("body", table);
    let rigid = |scene: SceneBuilder| {
        let scene = scene.with("material.wood.law", "rigid");
        scene.with("material.wood.density", 700.0)
    };
    let cotton = |scene: SceneBuilder| scene.with("material.cotton.preset", "cotton");
    let added = match own.frame_number() {
        1 => of(body("early", "rubber", "box.size", 0.6)),
        // Of the name of a collider.
        3 => rigid(of(body("wall", "wood", "box.size", -0.3))),
        5 => cotton(of(body("sheet", "cotton", "sheet.size", -0.6))),
        6 => {
            own.remove("block").expect("a body");
            of(body("more", "sand", "box.size", 0.3))
        }
        _ => return,
    };
    own.add(&added).unwrap_or_else(|error| panic!("{error}"));
}

fn record_acting(own: &mut Simulation, recording: &mut Recording, last: u32) {
    while own.frame_number() < last {
        if own.frame_number() > 1 {
            act(own);
        }
        let next = own.frame_number() + 1;
        record(own, recording, next);
    }
}

/// A run to which bodies were added.
fn recorded_in(folder: &Path) -> Simulation {
    let mut own = simulation();
    act(&mut own);
    let mut recording = own.record(folder).expect("a new folder");
    record_acting(&mut own, &mut recording, LAST);
    let summary = recording.finish(&own).expect("an end");
    let at_start = &summary.manifest.particles_at_start;
    assert_eq!(
        at_start.keys().collect::<Vec<_>>(),
        ["block", "early", "heap"]
    );
    assert_eq!(summary.manifest.particles, own.particles().len());
    own
}

/// The bytes of the frames in a room of a folder, by their names.
fn frames_in(folder: &Path, room: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder.join(room)).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let named = |path: std::path::PathBuf| {
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        (name, fs::read(&path).expect("a file"))
    };
    paths.map(named).collect()
}

#[test]
fn frames_have_the_bodies_of_their_time_and_every_reader_shows_them() {
    let place = tempfile::tempdir().expect("a folder");
    let path = place.path().join("run");
    let mut own = recorded_in(&path);
    let folder = OutputFolder::new(&path);
    let mut run = RunScene::read(&folder).expect("sound");
    assert!(run.start().setup.bodies.len() == 3 && run.whole().setup.bodies.len() == 6);
    let mut recorded = Recorded::of(&mut run.world);
    let mut shown = BTreeMap::new();
    for (number, file) in chosen_files(&folder, None).expect("frames") {
        recorded.read(&folder, &file).expect("a frame");
        let frame = recorded.frame().expect("of this scene");
        let rigid = frame
            .colliders
            .iter()
            .filter(|c| c.name == "wall" && c.opacity > 0.0);
        shown.insert(
            number,
            (
                frame.bodies.len(),
                rigid.count(),
                frame.triangles.is_empty(),
            ),
        );
        if number == LAST {
            let now = own.frame();
            assert!(frame.position == now.position && frame.id == now.id);
            let names = |frame: &pliant_core::measure::Frame<'_>| {
                let bodies = frame
                    .bodies
                    .iter()
                    .map(|body| (body.name.clone(), body.color));
                bodies.collect::<Vec<_>>()
            };
            assert_eq!(names(&frame), names(&now));
            let at = |c: &pliant_core::measure::FrameCollider| c.pose.translation.as_vec3();
            let poses = [&frame, &now].map(|f| f.colliders.iter().map(at).collect::<Vec<_>>());
            assert_eq!(poses[0], poses[1]);
        }
    }
    let expected = [
        (1, (3, 1, true)),
        (2, (3, 1, true)),
        (3, (3, 1, true)),
        (4, (4, 2, true)),
        (5, (4, 2, true)),
        (6, (5, 2, false)),
        (7, (6, 2, false)),
    ];
    assert_eq!(shown, BTreeMap::from(expected));

    let playback = Playback::open(path.as_path(), || ());
    let wait = std::time::Instant::now();
    while playback.reel().snapshot.is_none() && wait.elapsed().as_secs() < 60 {
        std::thread::yield_now();
    }
    assert_eq!(playback.reel().problem, None);
    assert_eq!(playback.reel().frames.len(), LAST as usize);
    let compared = compare([&folder, &folder], &mut |_, _| ()).expect("two runs");
    assert!(compared.is_identical() && compared.scene.is_empty());
    let report = fs::read_to_string(folder.report()).expect("a report");
    assert!(report.contains("first_frame = 4") && report.contains("added in frame 4"));
}

#[test]
fn what_is_exported_has_the_bytes_of_what_was_recorded() {
    let place = tempfile::tempdir().expect("a folder");
    let path = place.path().join("run");
    recorded_in(&path);
    let folder = OutputFolder::new(&path);
    let out = place.path().join("out");
    let options = |formats: &[&str], frames| ExportOptions {
        formats: formats.iter().map(|name| (*name).to_owned()).collect(),
        frames,
        out: Some(out.clone()),
    };
    // The frames before the additions come last.
    for frames in [[4, LAST], [1, 3]] {
        let options = options(&["vtk", "npz", "usd"], Some(frames));
        export(&folder, &options, &mut |_, _| ()).expect("formats");
    }
    let mut again = frames_in(&out, "particles");
    let mut before = frames_in(&path, "particles");
    // ParaView's list is in the order of writing.
    let lists = ["particles.pvd"].map(|name| (again.remove(name), before.remove(name)));
    assert!(lists.iter().all(|(a, b)| a.is_some() == b.is_some()));
    assert_eq!(
        again.keys().collect::<Vec<_>>(),
        before.keys().collect::<Vec<_>>()
    );
    for (name, bytes) in &before {
        assert!(again[name] == *bytes, "{name}");
    }
    let scene = String::from_utf8(before["scene.usda"].clone()).expect("a text");
    for prim in ["early", "wall", "wall_2", "sheet", "more"] {
        assert!(scene.contains(&format!("\"{prim}\"")), "{prim}: {scene}");
    }
    let exported = export(&folder, &options(&["glb"], None), &mut |_, _| ()).expect("a film");
    let glb = fs::read(&exported.animations[0]).expect("a file");
    let length = u32::from_le_bytes([glb[12], glb[13], glb[14], glb[15]]) as usize;
    let told: serde_json::Value = serde_json::from_slice(&glb[20..20 + length]).expect("json");
    let nodes = told["nodes"].as_array().expect("nodes");
    let channels = told["animations"][0]["channels"]
        .as_array()
        .expect("channels");
    let comes = |name: &str| {
        let named = |c: &&serde_json::Value| {
            let node = c["target"]["node"].as_u64().expect("a node") as usize;
            c["target"]["path"] == "scale" && nodes[node]["name"] == name
        };
        channels.iter().filter(named).count()
    };
    // One of the two walls is the rigid body.
    assert_eq!(
        ["heap", "early", "wall", "sheet", "more"].map(comes),
        [0, 0, 1, 1, 1]
    );

    let meshes = MeshOptions {
        formats: vec!["ply".into()],
        frames: None,
        surfaces: Vec::new(),
        out: Some(out.clone()),
        threads: Some(1),
    };
    mesh(&folder, &meshes, &mut |_, _| ()).expect("surfaces");
    let rooms = [&path, &out].map(|root| frames_in(root, "mesh"));
    assert!(rooms[0].len() == LAST as usize && rooms[0] == rooms[1]);
}

#[test]
fn pictures_are_those_of_the_recording_and_can_be_made_again() {
    let place = tempfile::tempdir().expect("a folder");
    let path = place.path().join("run");
    let with_pictures = SCENE.replace(
        "preview = false",
        "preview = true\noutput.size = [96, 54]\noutput.film = \"none\"",
    );
    let scene = Scene::parse(with_pictures, "text", Path::new("."), &Overrides::default());
    let prepared = Prepared::of(scene.expect("sound"), "a", "a", &|_| ()).expect("sound");
    let mut own = Simulation::new(prepared, 1).expect("a thread");
    act(&mut own);
    let mut recording = own.record(&path).expect("a new folder");
    record_acting(&mut own, &mut recording, LAST);
    recording.finish(&own).expect("an end");
    let painted = frames_in(&path, "preview");
    assert_eq!(painted.len(), LAST as usize);
    let folder = OutputFolder::new(&path);
    redraw(&folder, &RedrawOptions::default(), &mut |_, _| ()).expect("pictures");
    let again = frames_in(&path, "preview");
    for (name, picture) in &painted {
        assert!(again[name] == *picture, "{name}");
    }
}

#[test]
fn one_that_was_killed_goes_on_to_the_same_files() {
    let place = tempfile::tempdir().expect("a folder");
    let [whole, killed] = ["whole", "killed"].map(|name| place.path().join(name));
    recorded_in(&whole);
    let mut own = simulation();
    act(&mut own);
    let mut recording = own.record(&killed).expect("a new folder");
    record_acting(&mut own, &mut recording, LAST);
    drop(recording);
    assert!(
        fs::read_to_string(killed.join("additions.toml"))
            .expect("a list")
            .contains("more")
    );

    let mut own = simulation();
    own.add(&Scene::builder().add("body", body("other", "rubber", "box.size", 2.0)))
        .expect("sound");
    let mut recording = own.resume(&killed).expect("a checkpoint");
    assert_eq!(own.frame_number(), 4);
    let names: Vec<&str> = own.setup().bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["block", "heap", "early", "wall"]);
    assert!(
        !fs::read_to_string(killed.join("additions.toml"))
            .expect("a list")
            .contains("more")
    );
    record_acting(&mut own, &mut recording, LAST);
    recording.finish(&own).expect("an end");
    assert!(files(&whole).contains_key("/additions.toml") && files(&whole) == files(&killed));
    assert!(frames_in(&whole, "mesh") == frames_in(&killed, "mesh"));
}

#[test]
fn without_a_checkpoint_what_was_added_before_the_first_frame_stays() {
    let place = tempfile::tempdir().expect("a folder");
    let mut own = simulation();
    act(&mut own);
    own.push("block", DVec3::X).expect("a body");
    let saved = own.save();
    let recording = own.resume(place.path().join("run")).expect("a new folder");
    assert!(recording.frames_done() == 1 && own.save() == saved);
    drop(recording);
    own.step().expect("sound");
    own.resume(place.path().join("other"))
        .expect("a new folder");
    assert!(own.save() == simulation().save());
}

#[test]
fn a_run_of_the_scene_alone_says_that_a_program_made_the_checkpoint_and_a_new_one_removes_the_list()
{
    let place = tempfile::tempdir().expect("a folder");
    let path = place.path().join("run");
    recorded_in(&path);
    let list = path.join("additions.toml");
    let mut options = RunOptions {
        folder: path,
        threads: 1,
        resume: true,
    };
    let prepared = || {
        let scene = Scene::parse(SCENE, "text", Path::new("."), &Overrides::default());
        Prepared::of(scene.expect("sound"), "a", "a", &|_| ()).expect("sound")
    };
    let refused = run(prepared(), &options, &mut Unobserved).expect_err("a program's");
    assert!(
        refused.to_string().contains("Simulation::resume"),
        "{refused}"
    );
    assert!(list.is_file());
    options.resume = false;
    run(prepared(), &options, &mut Unobserved).expect("a new run");
    assert!(!list.exists());
}

#[test]
fn bodies_of_files_are_recorded_by_paths_from_the_folder() {
    let place = tempfile::tempdir().expect("a folder");
    let path = place.path().join("run");
    let corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
    let vertex = |[x, y, z]: [i32; 3]| format!("v {x} {y} {z}\n");
    let faces = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    let mesh = corners.map(vertex).concat() + faces;
    fs::write(place.path().join("corner.obj"), mesh).expect("written");
    let text = "[[body]]\nname = \"corner\"\nmaterial = \"rubber\"\nspacing = 0.1\n\
                shape = { mesh = { file = \"corner.obj\" } }\n";
    let mut own = simulation();
    let mut recording = own.record(&path).expect("a new folder");
    own.add_text(text, "a text", place.path()).expect("sound");
    record(&mut own, &mut recording, 5);
    drop(recording);
    let folder = OutputFolder::new(&path);
    let told = fs::read_to_string(folder.additions()).expect("a list");
    assert!(told.contains("file = \"../corner.obj\""), "{told}");
    assert!(RunScene::read(&folder).is_ok());
    let mut again = simulation();
    again.resume(&path).expect("a checkpoint");
    assert_eq!(again.frame_number(), 4);
    // The body would be another one.
    let smaller = corners.map(|corner| vertex(corner).replace('1', "0.5"));
    fs::write(place.path().join("corner.obj"), smaller.concat() + faces).expect("written");
    let error = RunScene::read(&folder)
        .map(|_| ())
        .expect_err("fewer particles");
    assert!(error.to_string().contains("additions.toml:4"), "{error}");
    assert!(again.resume(&path).is_err());
}

#[test]
fn a_recording_refuses_a_simulation_that_has_lost_its_bodies() {
    let place = tempfile::tempdir().expect("a folder");
    let mut own = simulation();
    let start = own.save();
    let mut recording = own.record(place.path().join("run")).expect("a new folder");
    act(&mut own);
    record(&mut own, &mut recording, 2);
    own.restore(&start).expect("its own state");
    own.step().expect("sound");
    own.step().expect("sound");
    let refused = recording.write(&own).expect_err("a body less");
    assert!(matches!(refused, SimulationError::RecordedBodies));
}

#[test]
fn damaged_lists_of_additions_are_told_with_their_line() {
    let place = tempfile::tempdir().expect("a folder");
    let path = place.path().join("run");
    recorded_in(&path);
    let folder = OutputFolder::new(&path);
    let sound = fs::read_to_string(folder.additions()).expect("a list");
    assert!(RunScene::read(&folder).is_ok());
    let damages = [
        ("first_frame = 4", "first_frame = \"4\"", "whole number"),
        ("first_frame = 4", "first_frame = 9", "comes before"),
        ("first_frame = 4", "frist_frame = 4", "no such key"),
        ("bodies = [\"wall\"]", "bodies = [\"well\"]", "\"well\""),
        ("bodies = [\"wall\"]", "bodies = 3", "list of names"),
        (
            "materials = [\"wood\"]",
            "materials = []",
            "no material of this name",
        ),
        ("[[addition]]", "[[edition]]", "not part of a list"),
        ("name = \"early\"", "name = \"block\"", "\"early\""),
        ("particles = 8", "particles = 9", "not 9"),
        ("first_id = 16", "first_id = 3", "which others have"),
        ("density = 700.0", "density = -700.0", "density"),
        ("spacing = 0.05", "spacing = 0.05, 3", ""),
    ];
    for (right, wrong, said) in damages {
        assert!(sound.contains(right), "{right}: {sound}");
        fs::write(folder.additions(), sound.replacen(right, wrong, 1)).expect("written");
        let error = RunScene::read(&folder)
            .map(|_| ())
            .expect_err(wrong)
            .to_string();
        assert!(error.contains(said), "{wrong}: {error}");
        assert!(error.contains("additions.toml:"), "{wrong}: {error}");
        let refused = simulation().resume(&path).map(|_| ());
        assert!(refused.is_err(), "{wrong}");
    }
    fs::remove_file(folder.additions()).expect("removed");
    let refused = simulation().resume(&path).map(|_| ()).expect_err("no list");
    assert!(matches!(
        refused,
        SimulationError::Output(error) if matches!(*error, RunError::Damaged { .. })
    ));
    // Whatever is cut off is an error or a shorter list, and nothing panics.
    for length in (0..sound.len()).step_by(sound.len() / 150 + 1) {
        fs::write(folder.additions(), &sound[..length]).expect("written");
        let _ = RunScene::read(&folder);
    }
}

#[test]
fn a_reader_of_a_run_that_goes_on_sees_what_is_added() {
    let place = tempfile::tempdir().expect("a folder");
    let path = place.path().join("run");
    let mut own = simulation();
    let mut recording = own.record(&path).expect("a new folder");
    record(&mut own, &mut recording, 3);
    let folder = OutputFolder::new(&path);
    let mut world: RunWorld = RunScene::read(&folder).expect("sound").world;
    act(&mut own);
    record(&mut own, &mut recording, 4);
    let mut recorded = Recorded::of(&mut world);
    let files = chosen_files(&folder, None).expect("frames");
    for (place, count) in [(3, 3), (2, 2), (3, 3)] {
        recorded.read(&folder, &files[place].1).expect("a frame");
        assert_eq!(recorded.frame().expect("of this run").bodies.len(), count);
    }
}
