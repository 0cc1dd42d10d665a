//! `pliant replay`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::Args;
use pliant::live::{Source, read_inputs};
use pliant::run::{SceneReplay, replay, with_frames};

use super::Failure;
use super::arguments::{check_exists, prepare_by};
use super::run::RunSettings;
use super::shell::same_command_with;

#[derive(Args)]
pub(crate) struct ReplayArguments {
    /// What was done to a scene, as the window or the page in the browser saved it; names its scene
    inputs: PathBuf,
    #[command(flatten)]
    settings: RunSettings,
}

pub(crate) fn execute(arguments: &ReplayArguments) -> Result<(), Failure> {
    let (file, settings) = (&arguments.inputs, &arguments.settings);
    let log = read_inputs(file).map_err(Failure::wrong)?;
    check_exists(&log.scene).map_err(|failure| {
        failure.with_advice(&format!(
            "`{}` names it as its scene, from the current folder or its own",
            file.display()
        ))
    })?;
    let mut source = Source::of(&log);
    source.overrides.set.extend(settings.set.iter().cloned());
    settings.add_to(&mut source.overrides);
    let scene = pliant::prepare::read_scene(&source.path, &source.overrides)?;
    // To the last input, where that comes after the end of the scene.
    let late = Some(log.last_frame()).filter(|&frame| frame > scene.frame_count());
    if let Some(frames) = settings.frames.or(late) {
        source.overrides = with_frames(&source.path, &source.overrides, frames)?;
    }
    let read = |watch: &(dyn Fn(&str) + Sync)| SceneReplay::read(source, (file, log), watch);
    let (scene_replay, prepared) = prepare_by(read, settings.thread_count(), settings.quiet)??;
    let folder = settings.folder(&name_of(file));
    let warnings = prepared.built.warnings.clone();
    let resuming = same_command_with("--resume");
    settings.carry_out(&warnings, (&folder, &resuming), |options, reporter| {
        replay((scene_replay, prepared), options, reporter)
    })
}

/// `tori.inputs` of `scenes/tori.inputs.toml`.
fn name_of(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or(OsStr::new("inputs"));
    stem.to_string_lossy().into_owned()
}
