//! Included files, levels of detail and values set from outside, through each command that reads a
//! scene.

use std::fs;

use crate::support::*;

/// A scene over the sand in another file, with two levels.
fn place() -> Place {
    let over = "include = [\"../common.toml\"]\n\
        body.column.spacing = 0.04\n\
        [[expect]]\ncolumn = \"particles\"\nat = \"end\"\nrange = [40, 60]\n\
        [detail.coarse]\nbody.column.spacing = 0.05\n\"expect[0].range\" = [20, 30]\n\
        [detail.wide.body.column]\nshape = { sphere = { radius = 0.08 } }\n";
    let place = Place::with("");
    fs::create_dir(place.path("deep")).unwrap();
    fs::write(place.path("common.toml"), SAND).unwrap();
    fs::write(place.path("deep/over.toml"), over).unwrap();
    place
}

/// Arguments, and the count of particles they must give.
const CASES: [(&str, &str); 4] = [
    // pi 0.1^3 m3 in grains of 0.04^3, 0.05^3 and 0.03^3 m3; 4/3 pi 0.08^3 m3 in grains of 0.04^3 m3.
    ("", "49"),
    ("--detail coarse", "25"),
    ("--detail coarse --set body.column.spacing=0.03", "116"),
    ("--detail wide", "34"),
];

#[test]
fn check_and_run_take_includes_levels_and_set_values() {
    let place = place();
    for (arguments, count) in CASES {
        let said = place.pliant_succeeds(&format!("check deep/over.toml {arguments}"));
        let line = said.text.lines().find(|l| l.starts_with("particles"));
        assert_eq!(
            line.unwrap().split_whitespace().last(),
            Some(count),
            "{arguments}"
        );
        place.pliant_succeeds(&format!(
            "run deep/over.toml --frames 1 -q --out out {arguments}"
        ));
        let manifest = fs::read_to_string(place.path("out/run.json")).unwrap();
        assert!(
            manifest.contains(&format!("\"column\": {count}")),
            "{manifest}"
        );
        // What was written out is flat: it is the same scene without includes and levels.
        let said = place.pliant_succeeds("check out/scene.toml");
        let line = said.text.lines().find(|l| l.starts_with("particles"));
        assert_eq!(
            line.unwrap().split_whitespace().last(),
            Some(count),
            "{arguments}"
        );
        fs::remove_dir_all(place.path("out")).unwrap();
    }
}

#[test]
fn test_checks_what_a_level_expects() {
    let place = place();
    let options = "--set scene.duration=0.05";
    for level in ["", "--detail coarse"] {
        let said = place.pliant_succeeds(&format!("test deep/over.toml {level} {options}"));
        assert!(said.text.contains("1 pass"), "{}", said.text);
    }
    let said = place.pliant(&format!("test deep/over.toml --detail wide {options}"));
    assert_eq!(said.status, Some(1), "{}", said.text);
    assert!(said.text.contains("FAIL"), "{}", said.text);
}

#[test]
fn quick_tests_take_the_level_of_scenes_that_have_it_and_others_as_they_stand() {
    let place = place();
    let path = place.path("deep/over.toml");
    let quick = "[detail.quick]\nbody.column.spacing = 0.05\nscene.duration = 0.05\n\
        \"expect[0].range\" = [20, 30]\n";
    let text = fs::read_to_string(&path).unwrap() + quick;
    fs::write(&path, text).unwrap();
    let said = place.pliant_succeeds("test --quick deep/over.toml common.toml");
    assert!(said.text.contains("1 pass"), "{}", said.text);
    let said = place.pliant("test --quick --detail coarse deep/over.toml");
    assert_eq!(said.status, Some(2), "{}", said.errors);
}

#[test]
fn levels_of_the_paper_resolve_the_step_or_take_it_literally() {
    let place = Place::with("");
    // Coarser than in print, with the step in proportion, so that the test is quick.
    for (scene, body, coarse) in [
        ("cantilever", "beam", 1.0),
        ("sand-column", "column", 1.0),
        ("hourglass", "sand", 6.0),
        ("noodles", "dough", 6.0),
        ("candy", "bear", 8.0),
        ("hitman", "ball", 8.0),
        ("wrist", "goo", 1.0),
    ] {
        place.pliant_succeeds(&format!("new {scene}.toml --from xpbi/{scene}"));
        let text = fs::read_to_string(place.path(&format!("{scene}.toml"))).unwrap();
        let (_, paper) = text.split_once("[detail.paper]").unwrap();
        let number = |key: &str| {
            let (_, after) = paper.split_once(&format!("{key} = "))?;
            after.split_whitespace().next()?.parse::<f64>().ok()
        };
        let step = coarse * number("solver.time_step").unwrap();
        let spacing = number(&format!("body.{body}.spacing"));
        let spacing = spacing.map_or(String::new(), |s| {
            format!("--set body.{body}.spacing={:e}", coarse * s)
        });
        let said = place.pliant_succeeds(&format!(
            "check {scene}.toml --detail paper {spacing} --set solver.time_step={step:e}"
        ));
        assert!(
            !said.text.contains("kernel radii a substep"),
            "{}",
            said.text
        );
        let last = said.text.lines().find(|l| l.starts_with(body)).unwrap();
        let ratio: f64 = last.split_whitespace().nth(5).unwrap().parse().unwrap();
        assert!(ratio <= 1.0, "{ratio}");
        place.pliant_succeeds(&format!(
            "check {scene}.toml --detail paper-literal {spacing}"
        ));
    }
    place.pliant_succeeds("run cantilever.toml --detail paper-literal --frames 2 -q --no-preview");
}
