//! Arguments that several commands take.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use clap::Args;
use indicatif::ProgressBar;
use pliant::bundled::bundled_scene;
use pliant::prepare::{Prepared, is_standard_input};
use pliant_core::parallel::Pool;
use pliant_math::simd::Instructions;
use pliant_scene::{Overrides, Setting};

use super::Failure;

/// How often the line that says what is being done is drawn anew.
const BLINK: Duration = Duration::from_millis(100);

/// What replaces values of a scene file.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct SceneArguments {
    /// Replace a value of the scene: body.column.spacing=0.005, solver.iterations=8
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Use the level [detail.NAME] of the scene
    #[arg(long, value_name = "NAME")]
    detail: Option<String>,
}

impl SceneArguments {
    /// The overrides they make.
    pub fn overrides(&self) -> Overrides {
        Overrides {
            detail: self.detail.clone(),
            quick: false,
            set: self.set.clone(),
            others: Vec::new(),
        }
    }
}

/// Sets a value for an argument that errors name instead of `--set`.
pub(crate) fn set_by(overrides: &mut Overrides, argument: &str, assignment: &str) {
    overrides.others.push(Setting {
        assignment: assignment.into(),
        argument: argument.into(),
    });
}

/// Reads a scene and builds its world, on so many threads; 0 takes one a core. On a terminal a line says what
/// is being done, unless nothing is to be said.
pub(crate) fn prepare(
    scene: &Path,
    overrides: &Overrides,
    threads: usize,
    is_quiet: bool,
) -> Result<Prepared, Failure> {
    check_exists(scene)?;
    let read = |watch: &(dyn Fn(&str) + Sync)| Prepared::read_watched(scene, overrides, watch);
    Ok(prepare_by(read, threads, is_quiet)??)
}

/// The same by whatever reads a scene and tells what is being done.
pub(crate) fn prepare_by<T: Send>(
    read: impl FnOnce(&(dyn Fn(&str) + Sync)) -> T + Send,
    threads: usize,
    is_quiet: bool,
) -> Result<T, Failure> {
    let pool = Pool::new(threads).map_err(Failure::failed)?;
    // Drawn on the error output, and only if that is a terminal.
    let line = match is_quiet {
        true => ProgressBar::hidden(),
        false => ProgressBar::new_spinner(),
    };
    line.enable_steady_tick(BLINK);
    let report_progress = |doing: &str| line.set_message(doing.to_owned());
    let prepared = pool.run(|| read(&report_progress));
    line.finish_and_clear();
    Ok(prepared)
}

/// Tells what to do about a scene file that is not there.
pub(crate) fn check_exists(scene: &Path) -> Result<(), Failure> {
    if is_standard_input(scene) || scene.exists() {
        return Ok(());
    }
    let name = scene.display().to_string();
    let failure = Failure::wrong(format!("there is no scene file `{name}`"));
    Err(match bundled_scene(&name) {
        Some(found) => failure.with_advice(&format!(
            "a bundled scene is called so: `pliant new my-scene.toml --from {}` writes it to a file",
            found.name
        )),
        None => failure.with_advice("`pliant list` shows the bundled scenes, `pliant new FILE` writes one"),
    })
}

/// The scene files meant by files and folders, in order.
pub(crate) fn scene_files(arguments: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in arguments {
        check_exists(path)?;
        if path.is_dir() {
            let mut found = Vec::new();
            collect(path, &mut found)
                .map_err(|e| Failure::failed(format!("{}: {e}", path.display())))?;
            found.sort();
            files.extend(found);
        } else {
            files.push(path.clone());
        }
    }
    match files.is_empty() {
        true => Err(Failure::wrong(
            "there is no scene file (*.toml) in these folders",
        )),
        false => Ok(files),
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "toml") {
            files.push(path);
        }
    }
    Ok(())
}

/// Vector instructions by name, capital or not.
pub(crate) fn instructions(name: &str) -> Result<Instructions, String> {
    let available = Instructions::available();
    let is_it = |i: &&Instructions| i.name().eq_ignore_ascii_case(name);
    available.iter().find(is_it).copied().ok_or_else(|| {
        let names: Vec<&str> = available.iter().map(|i| i.name()).collect();
        format!("this processor has {}", names.join(", "))
    })
}

/// `10..40`.
pub(crate) fn span(text: &str) -> Result<[u32; 2], String> {
    let parsed = text
        .split_once("..")
        .and_then(|(a, b)| Some([a.parse().ok()?, b.parse().ok()?]));
    parsed.ok_or_else(|| "expected the first and the last frame, such as 10..40".into())
}
