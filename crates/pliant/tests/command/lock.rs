//! Two runs and one folder.

use std::fs;
use std::process::Child;

use crate::support::*;

/// Starts a long run into `out` and waits until it is under way.
fn started(place: &Place) -> Child {
    let mut command = place.command("run scene.toml --frames 100000 --out out -q");
    let child = command.spawn().unwrap();
    wait_for(&place.path("out/particles/particles.0002.vtp"));
    child
}

#[test]
fn folder_of_a_run_that_is_going_on_is_refused_and_free_once_it_is_killed() {
    let place = Place::with(SAND);
    let mut running = started(&place);
    for arguments in [
        "run scene.toml --out out",
        "run scene.toml --out out --resume",
        "render out",
    ] {
        let said = place.pliant(arguments);
        assert_eq!(said.status, Some(2), "{arguments}: {}", said.errors);
        for part in [
            "a run is going on in `out`",
            "run scene.toml --frames 100000",
            &format!("process {}", running.id()),
            "ago",
        ] {
            assert!(said.errors.contains(part), "{part}: {}", said.errors);
        }
    }
    // The refused ones have taken nothing away: it goes on.
    assert!(running.try_wait().unwrap().is_none());
    running.kill().unwrap();
    running.wait().unwrap();
    // What the killed one left bars nobody.
    place.pliant_succeeds("run scene.toml --out out --frames 3 -q");
    assert!(fs::read(place.path("out/.lock")).unwrap().is_empty());
    place.pliant_succeeds("run scene.toml --out alone --frames 3 -q");
    assert_same(&results(&place.path("out")), &results(&place.path("alone")));
}

#[test]
fn runs_in_different_folders_do_not_lock_each_other() {
    let place = Place::with(SAND);
    let mut running = started(&place);
    place.pliant_succeeds("run scene.toml --out other --frames 2 -q");
    running.kill().unwrap();
    running.wait().unwrap();
}
