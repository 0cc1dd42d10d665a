//! A run that is served gives what its folder gives, and servers that do anything else give errors.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pliant_core::measure::FrameCollider;
use pliant_render::Coloring;
use pliant_scene::Overrides;
use proptest::prelude::*;
use serde_json::json;

use super::address::AddressRun;
use super::wire::scenery::{SceneryIn, SceneryOut};
use super::wire::{facts, particle, snapshot, tables};
use super::*;
use crate::Simulation;
use crate::live::{Ask, Playback, Reel};
use crate::prepare::Prepared;
use crate::run::{RunOptions, Unobserved, run};
use crate::serve::{LiveShow, PageServer};

/// Loose particles, cloth, a body that carries a surface, a rigid body, colliders with and without an end, one of glass,
/// probes.
const SCENE: &str = r##"
[scene]
title = "A \"served\" scene"
duration = 0.1
frame_rate = 30
[material.rubber]
preset = "rubber"
[material.silk]
preset = "silk"
[material.oak]
law = "rigid"
density = 700.0
[[body]]
name = "block"
material = "rubber"
shape = { box = { size = [0.1, 0.1, 0.1] } }
position = [0.0, 0.2, 0.0]
spacing = 0.05
color = "#ff6000"
[[body]]
name = "sheet"
material = "silk"
method = "cloth"
shape = { sheet = { size = [0.2, 0.2] } }
position = [0.4, 0.2, 0.0]
spacing = 0.05
[[body]]
name = "dressed"
material = "rubber"
method = "strain-energy"
shape = { box = { size = [0.1, 0.1, 0.1] } }
position = [0.0, 0.5, 0.0]
spacing = 0.05
render_mesh = { capsule = { radius = 0.03, height = 0.08 } }
[[body]]
name = "cube"
material = "oak"
shape = { box = { size = [0.1, 0.1, 0.1] } }
position = [-0.4, 0.3, 0.0]
[[collider]]
name = "floor"
shape = { plane = { normal = [0, 1, 0] } }
[[collider]]
name = "post"
shape = { sphere = { radius = 0.05 } }
position = [0.0, 0.05, 0.3]
opacity = 0.5
[[probe]]
name = "block"
body = "block"
measure = "bounding-box"
[output]
particles = ["vtk"]
preview = false
color_by = "speed"
"##;

/// A run in a new folder.
fn recorded() -> (tempfile::TempDir, PathBuf) {
    let place = tempfile::tempdir().expect("a folder");
    let file = place.path().join("scene.toml");
    std::fs::write(&file, SCENE).expect("a file");
    let prepared = Prepared::read(&file, &Overrides::default()).expect("a sound scene");
    let folder = place.path().join("run");
    let options = RunOptions {
        folder: folder.clone(),
        threads: 1,
        resume: false,
    };
    run(prepared, &options, &mut Unobserved).expect("a run");
    (place, folder)
}

/// A server of folders on a free port.
struct Served(Arc<PageServer>);

impl Served {
    fn of(folders: &[PathBuf]) -> Self {
        let server = Arc::new(PageServer::open(None, folders, 0).expect("a server"));
        let own = Arc::clone(&server);
        std::thread::spawn(move || own.work());
        Self(server)
    }

    fn run(&self) -> AddressRun {
        at(&self.0.address())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.0.stop();
    }
}

fn at(address: &str) -> AddressRun {
    let address = RunAddress::parse(address).expect("an address");
    AddressRun::open(address, Arc::default()).expect("a run")
}

fn painted(coloring: Coloring) -> Painted {
    Painted {
        coloring,
        surfaces: true,
    }
}

/// A collider as numbers and texts, with its surface.
fn seen(collider: &FrameCollider) -> String {
    let FrameCollider {
        name,
        shape,
        pose,
        color,
        opacity,
        gloss,
        kind,
    } = collider;
    let mesh = shape.surface(1.0);
    // Surfaces are served in single precision, and those without end reach as far as the scene wants.
    let corners = mesh.vertices.iter().map(|x| x.as_vec3());
    let corners: Vec<_> = corners.filter(|_| shape.bounds().is_some()).collect();
    let bounds = shape.bounds().is_some();
    format!(
        "{name} {bounds} {pose:?} {color:?} {opacity} {gloss} {kind:?} {corners:?} {:?}",
        mesh.triangles
    )
}

fn assert_same(own: &Snapshot, other: &Snapshot) {
    assert_eq!(
        (own.frame, own.time, own.particles),
        (other.frame, other.time, other.particles)
    );
    assert_eq!(own.spheres, other.spheres);
    assert_eq!(own.sphere_colors, other.sphere_colors);
    assert_eq!(own.sphere_ids, other.sphere_ids);
    assert_eq!(own.vertices, other.vertices);
    assert_eq!(own.normals, other.normals);
    assert_eq!(own.vertex_colors, other.vertex_colors);
    assert_eq!(own.triangles, other.triangles);
    assert_eq!(own.legend, other.legend);
    let colliders = |shown: &Snapshot| shown.colliders.iter().map(seen).collect::<Vec<_>>();
    assert_eq!(colliders(own), colliders(other));
}

#[test]
fn a_served_run_is_that_of_its_folder_to_the_bit() {
    let (_place, path) = recorded();
    let served = Served::of(std::slice::from_ref(&path));
    let (mut folder, mut address) = (FolderRun::open(&path).expect("a run"), served.run());
    let (own, other) = (folder.facts(), address.facts());
    // What can be set and poured is of no use to who looks on.
    let own = SceneFacts {
        entries: Vec::new(),
        pourable: Vec::new(),
        ..SceneFacts::clone(&own)
    };
    assert_eq!(format!("{own:?}"), format!("{other:?}"));
    assert!(!own.columns.is_empty() && own.colorings.len() > 3);
    let listing = folder.list().expect("frames");
    assert_eq!(listing.frames, [1, 2, 3, 4]);
    assert_eq!(address.list().as_ref(), Ok(&listing));
    assert_eq!(address.list(), Ok(listing));
    let both = [folder.tables(), address.tables()];
    let [own, other] = both.map(|tables| format!("{:?}", tables.expect("tables")));
    assert_eq!(own, other);
    let plain = [Coloring::Body, Coloring::Material];
    let facts = folder.facts();
    for coloring in plain.iter().chain(&facts.colorings) {
        for surfaces in [true, false] {
            let coloring = coloring.clone();
            let painted = Painted { coloring, surfaces };
            let both = [folder.snapshot(3, &painted), address.snapshot(3, &painted)];
            let [own, other] = both.map(|shown| shown.expect("a frame"));
            assert_same(&own, &other);
            assert!(!own.spheres.is_empty() && own.triangles.len() > 8);
            assert_eq!(own.colliders.len(), 3);
        }
    }
    let shown = folder
        .snapshot(1, &painted(Coloring::Body))
        .expect("a frame");
    for id in [shown.sphere_ids[2], 100_000] {
        for number in [1, 4] {
            assert_eq!(folder.particle(number, id), address.particle(number, id));
        }
    }
    assert!(address.snapshot(9, &painted(Coloring::Body)).is_err());
}

#[test]
fn surfaces_of_colliders_are_sent_once_and_kept() {
    let (_place, path) = recorded();
    let mut folder = FolderRun::open(&path).expect("a run");
    let mut shown = |number| {
        let shown = folder.snapshot(number, &painted(Coloring::Body));
        shown.expect("a frame")
    };
    let (first, second) = (shown(1), shown(2));
    let mut out = SceneryOut::of(&folder.facts().bounds);
    let mut known = SceneryIn::default();
    let whole = snapshot::encode(&first, &mut out, known.known);
    let read = snapshot::decode(&whole, &mut known).expect("a frame");
    let less = snapshot::encode(&second, &mut out, known.known);
    assert!(less.len() + 1000 < whole.len());
    // A window that has none is told that it lacks them.
    assert!(snapshot::decode(&less, &mut SceneryIn::default()).is_err());
    let again = snapshot::decode(&less, &mut known).expect("a frame");
    for (a, b) in read.colliders.iter().zip(&again.colliders) {
        assert!(Arc::ptr_eq(&a.shape, &b.shape));
    }
    // Sent once more, they are not drawn anew either.
    let whole = snapshot::encode(&second, &mut out, None);
    let whole = snapshot::decode(&whole, &mut known).expect("a frame");
    assert!(Arc::ptr_eq(
        &read.colliders[0].shape,
        &whole.colliders[0].shape
    ));
}

fn reel_of<R>(playback: &Playback, mut seen: impl FnMut(&mut Reel) -> Option<R>) -> R {
    let start = Instant::now();
    loop {
        if let Some(found) = seen(&mut playback.reel()) {
            return found;
        }
        let problem = playback.reel().problem.clone();
        assert!(start.elapsed() < Duration::from_secs(60), "{problem:?}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

const BALL: &str = r#"
scene.duration = 1
[material.rubber]
preset = "rubber"
[[body]]
name = "ball"
material = "rubber"
shape = { sphere = { radius = 0.05 } }
spacing = 0.025
"#;

#[test]
fn a_simulation_is_followed_as_it_goes_on_and_told_when_it_is_gone() {
    let mut simulation = Simulation::from_text(BALL).expect("a scene");
    let show = LiveShow::of(&simulation).expect("a free port");
    let address = RunAddress::parse(&show.address()).expect("an address");
    let playback = Playback::open(RunPlace::Address(address), || ());
    let first = reel_of(&playback, |reel| reel.snapshot.take());
    assert_eq!((first.frame, first.time), (1, 0.0));
    reel_of(&playback, |reel| reel.is_live.then_some(()));
    playback.ask(Ask::Follow(true));
    let id = first.sphere_ids[4];
    playback.ask(Ask::Pick(Some(id)));
    let mut heights = vec![first.spheres[4][1]];
    for number in 2..6 {
        simulation.step().expect("a step");
        show.add(&simulation);
        let shown = reel_of(&playback, |reel| {
            reel.snapshot.take().filter(|shown| shown.frame == number)
        });
        assert_eq!(shown.time, simulation.time());
        let place = shown.sphere_ids.binary_search(&id).expect("a particle");
        heights.push(shown.spheres[place][1]);
    }
    let picked = reel_of(&playback, |reel| {
        reel.picked.clone().filter(|picked| picked.path.len() == 5)
    });
    let path = picked.path.iter().map(|at| at.expect("it is there")[1]);
    assert_eq!(
        (path.collect::<Vec<_>>(), picked.body),
        (heights, "ball".to_owned())
    );
    // Back, where it stays while the simulation goes on; then to the newest.
    playback.ask(Ask::Show(2));
    reel_of(&playback, |reel| {
        reel.snapshot.take().filter(|shown| shown.frame == 2)
    });
    simulation.step().expect("a step");
    show.add(&simulation);
    reel_of(&playback, |reel| (reel.frames.len() == 6).then_some(()));
    assert!(playback.reel().snapshot.is_none());
    playback.ask(Ask::Follow(true));
    reel_of(&playback, |reel| {
        reel.snapshot.take().filter(|shown| shown.frame == 6)
    });
    // A quantity that nobody had asked for is in the frames from now on.
    let density = Coloring::Quantity {
        name: "density".to_owned(),
        range: None,
        color_map: Default::default(),
    };
    playback.ask(Ask::Color(density));
    let problem = reel_of(&playback, |reel| reel.problem.clone());
    assert!(problem.contains("from now on"), "{problem}");
    simulation.step().expect("a step");
    show.add(&simulation);
    let shown = reel_of(&playback, |reel| {
        reel.snapshot.take().filter(|shown| shown.frame == 7)
    });
    assert_eq!(
        shown.legend.as_ref().map(|legend| legend.title.as_str()),
        Some("density")
    );
    assert_eq!(playback.reel().problem, None);
    drop(show);
    let problem = reel_of(&playback, |reel| reel.problem.clone());
    assert!(problem.contains("may have ended"), "{problem}");
    let start = Instant::now();
    drop(playback);
    assert!(start.elapsed() < Duration::from_secs(5));
}

/// What a frame, tables and a particle are in bytes.
fn encoded() -> [Vec<u8>; 3] {
    let (_place, path) = recorded();
    let mut folder = FolderRun::open(&path).expect("a run");
    let colored = folder.facts().colorings[0].clone();
    let shown = folder.snapshot(2, &painted(colored)).expect("a frame");
    let mut out = SceneryOut::of(&folder.facts().bounds);
    let found = folder.particle(2, shown.sphere_ids[0]).expect("a frame");
    [
        snapshot::encode(&shown, &mut out, None),
        tables::encode(&folder.tables().expect("tables")),
        particle::encode(found.as_ref()),
    ]
}

/// Whether each of them is read.
fn are_read(bytes: [&[u8]; 3]) -> [bool; 3] {
    [
        snapshot::decode(bytes[0], &mut SceneryIn::default()).is_ok(),
        tables::decode(bytes[1]).is_ok(),
        particle::decode(bytes[2]).is_ok(),
    ]
}

#[test]
fn what_is_cut_off_or_goes_on_is_an_error() {
    let whole = encoded();
    assert_eq!(are_read(whole.each_ref().map(Vec::as_slice)), [true; 3]);
    let longest = whole.iter().map(Vec::len).max().unwrap_or(0);
    for length in (0..longest).step_by(7) {
        let cut = whole
            .each_ref()
            .map(|bytes| &bytes[..length.min(bytes.len() - 1)]);
        assert_eq!(are_read(cut), [false; 3], "{length}");
    }
    let longer = whole
        .each_ref()
        .map(|bytes| [bytes.as_slice(), b"x"].concat());
    assert_eq!(are_read(longer.each_ref().map(Vec::as_slice)), [false; 3]);
}

#[test]
fn a_triangle_without_its_corner_and_a_place_that_is_no_number_are_errors() {
    let empty = |change: &dyn Fn(&mut Snapshot)| {
        let mut shown = Snapshot {
            spheres: vec![[0.0; 4]],
            sphere_colors: vec![[0; 4]],
            sphere_ids: vec![0],
            vertices: vec![[0.0; 3]; 3],
            normals: vec![[0.0; 4]; 3],
            vertex_colors: vec![[0; 4]; 3],
            triangles: vec![[0, 1, 2]],
            ..Snapshot::default()
        };
        change(&mut shown);
        let mut out = SceneryOut::of(&pliant_geometry::Aabb::around([pliant_math::DVec3::ZERO]));
        let bytes = snapshot::encode(&shown, &mut out, None);
        let read = snapshot::decode(&bytes, &mut SceneryIn::default());
        read.map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(empty(&|_| ()), Ok(()));
    let told = [
        empty(&|shown| shown.triangles[0][1] = 3),
        empty(&|shown| shown.spheres[0][3] = f32::NAN),
        empty(&|shown| shown.vertices[0][0] = f32::INFINITY),
        empty(&|shown| shown.time = f64::NAN),
        empty(&|shown| shown.sphere_ids.push(1)),
    ];
    let expected = ["only 3", "not finite", "not finite", "time is NaN", ""];
    for (told, why) in told.into_iter().zip(expected) {
        assert!(
            told.as_ref().is_err_and(|text| text.contains(why)),
            "{told:?}"
        );
    }
}

/// A server that gives each path the same bytes; it ends with the test.
fn server(answers: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let own = listener.local_addr().expect("a port");
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut request = [0; 2000];
            let count = stream.read(&mut request).unwrap_or(0);
            let text = String::from_utf8_lossy(&request[..count]).into_owned();
            let body = answers(text.split(' ').nth(1).unwrap_or(""));
            let head = format!("HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
            let _ = stream.write_all(&[head.as_bytes(), &body].concat());
        }
    });
    own
}

#[test]
fn what_a_server_tells_of_a_run_must_make_sense() {
    let simulation = Simulation::from_text(BALL).expect("a scene");
    let sound = facts::encode(
        &LiveRun(Arc::new(Moments::of(&simulation).expect("moments"))).facts(),
        &Listing::default(),
    );
    assert!(facts::decode(&sound).is_ok());
    let wrong = [
        ("title", json!(7)),
        ("up", json!([0.0, 0.0, 0.0])),
        ("up", json!([0.0, 1.0])),
        ("cameras", json!([])),
        ("cameras", json!([{}])),
        ("bounds", json!([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]])),
        ("bounds", json!(null)),
        ("frameRate", json!(0.0)),
        ("frameRate", json!("24")),
        ("coloring", json!({ "name": "speed", "range": [1.0] })),
        ("colorings", json!([{ "range": null }])),
        ("columns", json!([["energy"]])),
    ];
    for (key, value) in wrong {
        let mut told = sound.clone();
        told[key] = value;
        let error = facts::decode(&told).map(|_| ()).expect_err(key);
        assert!(!error.to_string().contains("another version"), "{error}");
        let Some(object) = told.as_object_mut() else {
            panic!("facts are an object");
        };
        object.remove("version");
        let error = facts::decode(&told).map(|_| ()).expect_err(key);
        assert!(error.to_string().contains("another version"), "{error}");
    }
    // A camera that sees nothing is replaced, as everything else is sound.
    let mut told = sound.clone();
    told["cameras"][0]["target"] = told["cameras"][0]["position"].clone();
    let camera = facts::decode(&told).expect("facts").cameras[0];
    assert!(camera.position.distance(camera.target) > 0.0);
}

#[test]
fn what_is_wrong_with_a_server_is_told_with_its_address() {
    let open = |text: &str| {
        let address = RunAddress::parse(text).expect("an address");
        let run = AddressRun::open(address, Arc::default());
        run.map(|_| ()).map_err(|error| error.to_string())
    };
    let other = server(|_| b"<html>".to_vec());
    let told = open(&format!("http://{other}/")).expect_err("no server of runs");
    assert!(
        told.contains(&other.to_string()) && told.contains("no JSON"),
        "{told}"
    );
    let empty = server(|_| b"[]".to_vec());
    let told = open(&format!("http://{empty}/")).expect_err("no run");
    assert!(told.contains("shows no runs"), "{told}");
    let (_place, path) = recorded();
    let served = Served::of(&[path]);
    let told = open(&served.0.address().replace("run=0", "run=1")).expect_err("one run");
    assert!(told.contains("no run 1"), "{told}");
    let told = open(&served.0.address().replace("localhost", "127.1.2.3"));
    assert!(told.is_err());
}

#[test]
fn a_server_that_breaks_is_told_and_goes_on_to_be_asked() {
    let simulation = Simulation::from_text(BALL).expect("a scene");
    let mut run = LiveRun(Arc::new(Moments::of(&simulation).expect("moments")));
    let told = facts::encode(&run.facts(), &run.list().expect("a list"));
    let list = wire::listing::encode(&run.list().expect("a list"), 0);
    let shown = run.snapshot(1, &painted(Coloring::Body)).expect("a moment");
    let mut out = SceneryOut::of(&run.facts().bounds);
    let frame = snapshot::encode(&shown, &mut out, None);
    let asked = AtomicUsize::new(0);
    let broken = server(move |path| match path {
        "/runs.json" => json!([told]).to_string().into_bytes(),
        _ if path.starts_with("/runs/0/list") => list.to_string().into_bytes(),
        // Columns that are cut off at first.
        _ => match asked.fetch_add(1, Ordering::Relaxed) {
            0 => frame[..frame.len() - 30].to_vec(),
            _ => frame.clone(),
        },
    });
    let address = RunAddress::parse(&format!("http://{broken}/")).expect("an address");
    let playback = Playback::open(RunPlace::Address(address), || ());
    let problem = reel_of(&playback, |reel| reel.problem.clone());
    assert!(
        problem.contains("frame 1") && problem.contains("cut off"),
        "{problem}"
    );
    playback.ask(Ask::Show(1));
    let shown = reel_of(&playback, |reel| reel.snapshot.take());
    assert_eq!(shown.frame, 1);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Whatever is sent, nothing panics.
    #[test]
    fn changed_bytes_are_read_or_refused(changes in prop::collection::vec((any::<u16>(), any::<u8>()), 1..6)) {
        static WHOLE: std::sync::LazyLock<[Vec<u8>; 3]> = std::sync::LazyLock::new(encoded);
        let mut changed = WHOLE.clone();
        for bytes in &mut changed {
            for &(place, value) in &changes {
                // Half of the changes are among what says how long everything is.
                let length = if place % 2 == 0 { bytes.len().min(100) } else { bytes.len() };
                bytes[place as usize % length] = value;
            }
        }
        are_read(changed.each_ref().map(Vec::as_slice));
    }
}
