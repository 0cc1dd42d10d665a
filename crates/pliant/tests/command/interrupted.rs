//! Files of every format after a kill, and on a disk that is full.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use pliant_io::export::{EXPORTERS, frame_files, list_frames};

use super::export::{EVERYTHING, assert_same_frames, frames_in, place_with};
use super::support::*;

/// All formats that a run writes.
fn formats() -> String {
    let names: Vec<&str> = EXPORTERS.iter().map(|exporter| exporter.name).collect();
    names.join(",")
}

/// The same as a value of the scene.
fn wanted() -> String {
    let names: Vec<String> = EXPORTERS
        .iter()
        .map(|e| format!("\"{}\"", e.name))
        .collect();
    format!("--set output.particles=[{}]", names.join(","))
}

/// Whether a file is one of a frame, which is the same however the run goes on; those beside a series grow.
fn is_of_frame(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap();
    let number = file.split('.').nth(1).unwrap_or_default();
    !file.starts_with('.') && number.len() == 4 && number.bytes().all(|c| c.is_ascii_digit())
}

/// Checks that frames that are there are those of the whole, and that what is beside them names no others.
fn assert_whole(found: &Path, whole: &Path) {
    let (found, whole) = (frames_in(found), frames_in(whole));
    for (name, bytes) in found.iter().filter(|(name, _)| is_of_frame(name)) {
        assert!(whole[name] == *bytes, "{name} is not whole");
    }
    let text = |name: &str| found.get(name).map(|bytes| String::from_utf8_lossy(bytes));
    if let Some(scene) = text("particles/scene.usda") {
        let last = scene.split("endTimeCode = ").nth(1).unwrap();
        let last: u32 = last.lines().next().unwrap().parse().unwrap();
        let file = format!("particles/particles.{last:04}.usdc");
        assert!(found.contains_key(&file), "{file} is named and missing");
        for beside in ["manifest.usdc", "colliders.usdc", "placements.usdc"] {
            let bytes = &found[&format!("particles/{beside}")];
            assert!(bytes.starts_with(b"PXR-USDC"), "{beside} is not whole");
        }
    }
    for series in ["particles", "surface"] {
        let Some(list) = text(&format!("{series}/{series}.pvd")) else {
            continue;
        };
        assert!(list.ends_with("</VTKFile>\n"), "{series}.pvd is not whole");
        for file in list.split("file=\"").skip(1) {
            let file = file.split('"').next().unwrap();
            assert!(found.contains_key(&format!("{series}/{file}")), "{file}");
        }
    }
}

/// Starts a command and kills it as soon as a file is there.
fn kill_when_there(place: &Place, command: &str, file: &str) {
    let mut child = place.command(command).spawn().unwrap();
    wait_for(&place.path(file));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_killed_run_leaves_whole_files_of_every_format_and_resumes_to_the_same_bytes() {
    let scene = format!("{EVERYTHING}checkpoint_every = 2\n");
    let place = place_with(&scene);
    let options = format!("run scene.toml --frames 12 -q {}", wanted());
    place.pliant_succeeds(&format!("{options} --out whole"));
    let command = format!("{options} --out killed");
    kill_when_there(&place, &command, "killed/particles/particles.0004.usdc");
    let [killed, whole] = ["killed", "whole"].map(|name| place.path(name));
    assert!(!frames_in(&killed).contains_key("particles/particles.0013.usdc"));
    assert_whole(&killed, &whole);
    place.pliant_succeeds(&format!("{options} --out killed --resume"));
    assert_same_frames(&whole, &killed);
}

#[test]
fn a_killed_export_leaves_whole_files_of_every_format_and_goes_on_to_the_same_bytes() {
    let place = place_with(EVERYTHING);
    place.pliant_succeeds("run scene.toml --out run -q --frames 30");
    let command = format!("export run -q --to {}", formats());
    place.pliant_succeeds(&format!("{command} --out whole"));
    let [killed, whole] = ["killed", "whole"].map(|name| place.path(name));
    let to_kill = format!("{command} --out killed");
    kill_when_there(&place, &to_kill, "killed/particles/particles.0003.usdc");
    assert_whole(&killed, &whole);
    place.pliant_succeeds(&format!("{command} --out killed"));
    assert_same_frames(&whole, &killed);
}

#[test]
fn a_film_of_a_page_that_is_killed_appears_only_whole() {
    let place = place_with(EVERYTHING);
    place.pliant_succeeds("run scene.toml --out run -q --frames 30");
    place.pliant_succeeds("export run --to glb --out whole -q");
    let file = |name: &str| std::fs::read(place.path(name).join("animation.glb")).ok();
    let command = "export run --to glb --out killed -q";
    kill_when_there(&place, command, "killed/.partial-animation.arrays");
    assert!(file("killed").is_none() || file("killed") == file("whole"));
    place.pliant_succeeds(command);
    assert!(file("killed") == file("whole"));
    let left = files(&place.path("killed"));
    assert!(!left.keys().any(|name| name.contains(".partial-")));
}

/// Runs the command where no file may be longer than so many blocks of 512 or 1024 bytes, as the shell has it: a disk
/// that is full.
fn on_a_full_disk(place: &Place, blocks: u32, arguments: &str) -> Said {
    let program = env!("CARGO_BIN_EXE_pliant");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec '{program}' {arguments}");
    let mut shell = Command::new("sh");
    let shell = shell.arg("-c").arg(&script).current_dir(place.path(""));
    Said::of(shell.output().unwrap())
}

fn assert_named(said: &Said, file: &str, left: &BTreeMap<String, Vec<u8>>) {
    assert_eq!(said.status, Some(1), "{file}: {}", said.errors);
    assert!(said.errors.contains(file), "{file}: {}", said.errors);
    let partial = |name: &&String| name.contains(".partial-") || name.ends_with(file);
    let found: Vec<&String> = left.keys().filter(partial).collect();
    assert!(found.is_empty(), "{found:?} are left");
}

#[test]
fn a_full_disk_is_named_by_an_export_to_every_format() {
    let place = Place::with(SAND);
    place.pliant_succeeds("run scene.toml --out run -q --frames 2");
    let mut formats: Vec<(String, &str)> = EXPORTERS
        .iter()
        .map(|exporter| (frame_files(Path::new(""), exporter).name(1), exporter.name))
        .collect();
    formats.push(("animation.glb".to_owned(), "glb"));
    if cfg!(feature = "vtkhdf") {
        formats.push(("particles.vtkhdf".to_owned(), "vtkhdf"));
    }
    for (file, name) in formats {
        let out = format!("full-{name}");
        let said = on_a_full_disk(&place, 2, &format!("export run --to {name} --out {out}"));
        assert_named(&said, &file, &files(&place.path(&out)));
    }
}

#[test]
fn a_full_disk_is_named_by_a_run_that_writes_any_format() {
    let place = Place::with(SAND);
    for exporter in EXPORTERS {
        let (name, file) = (exporter.name, frame_files(Path::new(""), exporter).name(1));
        let out = format!("full-{name}");
        // The frame alone is longer than 12 blocks; so much of the disk is left for what is written before it.
        let run = format!(
            "run scene.toml --frames 3 --set body[0].spacing=0.01 --out {out} --set '{}'",
            format_args!("output.particles=[\"{name}\"]")
        );
        let said = on_a_full_disk(&place, 12, &run);
        assert_named(&said, &file, &files(&place.path(&out)));
        let advice = "run the scene again once that is put right";
        assert!(said.errors.contains(advice), "{}", said.errors);
        assert!(
            list_frames(&place.path(&out).join("particles"))
                .unwrap()
                .is_empty()
        );
    }
}

#[test]
fn a_full_disk_is_named_by_surfaces_and_pictures() {
    let place = Place::with(SAND);
    place.pliant_succeeds("run scene.toml --out run -q --frames 1");
    for (arguments, file) in [
        ("mesh run --to ply", "mesh.0001.ply"),
        ("render run", "0001.png"),
    ] {
        let said = on_a_full_disk(&place, 2, arguments);
        assert_named(&said, file, &files(&place.path("run")));
    }
}
