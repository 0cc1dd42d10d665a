//! Arguments that several commands take.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;
use pliant::bundled::bundled_scene;
use pliant::prepare::{Prepared, is_standard_input};
use pliant_core::parallel::Pool;
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

/// Reads a scene and builds its world, on so many threads or one a core. On a terminal a line says what
/// is being done, unless nothing is to be said.
pub(crate) fn prepare(
    scene: &Path,
    overrides: &Overrides,
    threads: Option<u16>,
    is_quiet: bool,
) -> Result<Prepared, Failure> {
    check_exists(scene)?;
    let pool = Pool::new(threads.map_or(0, usize::from)).map_err(Failure::failed)?;
    // Drawn on the error output, and only if that is a terminal.
    let line = match is_quiet {
        true => ProgressBar::hidden(),
        false => ProgressBar::new_spinner(),
    };
    line.enable_steady_tick(BLINK);
    let report_progress = |doing: &str| line.set_message(doing.to_owned());
    let prepared = pool.run(|| Prepared::read_watched(scene, overrides, &report_progress));
    line.finish_and_clear();
    Ok(prepared?)
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
