//! Arguments that several commands take.

use std::path::Path;

use clap::Args;
use pliant::bundled::bundled_scene;
use pliant::prepare::Prepared;
use pliant_core::parallel::Pool;
use pliant_scene::Overrides;

use super::Failure;

/// What replaces values of a scene file.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct SceneArguments {
    /// Replace a value of the scene: body.column.spacing=0.005, solver.iterations=8
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Take the level [detail.NAME] of the scene
    #[arg(long, value_name = "NAME")]
    detail: Option<String>,
}

impl SceneArguments {
    /// The overrides they make.
    pub fn overrides(&self) -> Overrides {
        Overrides {
            detail: self.detail.clone(),
            set: self.set.clone(),
        }
    }
}

/// Reads a scene and builds its world, on so many threads or one a core.
pub(crate) fn prepare(
    scene: &Path,
    overrides: &Overrides,
    threads: Option<u16>,
) -> Result<Prepared, Failure> {
    check_exists(scene)?;
    let pool = Pool::new(threads.map_or(0, usize::from)).map_err(Failure::failed)?;
    Ok(pool.run(|| Prepared::read(scene, overrides))?)
}

/// Tells what to do about a scene file that is not there.
pub(crate) fn check_exists(scene: &Path) -> Result<(), Failure> {
    if scene.exists() {
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
