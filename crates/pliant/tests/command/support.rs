//! A scene, a folder for it, and the command.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A small heap of sand, about a hundred particles, that takes a few milliseconds a frame.
pub const SAND: &str = r#"[scene]
title = "Sand"
duration = 0.25
[material.sand]
law = "drucker-prager"
density = 1600.0
youngs_modulus = 2e5
poissons_ratio = 0.3
friction_angle = 30.0
[[body]]
name = "column"
material = "sand"
shape = { cylinder = { radius = 0.1, height = 0.1 } }
position = [0.0, 0.06, 0.0]
spacing = 0.03
[[collider]]
name = "floor"
shape = { plane = { normal = [0, 1, 0] } }
[[probe]]
name = "heap"
body = "column"
measure = "run-out"
[output]
preview = false
checkpoint_every = 5
"#;

/// A folder with a scene, and the command run in it.
pub struct Place {
    folder: TempDir,
}

impl Place {
    /// A fresh folder with a scene called `scene.toml`.
    pub fn with(scene: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("scene.toml"), scene).unwrap();
        Self { folder }
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The command, ready to be started in the folder.
    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
        command
            .args(arguments.split_whitespace())
            .current_dir(self.folder.path());
        command
    }

    /// Runs the command and says how it ended.
    pub fn pliant(&self, arguments: &str) -> Said {
        Said::of(self.command(arguments).output().unwrap())
    }

    /// Runs the command, which must succeed.
    pub fn pliant_succeeds(&self, arguments: &str) -> Said {
        let said = self.pliant(arguments);
        assert_eq!(said.status, Some(0), "{arguments}\n{}", said.errors);
        said
    }
}

/// How a command ended and what it said.
pub struct Said {
    /// Exit status; `None` if a signal ended it.
    pub status: Option<i32>,
    /// On the standard output.
    pub text: String,
    /// On the error output.
    pub errors: String,
}

impl Said {
    pub fn of(output: Output) -> Self {
        Self {
            status: output.status.code(),
            text: String::from_utf8_lossy(&output.stdout).into_owned(),
            errors: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Said {
    /// The command that it advises: the rest of the line after `mark`, run by a shell that finds
    /// this `pliant`, in the place's folder.
    #[cfg(unix)]
    pub fn follow_advice(&self, mark: &str, place: &Place) -> Said {
        let said = format!("{}\n{}", self.text, self.errors);
        let found = said
            .lines()
            .find_map(|line| Some(line.split_once(mark)?.1.to_owned()));
        let advice = found.unwrap_or_else(|| panic!("no '{mark}' in {said}"));
        let program = Path::new(env!("CARGO_BIN_EXE_pliant"));
        let mut folders = vec![program.parent().unwrap().to_owned()];
        folders.extend(std::env::split_paths(
            &std::env::var_os("PATH").unwrap_or_default(),
        ));
        let output = Command::new("sh")
            .args(["-c", &advice])
            .env("PATH", std::env::join_paths(folders).unwrap())
            .current_dir(place.path(""))
            .output();
        Said::of(output.unwrap())
    }
}

/// The files of a folder and those below, by their path in it.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path
                    .strip_prefix(folder)
                    .unwrap()
                    .to_string_lossy()
                    .into_owned();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// What a run computes: particle frames, their list, tables without wall times, the newest state.
pub fn results(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = files(folder);
    all.retain(|name, _| name.starts_with("particles/") || name.ends_with(".csv"));
    let stats = all.get_mut("stats.csv").unwrap();
    *stats = without_wall_times(&String::from_utf8_lossy(stats)).into_bytes();
    let newest = pliant_io::checkpoint::newest_whole(&folder.join("checkpoints")).unwrap();
    all.insert("state".into(), newest.checkpoint.unwrap().state);
    all
}

/// Panics with the names of what differs, not with the bytes.
pub fn assert_same(a: &BTreeMap<String, Vec<u8>>, b: &BTreeMap<String, Vec<u8>>) {
    let names: Vec<&String> = a
        .keys()
        .chain(b.keys())
        .filter(|n| a.get(*n) != b.get(*n))
        .collect();
    assert!(names.is_empty(), "these differ: {names:?}");
}

fn without_wall_times(table: &str) -> String {
    let columns: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    let kept = |line: &str| {
        let cells = line
            .split(',')
            .zip(&columns)
            .filter(|(_, c)| !c.starts_with("wall"));
        cells.map(|(cell, _)| cell).collect::<Vec<_>>().join(",")
    };
    table.lines().map(kept).collect::<Vec<_>>().join("\n")
}

/// Waits until a file is there.
pub fn wait_for(path: &Path) {
    let start = Instant::now();
    while !path.exists() {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "{} does not appear",
            path.display()
        );
        std::thread::sleep(Duration::from_millis(2));
    }
}
