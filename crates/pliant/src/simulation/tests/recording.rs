//! Contracts of recordings.

use std::collections::BTreeMap;
use std::fs;

use pliant_io::Table;

use super::*;
use crate::run::{RunError, RunOptions, Status, Unobserved, run};

const FALL: &str = r#"
scene.duration = 0.2
output.preview = false
output.checkpoint_every = 3
[material.rubber]
preset = "rubber"
[[body]]
name = "block"
material = "rubber"
shape = { box = { size = [0.1, 0.1, 0.1] } }
position = [0.0, 0.08, 0.0]
spacing = 0.05
[[collider]]
name = "floor"
shape = { plane = {} }
[[probe]]
name = "block"
measure = "center-of-mass"
"#;

/// The frames of a run of the scene, with the initial one.
const FRAMES: u32 = 6;

pub(super) fn record(own: &mut Simulation, recording: &mut Recording, last: u32) {
    while own.frame_number() < last {
        own.step().expect("sound");
        recording.write(own).expect("the next frame");
    }
}

/// The bytes of all files whose content does not depend on the clock, by their names.
pub(super) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for room in ["", "particles", "checkpoints"] {
        for entry in fs::read_dir(folder.join(room)).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy();
            let is_timed = ["run.json", "report.html", "stats.csv"].contains(&&*name);
            if path.is_file() && !is_timed && !name.starts_with('.') {
                files.insert(format!("{room}/{name}"), fs::read(&path).expect("a file"));
            }
        }
    }
    files
}

/// The columns of `stats.csv` that do not depend on the clock.
fn statistics(folder: &Path) -> Vec<(String, Vec<f64>)> {
    let table = Table::read(&folder.join("stats.csv")).expect("a table");
    let names = table.columns().iter().filter(|c| !c.starts_with("wall"));
    let column = |name: &String| (name.clone(), table.column(name).expect("a column"));
    names.map(column).collect()
}

#[test]
fn a_recording_leaves_what_a_run_leaves_and_one_that_was_broken_off_goes_on_to_the_same() {
    let place = tempfile::tempdir().expect("a folder");
    let [ran, recorded, resumed] = ["ran", "recorded", "resumed"].map(|n| place.path().join(n));
    let scene = Scene::parse(FALL, "text", Path::new("."), &Overrides::default());
    let prepared = Prepared::of(scene.expect("sound"), "a", "a", &|_| ()).expect("sound");
    let options = RunOptions {
        folder: ran.clone(),
        threads: 1,
        resume: false,
    };
    run(prepared, &options, &mut Unobserved).expect("a run");

    let mut own = Simulation::from_text(FALL).expect("sound");
    let mut recording = own.record(&recorded).expect("a new folder");
    record(&mut own, &mut recording, FRAMES);
    let summary = recording.finish(&own).expect("an end");
    assert_eq!(summary.manifest.status, Status::Done);
    assert_eq!(summary.manifest.frames_planned, FRAMES);
    assert!(recorded.join("report.html").is_file());
    assert!(files(&ran).len() > 8 && files(&recorded) == files(&ran));
    assert!(statistics(&recorded) == statistics(&ran));

    let mut broken_off = Simulation::from_text(FALL).expect("sound");
    let mut recording = broken_off.record(&resumed).expect("a new folder");
    record(&mut broken_off, &mut recording, FRAMES - 1);
    drop(recording);
    let mut own = Simulation::from_text(FALL).expect("sound");
    own.step().expect("sound");
    let mut recording = own.resume(&resumed).expect("a checkpoint");
    assert_eq!((own.frame_number(), recording.frames_done()), (3, 3));
    record(&mut own, &mut recording, FRAMES);
    recording.finish(&own).expect("an end");
    assert!(files(&resumed) == files(&ran) && statistics(&resumed) == statistics(&ran));
}

#[test]
fn recordings_refuse_frames_out_of_order_and_folders_of_others() {
    let place = tempfile::tempdir().expect("a folder");
    let mut own = Simulation::from_text(FALL).expect("sound");
    fs::write(place.path().join("letter.txt"), "dear").expect("written");
    let foreign = own.record(place.path()).map(|_| ());
    assert!(matches!(
        foreign,
        Err(SimulationError::Output(error)) if matches!(*error, RunError::ForeignFolder(_))
    ));
    let mut recording = own.record(place.path().join("a")).expect("a new folder");
    assert!(matches!(
        recording.write(&own),
        Err(SimulationError::OtherFrame {
            reached: 1,
            next: 2
        })
    ));
    own.step().expect("sound");
    own.step().expect("sound");
    assert!(matches!(
        recording.write(&own),
        Err(SimulationError::OtherFrame {
            reached: 3,
            next: 2
        })
    ));
    let late = own.record(place.path().join("b")).map(|_| ());
    assert!(matches!(late, Err(SimulationError::RecordedLate(3))));
    // Who cannot resume stays where he is.
    let other = FALL.replace("0.08", "0.09");
    drop(recording);
    let mut recording = {
        own.reset();
        own.record(place.path().join("a")).expect("its own folder")
    };
    record(&mut own, &mut recording, 4);
    drop(recording);
    let mut other = Simulation::from_text(&other).expect("sound");
    other.step().expect("sound");
    let state = other.save();
    let refused = other.resume(place.path().join("a")).map(|_| ());
    let said = refused.expect_err("another scene").to_string();
    assert!(said.contains("body.block.position"), "{said}");
    assert!(other.save() == state);
}
