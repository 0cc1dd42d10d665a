//! `live` and `view`, which hand over to a program of its own.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::support::*;

/// The command in a folder without anything beside it, and nothing in `PATH`.
fn alone(place: &Place) -> (PathBuf, Command) {
    let program = place.path("pliant");
    fs::copy(env!("CARGO_BIN_EXE_pliant"), &program).unwrap();
    let mut command = Command::new(&program);
    command.env("PATH", "");
    (program, command)
}

#[test]
fn without_the_window_it_is_told_how_to_install_it() {
    let place = Place::with(SAND);
    let said = Said::of(
        alone(&place)
            .1
            .args(["live", "scene.toml"])
            .output()
            .unwrap(),
    );
    assert_eq!(said.status, Some(1));
    let install = "cargo install --path crates/pliant-viewer";
    assert!(said.errors.contains(install), "{}", said.errors);
}

#[cfg(unix)]
#[test]
fn the_window_beside_the_command_gets_its_arguments_and_its_status_counts() {
    use std::os::unix::fs::PermissionsExt;

    let place = Place::with(SAND);
    let (program, mut command) = alone(&place);
    let window = program.with_file_name("pliant-live");
    fs::write(&window, "#!/bin/sh\necho \"got $*\"\nexit 3\n").unwrap();
    fs::set_permissions(&window, fs::Permissions::from_mode(0o755)).unwrap();
    let said = Said::of(
        command
            .args(["view", "out/run", "--frames", "3"])
            .output()
            .unwrap(),
    );
    assert_eq!(said.status, Some(3));
    assert_eq!(said.text.trim(), "got view out/run --frames 3");
}
