//! Wrong scenes, runs that blow up, files that cannot be written.

use std::fs;

use crate::support::*;

#[test]
fn unknown_key_is_refused_with_file_line_and_the_right_key() {
    let place = Place::with(&SAND.replace("spacing = ", "spacin = "));
    let line = 1 + SAND
        .lines()
        .position(|line| line.starts_with("spacing"))
        .unwrap();
    for command in ["run scene.toml", "check scene.toml", "test scene.toml"] {
        let said = place.pliant(command);
        assert_eq!(said.status, Some(2), "{command}");
        assert!(
            said.errors.contains(&format!("scene.toml:{line}")),
            "{}",
            said.errors
        );
        assert!(
            said.errors.contains("did you mean \"spacing\"?"),
            "{}",
            said.errors
        );
    }
    assert!(!place.path("out").exists());
}

#[test]
fn missing_scenes_unknown_backends_and_arguments_exit_with_status_2() {
    let place = Place::with(SAND);
    for arguments in [
        "run nothing.toml",
        "run scene.toml --backend gpu",
        "run scene.toml --frames 0",
        "run scene.toml --detail nothing",
        "run scene.toml --set solver.iterations",
        "frobnicate",
    ] {
        assert_eq!(place.pliant(arguments).status, Some(2), "{arguments}");
    }
}

#[test]
fn obstacles_to_an_output_folder_are_named() {
    let place = Place::with(SAND);
    fs::write(place.path("file"), "mine").unwrap();
    for arguments in [
        "run scene.toml --out file",
        "run scene.toml --out file/below/it",
        "run scene.toml --out file/below --resume",
        "new file/scene.toml",
    ] {
        let said = place.pliant(arguments);
        assert_eq!(said.status, Some(2), "{arguments}: {}", said.errors);
        assert!(said.errors.contains("`file` is a file"), "{}", said.errors);
        assert!(!said.errors.contains("checkpoint"), "{}", said.errors);
    }
    assert_eq!(fs::read(place.path("file")).unwrap(), b"mine");
}

#[test]
fn expectation_about_no_column_is_refused_before_the_run() {
    let place = Place::with(&format!(
        "{SAND}[[expect]]\ncolumn = \"heap.r98\"\nrange = [0, 1]\n"
    ));
    for command in ["run scene.toml", "check scene.toml"] {
        let said = place.pliant(command);
        assert_eq!(said.status, Some(2));
        assert!(
            said.errors.contains("heap.r98") && said.errors.contains("did you mean \"heap.r9"),
            "{}",
            said.errors
        );
    }
}

#[test]
fn blow_up_names_body_and_particle_and_leaves_a_report() {
    let place =
        Place::with(&SAND.replace("spacing = 0.03", "spacing = 0.03\nvelocity = [0, 1e6, 0]"));
    let said = place.pliant(
        "run scene.toml --out a --set solver.time_step=1e-3 --set solver.allow_unresolved=true",
    );
    assert_eq!(said.status, Some(1), "{}", said.errors);
    for part in [
        "'column'",
        "particle ",
        "substep 1",
        "last good frame is 1",
        "time_step",
    ] {
        assert!(said.errors.contains(part), "{part}\n{}", said.errors);
    }
    let report = fs::read_to_string(place.path("a/report.html")).unwrap();
    assert!(report.contains("Failed") && report.contains("'column'"));
    assert!(
        fs::read_to_string(place.path("a/run.json"))
            .unwrap()
            .contains("\"failed\"")
    );
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_complete_files_and_a_run_to_resume() {
    use std::process::Command;

    use pliant_io::export::{list_frames, read_frame};

    let place = Place::with(SAND);
    place.pliant_succeeds("run scene.toml --frames 60 --out whole -q");
    let room = 1024
        + fs::metadata(place.path("whole/particles/particles.0001.vtp"))
            .unwrap()
            .len();
    assert!(fs::metadata(place.path("whole/stats.csv")).unwrap().len() > room + 2048);
    // A limit on the size of files stands for a disk that fills: the growing table hits it.
    let script = format!(
        "trap '' XFSZ; ulimit -f {}; exec '{}' run scene.toml --frames 60 --out full",
        room.div_ceil(512),
        env!("CARGO_BIN_EXE_pliant")
    );
    let shell = Command::new("dash")
        .arg("-c")
        .arg(&script)
        .current_dir(place.path(""))
        .output();
    let shell = shell.or_else(|_| {
        Command::new("sh")
            .arg("-c")
            .arg(&script)
            .current_dir(place.path(""))
            .output()
    });
    let said = Said::of(shell.unwrap());
    assert_eq!(said.status, Some(1), "{}", said.errors);
    assert!(
        said.errors.contains("stats.csv") && said.errors.contains("--resume"),
        "{}",
        said.errors
    );
    assert!(
        !files(&place.path("full"))
            .keys()
            .any(|name| name.contains(".partial-"))
    );
    let frames = list_frames(&place.path("full/particles")).unwrap();
    assert!(frames.len() > 5 && frames.len() < 61);
    assert!(frames.iter().all(|(_, path)| read_frame(path).is_ok()));
    let went_on = said.follow_advice("once that is put right: ", &place);
    assert_eq!(went_on.status, Some(0), "{}", went_on.errors);
    assert_same(
        &results(&place.path("whole")),
        &results(&place.path("full")),
    );
}

#[cfg(unix)]
#[test]
fn a_closed_output_pipe_is_not_an_error() {
    use std::process::Stdio;

    let place = Place::with(SAND);
    for (arguments, status) in [
        ("run scene.toml --frames 3 --out a -v", 0),
        ("run scene.toml --frames 4 --out a --resume", 0),
        ("run nothing.toml", 2),
    ] {
        let mut child = place
            .command(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stderr.take());
        assert_eq!(child.wait().unwrap().code(), Some(status), "{arguments}");
    }
    assert!(place.path("a/report.html").exists());
}
