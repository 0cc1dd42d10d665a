//! `sweep`.

use std::fs;

use crate::support::*;

/// Cells of `sweep.csv`, the header first; no test has quotation marks in them.
fn table(place: &Place, folder: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(place.path(folder).join("sweep.csv")).unwrap();
    text.lines()
        .map(|line| line.split(',').map(String::from).collect())
        .collect()
}

fn column(table: &[Vec<String>], name: &str) -> Vec<String> {
    let place = table[0].iter().position(|cell| cell == name).unwrap();
    table[1..].iter().map(|row| row[place].clone()).collect()
}

const EXPECTING: &str = "[[expect]]\ncolumn = \"heap.r_max\"\nrange = [0.0, 0.5]\n";

#[test]
fn every_combination_leaves_its_run_a_row_and_a_picture() {
    let place = Place::with(&format!("{SAND}{EXPECTING}"));
    let said = place.pliant_succeeds(
        "sweep scene.toml --vary material.sand.friction_angle=20,40 --vary body[0].spacing=0.03,0.04 --frames 3 --out s --jobs 2",
    );
    for part in [
        "friction_angle",
        "spacing",
        "heap.r_max end",
        "pass",
        "s/sweep.html",
    ] {
        assert!(said.text.contains(part), "{part}\n{}", said.text);
    }
    assert!(said.errors.contains("4 runs, 2 at once"), "{}", said.errors);
    let table = table(&place, "s");
    assert_eq!(
        column(&table, "run"),
        [
            "01-friction_angle=20_spacing=0.03",
            "02-friction_angle=20_spacing=0.04",
            "03-friction_angle=40_spacing=0.03",
            "04-friction_angle=40_spacing=0.04"
        ]
    );
    assert_eq!(column(&table, "status"), ["done"; 4]);
    assert_eq!(column(&table, "passes heap.r_max end"), ["true"; 4]);
    assert_eq!(
        column(&table, "body[0].spacing"),
        ["0.03", "0.04", "0.03", "0.04"]
    );
    let last: Vec<f64> = column(&table, "heap.r_max")
        .iter()
        .map(|v| v.parse().unwrap())
        .collect();
    assert!(last.iter().all(|r| (0.05..0.5).contains(r)), "{last:?}");
    let page = fs::read_to_string(place.path("s/sweep.html")).unwrap();
    assert_eq!(page.matches("data:image/png").count(), 4);
    assert!(page.contains("Over time") && page.contains("heap.r_max"));
    assert!(!page.contains("http"));
    // A run of a sweep is the run with the same values, however many run at once.
    place.pliant_succeeds(
        "run scene.toml --out alone --frames 3 -q --set material.sand.friction_angle=40 --set body[0].spacing=0.03",
    );
    let of_sweep = results(&place.path("s/03-friction_angle=40_spacing=0.03"));
    assert_same(&results(&place.path("alone")), &of_sweep);
}

#[test]
fn a_run_that_fails_stops_no_other_and_is_reported() {
    let place = Place::with(SAND);
    let said = Said::of(
        place
            .command("sweep scene.toml --frames 3 --out s --set solver.allow_unresolved=true --set solver.time_step=1e-3")
            .args(["--vary", "body.column.velocity=[0, 0, 0],[0, 1e6, 0],[0, -1, 0]"])
            .output()
            .unwrap(),
    );
    assert_eq!(said.status, Some(1), "{}", said.errors);
    assert!(
        said.errors.contains("1 of 3 runs failed"),
        "{}",
        said.errors
    );
    assert!(
        said.errors
            .contains("run 2 of 3: velocity = [0, 1e6, 0]: failed"),
        "{}",
        said.errors
    );
    let text = fs::read_to_string(place.path("s/sweep.csv")).unwrap();
    let rows: Vec<&str> = text.lines().collect();
    assert!(rows[1].contains(",\"[0, 0, 0]\",done,"), "{text}");
    assert!(
        rows[2].contains(",failed,") && rows[3].contains(",done,"),
        "{text}"
    );
    let page = fs::read_to_string(place.path("s/sweep.html")).unwrap();
    assert!(page.contains("failed: "));
}

#[test]
fn columns_of_the_table_are_there_once() {
    let place = Place::with(SAND);
    place.pliant_succeeds(
        "sweep scene.toml --vary body.column.spacing=0.03,0.04 --frames 1 -q --out s",
    );
    let text = fs::read_to_string(place.path("s/sweep.csv")).unwrap();
    let columns: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    for (place, column) in columns.iter().enumerate() {
        assert!(
            !columns[..place].contains(column),
            "{column} is there twice"
        );
    }
    assert!(
        columns.contains(&"wall") && columns.contains(&"heap.r99"),
        "{columns:?}"
    );
}

#[test]
fn everything_is_checked_before_the_first_run() {
    let place = Place::with(SAND);
    for (arguments, part) in [
        ("--vary body.column.spacin=0.01", "spacin"),
        ("--vary body.nothing.spacing=0.01", "nothing"),
        ("--vary body.column.spacing=0.03,-1", "spacing = -1"),
        ("--vary body.column.spacing=0.03,x", "not TOML"),
        (
            "--vary body.column.spacing=0.03,",
            "value 2 of `body.column.spacing` is empty",
        ),
        ("--vary body.column.spacing=", "is empty"),
        ("--vary body.column.spacing", "names no key"),
        ("--vary =1", "names no key"),
        ("--vary scene.gravity=[0,-1,0", "not closed"),
        ("--vary a=1 --vary a=2", "`a` is varied twice"),
        ("--vary solver.iterations=2,2", "twice"),
        ("", "--vary"),
        ("--vary solver.iterations=2 --jobs 0", "--jobs"),
        (
            "--vary solver.iterations=2 --out scene.toml",
            "`scene.toml` is a file",
        ),
    ] {
        let said = place.pliant(&format!("sweep scene.toml {arguments}"));
        assert_eq!(said.status, Some(2), "{arguments}: {}", said.errors);
        assert!(said.errors.contains(part), "{arguments}: {}", said.errors);
    }
    assert_eq!(
        place.pliant("sweep nothing.toml --vary a=1").status,
        Some(2)
    );
    place.pliant_succeeds("run scene.toml --frames 1 -q --out run");
    let said = place.pliant("sweep scene.toml --vary solver.iterations=2 --out run");
    assert_eq!(said.status, Some(2));
    assert!(said.errors.contains("`run` holds a run"), "{}", said.errors);
    assert_eq!(fs::read_dir(place.path("")).unwrap().count(), 2);
}

#[test]
fn finished_runs_are_not_repeated_when_a_sweep_goes_on() {
    let place = Place::with(SAND);
    let command = "sweep scene.toml --vary solver.iterations=3,4 --frames 3 --out s";
    place.pliant_succeeds(command);
    let whole = results(&place.path("s/02-iterations=4"));
    let first = fs::read(place.path("s/01-iterations=3/run.json")).unwrap();
    fs::remove_dir_all(place.path("s/02-iterations=4")).unwrap();
    let said = place.pliant_succeeds(&format!("{command} --resume"));
    assert!(
        said.errors.contains("iterations = 3: was done before"),
        "{}",
        said.errors
    );
    assert!(
        said.errors.contains("iterations = 4: done"),
        "{}",
        said.errors
    );
    assert_eq!(
        fs::read(place.path("s/01-iterations=3/run.json")).unwrap(),
        first
    );
    assert_same(&whole, &results(&place.path("s/02-iterations=4")));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_frames_and_says_how_to_go_on() {
    use std::process::{Command, Stdio};

    let place = Place::with(SAND);
    let command =
        "sweep scene.toml --vary solver.iterations=3,4 --vary scene.seed=1,2 --frames 24 --jobs 2";
    place.pliant_succeeds(&format!("{command} --out whole"));
    let child = place
        .command(&format!("{command} --out s"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for(&place.path("s/01-iterations=3_seed=1/particles/particles.0003.vtp"));
    let id = child.id().to_string();
    Command::new("kill").args(["-INT", &id]).status().unwrap();
    let said = Said::of(child.wait_with_output().unwrap());
    assert_eq!(said.status, Some(130), "{}", said.errors);
    assert!(column(&table(&place, "s"), "status").contains(&"not run".to_owned()));
    let went_on = said.follow_advice("To go on: ", &place);
    assert_eq!(went_on.status, Some(0), "{}", went_on.errors);
    for run in [
        "01-iterations=3_seed=1",
        "02-iterations=3_seed=2",
        "04-iterations=4_seed=2",
    ] {
        assert_same(
            &results(&place.path("whole").join(run)),
            &results(&place.path("s").join(run)),
        );
    }
}
