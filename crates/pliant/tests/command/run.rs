//! What a run leaves.

use std::fs;

use pliant_io::Table;
use pliant_io::export::read_frame;

use crate::support::*;

#[test]
fn run_leaves_every_file_of_the_scene_page() {
    let place = Place::with(SAND);
    let said = place.pliant_succeeds("run scene.toml --frames 5 --set output.preview=true");
    let left = files(&place.path("out/scene"));
    let names = [
        "scene.toml",
        "run.json",
        "stats.csv",
        "probes.csv",
        "report.html",
        "particles/particles.0001.vtp",
        "particles/particles.0006.vtp",
        "particles/particles.pvd",
        "preview/0001.png",
        "preview/0006.png",
        "checkpoints/checkpoint.0005.pliant",
    ];
    for name in names {
        assert!(left.contains_key(name), "{name} is missing");
    }
    let film = left
        .keys()
        .find(|name| name.starts_with("preview/film."))
        .unwrap();
    let manifest = String::from_utf8_lossy(&left["run.json"]);
    assert!(manifest.contains(film), "{manifest}");
    assert!(said.text.contains("report.html") && said.text.contains("film."));
    assert!(!left.keys().any(|name| name.contains(".partial-")));
}

#[test]
fn first_frame_is_the_initial_state_and_rows_belong_to_frames() {
    let place = Place::with(SAND);
    place.pliant_succeeds("run scene.toml --out here --frames 3 -q");
    let first = read_frame(&place.path("here/particles/particles.0001.vtp")).unwrap();
    assert_eq!((first.number, first.time), (1, 0.0));
    assert!(first.velocity.iter().flatten().all(|v| *v == 0.0));
    for table in ["stats.csv", "probes.csv"] {
        let table = Table::read(&place.path("here").join(table)).unwrap();
        assert_eq!(table.column("frame").unwrap(), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(table.column("time").unwrap()[2], 2.0 / 24.0);
    }
    assert!(
        Table::read(&place.path("here/probes.csv"))
            .unwrap()
            .column("heap.r99")
            .is_ok()
    );
}

#[test]
fn report_is_one_page_that_needs_nothing_else() {
    let place = Place::with(&SAND.replace("title = \"Sand\"", "title = \"Sand & <stone>\""));
    place.pliant_succeeds("run scene.toml --out here --frames 2 --set output.preview=true -q");
    let report = fs::read_to_string(place.path("here/report.html")).unwrap();
    assert!(report.contains("Sand &amp; &lt;stone&gt;") && !report.contains("<stone>"));
    assert!(!report.contains("http:") && !report.contains("https:") && !report.contains("<script"));
    assert!(report.contains("alt=\"The film\"") || report.contains("data:video/mp4;base64,"));
    assert!(report.matches("<svg").count() >= 8);
}

#[test]
fn bits_are_the_same_for_one_two_and_four_threads() {
    let place = Place::with(SAND);
    for threads in [1, 2, 4] {
        place.pliant_succeeds(&format!(
            "run scene.toml --out {threads} --threads {threads} -q"
        ));
    }
    let one = results(&place.path("1"));
    assert!(one.len() >= 9);
    assert_same(&one, &results(&place.path("2")));
    assert_same(&one, &results(&place.path("4")));
}

#[test]
fn bits_are_the_same_from_the_scene_that_was_written_out() {
    let place = Place::with(SAND);
    place.pliant_succeeds("run scene.toml --out a -q --frames 3 --set body.column.spacing=0.04");
    place.pliant_succeeds("run a/scene.toml --out b -q");
    assert_same(&results(&place.path("a")), &results(&place.path("b")));
    let written = |folder: &str| fs::read_to_string(place.path(folder).join("scene.toml")).unwrap();
    assert_eq!(written("a"), written("b"));
}

#[test]
fn formats_that_are_asked_for_are_written() {
    let place = Place::with(SAND);
    place.pliant_succeeds(
        "run scene.toml --out a -q --frames 1 --set output.particles=[\"ply\",\"npz\"]",
    );
    let names: Vec<String> = files(&place.path("a/particles")).into_keys().collect();
    assert_eq!(
        names,
        [
            "particles.0001.npz",
            "particles.0001.ply",
            "particles.0002.npz",
            "particles.0002.ply"
        ]
    );
}

#[test]
fn new_run_replaces_an_older_one_and_leaves_other_files() {
    let place = Place::with(SAND);
    place.pliant_succeeds("run scene.toml --out a -q --frames 4");
    fs::write(place.path("a/notes.txt"), "mine").unwrap();
    place.pliant_succeeds("run scene.toml --out a -q --frames 2");
    let left = files(&place.path("a"));
    assert_eq!(left["notes.txt"], b"mine");
    assert!(left.contains_key("particles/particles.0003.vtp"));
    assert!(!left.contains_key("particles/particles.0004.vtp"));
    assert!(!left.contains_key("checkpoints/checkpoint.0005.pliant"));
}

#[test]
fn a_folder_without_a_run_is_not_overwritten() {
    let place = Place::with(SAND);
    fs::create_dir(place.path("mine")).unwrap();
    fs::write(place.path("mine/stats.csv"), "mine").unwrap();
    let said = place.pliant("run scene.toml --out mine -q");
    assert_eq!(said.status, Some(2));
    assert!(said.errors.contains("mine") && said.errors.contains("--out"));
    assert_eq!(files(&place.path("mine")).len(), 1);
    assert_eq!(fs::read(place.path("mine/stats.csv")).unwrap(), b"mine");
}

#[test]
fn quiet_run_says_nothing_and_others_say_how_far_they_are() {
    let place = Place::with(SAND);
    let quiet = place.pliant_succeeds("run scene.toml --out a -q --frames 1");
    assert!(quiet.text.is_empty() && quiet.errors.is_empty());
    let loud = place.pliant_succeeds("run scene.toml --out a --frames 1");
    assert!(loud.errors.contains("frame 2/2"), "{}", loud.errors);
}

#[test]
fn run_ends_when_everything_is_still() {
    let place = Place::with(&SAND.replace("[material", "gravity = [0, 0, 0]\n[material"));
    place.pliant_succeeds("run scene.toml --out a -q --set solver.stop_when_still=0.001");
    let table = Table::read(&place.path("a/stats.csv")).unwrap();
    assert_eq!(table.rows().len(), 2);
}
