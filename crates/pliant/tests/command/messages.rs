//! What is said about input and output that is not as it should be.

use std::fs;
use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::*;

#[cfg(target_os = "linux")]
#[test]
fn results_that_cannot_be_written_are_a_failure() {
    let place = Place::with(SAND);
    place.pliant_succeeds("run scene.toml --frames 1 --out a -q");
    for arguments in ["check scene.toml", "list", "compare a a", "schema"] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = place.command(arguments).stdout(full).output().unwrap();
        let said = Said::of(output);
        assert_eq!(said.status, Some(1), "{arguments}");
        let part = "could not write to the standard output";
        assert!(said.errors.contains(part), "{}", said.errors);
    }
    // A reader that went away is none.
    let mut child = place
        .command("schema")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn scene_from_the_standard_input_is_checked_and_run() {
    let place = Place::with(SAND);
    let with_input = |arguments: &str, scene: &str| {
        let mut command = place.command(arguments);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(scene.as_bytes()).unwrap();
        drop(input);
        Said::of(child.wait_with_output().unwrap())
    };
    let checked = with_input("check -", SAND);
    // The memory that is available is another one every time.
    let told = |said: Said| -> Vec<String> {
        let lines = said.text.lines().filter(|line| !line.starts_with("memory"));
        lines.map(String::from).collect()
    };
    let checked = told(checked);
    assert_eq!(checked, told(place.pliant_succeeds("check scene.toml")));
    let wrong = with_input("check -", &SAND.replace("spacing", "spacin"));
    assert_eq!(wrong.status, Some(2));
    assert!(
        wrong.errors.contains("--> standard input:"),
        "{}",
        wrong.errors
    );
    let run = with_input("run - --frames 2 -q", SAND);
    assert_eq!(run.status, Some(0), "{}", run.errors);
    place.pliant_succeeds("run scene.toml --frames 2 -q --out a");
    assert_same(
        &results(&place.path("out/stdin")),
        &results(&place.path("a")),
    );
}

#[test]
fn wrong_values_name_the_argument_that_sets_them() {
    let place = Place::with(SAND);
    for (arguments, part) in [
        (
            "sweep scene.toml --vary nope=1",
            "in the argument --vary nope=1",
        ),
        (
            "run scene.toml --backend gpu",
            "in the argument --backend gpu",
        ),
        (
            "check scene.toml --set nope=1",
            "in the argument --set nope=1",
        ),
    ] {
        let said = place.pliant(arguments);
        assert_eq!(said.status, Some(2), "{arguments}");
        assert!(said.errors.contains(part), "{arguments}: {}", said.errors);
    }
}

#[test]
fn unwritable_folders_are_refused_as_such() {
    let place = Place::with(SAND);
    let long = "a".repeat(300);
    let mut refused = vec![(format!("run scene.toml --out {long}"), "aaa...`")];
    if cfg!(target_os = "linux") {
        // Empty, and nobody, not even the administrator, writes there.
        let arguments = "run scene.toml --out /proc/tty/ldisc";
        refused.push((arguments.into(), "cannot write into the folder"));
    }
    for (arguments, part) in refused {
        let said = place.pliant(&arguments);
        assert_eq!(said.status, Some(2), "{}", said.errors);
        assert!(said.errors.contains(part), "{}", said.errors);
        assert!(said.errors.contains("--out"), "{}", said.errors);
        assert!(!said.errors.contains("checkpoint"), "{}", said.errors);
    }
}

#[test]
fn damaged_files_of_a_run_are_named_with_a_remedy_that_works() {
    let place = Place::with(SAND);
    let damage = |out: &str, file: &str| {
        place.pliant_succeeds(&format!("run scene.toml --frames 2 -q --out {out}"));
        let path = place.path(out).join(file);
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    };
    damage("a", "run.json");
    for arguments in [
        "run scene.toml --out a --resume --frames 3",
        "run scene.toml --out a",
    ] {
        let said = place.pliant(arguments);
        assert_eq!(said.status, Some(2), "{arguments}");
        assert!(
            said.errors.contains("run.json` is damaged"),
            "{}",
            said.errors
        );
        assert!(said.errors.contains("--out"), "{}", said.errors);
    }
    for table in ["stats.csv", "probes.csv"] {
        damage("b", table);
        let before = files(&place.path("b/particles"));
        let said = place.pliant("run scene.toml --out b --resume --frames 3");
        assert_ne!(said.status, Some(0));
        assert!(said.errors.contains(table), "{}", said.errors);
        assert!(said.errors.contains("without --resume"), "{}", said.errors);
        assert!(!said.errors.contains("is whole"), "{}", said.errors);
        // Nothing was cut that may still be wanted.
        assert_eq!(files(&place.path("b/particles")), before);
        place.pliant_succeeds("run scene.toml --out b --frames 3 -q");
    }
}

#[test]
fn a_missing_particle_file_is_reported_when_a_film_is_rendered_again() {
    let place = Place::with(SAND);
    place.pliant_succeeds("run scene.toml --frames 4 -q --out a");
    fs::remove_file(place.path("a/particles/particles.0003.vtp")).unwrap();
    let said = place.pliant_succeeds("render a --size 64x64 -q");
    assert!(
        said.errors.contains("no particle file of frame 3;"),
        "{}",
        said.errors
    );
    let whole = place.pliant_succeeds("render a --size 64x64 -q --frames 4..5");
    assert!(
        !whole.errors.contains("no particle file"),
        "{}",
        whole.errors
    );
}

#[test]
fn a_mesh_path_that_is_a_folder_is_reported_as_one() {
    let place = Place::with(&SAND.replace(
        "{ cylinder = { radius = 0.1, height = 0.1 } }",
        "{ mesh = { file = \"folder\" } }",
    ));
    fs::create_dir(place.path("folder")).unwrap();
    let said = place.pliant("check scene.toml");
    assert_eq!(said.status, Some(2));
    assert!(
        said.errors.contains("folder is a folder"),
        "{}",
        said.errors
    );
    fs::remove_dir(place.path("folder")).unwrap();
    let said = place.pliant("check scene.toml");
    assert!(said.errors.contains("there is no file"), "{}", said.errors);
}

#[test]
fn many_bodies_are_checked_in_seconds() {
    let body = |k: usize| {
        let [x, z] = [0.3 * (k % 64) as f64, 0.3 * (k / 64) as f64];
        format!(
            "[[body]]\nname = \"b{k}\"\nmaterial = \"wood\"\nposition = [{x}, 0, {z}]\n\
             shape = {{ box = {{ size = [0.1, 0.1, 0.1] }} }}\n"
        )
    };
    let bodies: String = (0..4000).map(body).collect();
    let place = Place::with(&format!(
        "scene.duration = 0.1\nmaterial.wood = {{ law = \"rigid\", density = 500.0 }}\n{bodies}"
    ));
    let start = Instant::now();
    place.pliant_succeeds("check scene.toml");
    // Under a second on an idle core; with a loop over all bodies for each it was 98.
    assert!(
        start.elapsed() < Duration::from_secs(30),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn check_counts_what_emitters_without_a_rate_will_add() {
    let scene = format!(
        "{}[[emitter]]\nname = \"tap\"\nbody = \"column\"\nvelocity = [0, -2, 0]\nposition = [0, 1, 0]\n\
         shape = {{ cylinder = {{ radius = 0.1, height = 0.06 }} }}\n",
        SAND.replace("duration = 0.25", "duration = 0.4")
    );
    let place = Place::with(&scene);
    let said = place.pliant_succeeds("check scene.toml").text;
    let (_, told) = said.split_once("from emitters about ").unwrap();
    let told: f64 = told
        .split_whitespace()
        .next()
        .unwrap()
        .replace(',', "")
        .parse()
        .unwrap();
    place.pliant_succeeds("run scene.toml -q --out a");
    let manifest = fs::read_to_string(place.path("a/run.json")).unwrap();
    let (_, count) = manifest.split_once("\"particles\": ").unwrap();
    let count: f64 = count.split(',').next().unwrap().trim().parse().unwrap();
    let added = count - 116.0;
    assert!(
        added > 0.6 * told && added < 1.4 * told,
        "{added} of {told}"
    );
}
