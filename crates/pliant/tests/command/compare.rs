//! `compare`.

use std::fs;

use crate::support::*;

/// Runs a scene into a folder without checkpoints to speak of.
fn run(place: &Place, folder: &str, more: &str) {
    place.pliant_succeeds(&format!(
        "run scene.toml --out {folder} --frames 4 -q {more}"
    ));
}

#[test]
fn two_runs_of_one_scene_are_identical_whatever_their_threads_and_formats() {
    let place = Place::with(SAND);
    run(&place, "a", "--threads 1");
    run(&place, "b", "--threads 2 --set output.particles=[\"npz\"]");
    let said = place.pliant_succeeds("compare a b");
    for part in [
        "5 frames in both, one as vtp, two as npz; identical",
        "output.particles",
        "threads",
        "stats.csv: the same in every column",
        "probes.csv: the same in every column",
        "the results are identical",
    ] {
        assert!(said.text.contains(part), "{part}\n{}", said.text);
    }
    assert!(place.pliant_succeeds("compare a a -q").text.is_empty());
    let said = place.pliant_succeeds("compare a a");
    assert!(said.text.contains("scene: the same") && said.text.contains("machine: the same"));
}

#[test]
fn differences_are_reported_with_key_frame_particle_and_column() {
    let place = Place::with(SAND);
    run(&place, "a", "");
    run(&place, "b", "--set material.sand.friction_angle=31");
    let said = place.pliant("compare a b --csv all.csv");
    assert_eq!(said.status, Some(1), "{}", said.errors);
    for part in [
        "material.sand.friction_angle  30.0  31.0",
        "scene: 1 key differs",
        "the first that differs",
        "position",
        "velocity",
        "stats.csv",
        "energy_kinetic",
    ] {
        assert!(said.text.contains(part), "{part}\n{}", said.text);
    }
    assert!(said.errors.contains("differ by up to"), "{}", said.errors);
    let table = fs::read_to_string(place.path("all.csv")).unwrap();
    let (header, rows) = table.split_once('\n').unwrap();
    assert!(header.starts_with("frame,time,attribute,unit,shared,rms,greatest"));
    let last: Vec<&str> = rows
        .lines()
        .find(|l| l.starts_with("5,"))
        .unwrap()
        .split(',')
        .collect();
    assert_eq!((last[2], last[3]), ("position", "m"));
    let [rms, greatest] = [5, 6].map(|place| last[place].parse::<f64>().unwrap());
    assert!(0.0 < rms && rms <= greatest && greatest < 0.1, "{table}");
    assert_eq!(
        place.pliant("compare a b -q --tolerance 1e-12").status,
        Some(1)
    );
    place.pliant_succeeds("compare a b -q --tolerance 2");
}

#[test]
fn runs_of_different_length_or_without_particles_are_compared_where_possible() {
    let place = Place::with(SAND);
    run(&place, "a", "");
    place.pliant_succeeds("run scene.toml --out b --frames 2 -q");
    let said = place.pliant("compare a b");
    assert_eq!(said.status, Some(1));
    let parts = [
        "one has 5 (1 to 5), two has 3 (1 to 3)",
        "5 and 3 rows",
        "scene.duration",
    ];
    for part in parts {
        assert!(said.text.contains(part), "{part}\n{}", said.text);
    }
    assert_eq!(place.pliant("compare a b --tolerance 1").status, Some(1));
    run(&place, "c", "--set output.particles=[]");
    let said = place.pliant_succeeds("compare a c");
    assert!(
        said.text
            .contains("not compared, two has no particle files"),
        "{}",
        said.text
    );
}

#[test]
fn folders_that_hold_no_run_and_damaged_files_are_named() {
    let place = Place::with(SAND);
    run(&place, "a", "");
    run(&place, "b", "");
    fs::create_dir(place.path("empty")).unwrap();
    for (arguments, part) in [
        ("compare a nothing", "`nothing` holds no run"),
        ("compare empty a", "`empty` holds no run"),
        ("compare a scene.toml", "`scene.toml` holds no run"),
        ("compare a", "TWO"),
        ("compare a b --tolerance -1", "not negative"),
        ("compare a b --tolerance some", "not negative"),
    ] {
        let said = place.pliant(arguments);
        assert_eq!(said.status, Some(2), "{arguments}");
        assert!(said.errors.contains(part), "{arguments}: {}", said.errors);
    }
    fs::write(place.path("b/particles/particles.0002.vtp"), "<VTKFile").unwrap();
    let said = place.pliant("compare a b");
    assert_eq!(said.status, Some(2));
    assert!(
        said.errors.contains("particles.0002.vtp"),
        "{}",
        said.errors
    );
    fs::remove_dir_all(place.path("b/particles")).unwrap();
    fs::write(place.path("b/stats.csv"), "frame,time\n1,x\n").unwrap();
    let said = place.pliant("compare a b");
    assert_eq!(said.status, Some(2));
    assert!(
        said.errors.contains("stats.csv`, line 2"),
        "{}",
        said.errors
    );
}
