//! Servers that send anything else than runs, or none to the end, give errors.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pliant_render::Coloring;
use proptest::prelude::*;
use serde_json::json;

use super::super::address::AddressRun;
use super::super::wire::scenery::{SceneryIn, SceneryOut};
use super::super::wire::{facts, particle, snapshot, tables};
use super::super::*;
use super::{BALL, Served, painted, recorded, reel_of};
use crate::Simulation;
use crate::live::{Ask, Playback};

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
        (
            "cameras",
            json!([{ "keyframes": [], "ease": "linear", "turn": 0.0 }]),
        ),
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
    let keyframe = &mut told["cameras"][0]["keyframes"][0];
    keyframe["target"] = keyframe["position"].clone();
    let camera = facts::decode(&told).expect("facts").cameras[0].at(0.0);
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
