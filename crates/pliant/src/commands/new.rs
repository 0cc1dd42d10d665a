//! `pliant new`.

use std::path::PathBuf;

use clap::Args;
use pliant::bundled::{BundledScene, bundled_scene, bundled_scenes};
use pliant_io::{create_folder, write_bytes};

use super::Failure;
use super::say::say_line;

/// Folder of the scenes to start from; its first one is taken by default.
const START: &str = "start/";

#[derive(Args)]
pub(crate) struct NewArguments {
    /// The file to write
    file: PathBuf,
    /// The bundled scene to start from; `pliant list` shows them
    #[arg(long, value_name = "NAME")]
    from: Option<String>,
}

pub(crate) fn execute(arguments: &NewArguments) -> Result<(), Failure> {
    let file = arguments.file.display();
    let scene = chosen(arguments.from.as_deref())?;
    if arguments.file.exists() {
        return Err(Failure::wrong(format!("`{file}` exists and is left alone; name another file")));
    }
    if let Some(folder) = arguments.file.parent() {
        create_folder(folder).map_err(Failure::failed)?;
    }
    write_bytes(&arguments.file, scene.text.as_bytes()).map_err(Failure::failed)?;
    say_line(format_args!("{file} is a copy of {}. Run it: pliant run {file}", scene.name));
    Ok(())
}

fn chosen(name: Option<&str>) -> Result<BundledScene, Failure> {
    match name {
        Some(name) => bundled_scene(name).ok_or_else(|| {
            let failure = Failure::wrong(format!("no bundled scene is called '{name}'"));
            failure.with_advice("`pliant list` shows them")
        }),
        None => bundled_scenes()
            .find(|scene| scene.name.starts_with(START))
            .ok_or_else(|| Failure::wrong("this build has no scene to start from")),
    }
}
