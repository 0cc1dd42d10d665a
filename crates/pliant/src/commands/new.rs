//! `pliant new`.

use std::path::{Path, PathBuf};

use clap::Args;
use pliant::bundled::{BundledScene, bundled_scene, bundled_scenes};
use pliant::new_folder;
use pliant_io::{read_bytes, write_bytes};

use super::Failure;
use super::print::print_line;
use super::shell::argument;

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
    let scene = chosen(arguments.from.as_deref())?;
    let folder = arguments.file.parent().unwrap_or(Path::new(""));
    let beside = scene
        .files()
        .into_iter()
        .map(|(path, bytes)| (folder.join(path), bytes));
    let files: Vec<(PathBuf, &[u8])> = beside
        .chain([(arguments.file.clone(), scene.text.as_bytes())])
        .collect();
    // The same mesh may lie there from an earlier scene.
    let is_other = |(path, bytes): &&(PathBuf, &[u8])| {
        path.exists()
            && (path == &arguments.file || read_bytes(path).is_ok_and(|old| old != *bytes))
    };
    if let Some((path, _)) = files.iter().find(is_other) {
        let path = path.display();
        return Err(Failure::wrong(format!(
            "`{path}` exists and is left alone; name another file"
        )));
    }
    for (path, bytes) in &files {
        new_folder::create(path.parent().unwrap_or(folder)).map_err(Failure::wrong)?;
        write_bytes(path, bytes).map_err(Failure::failed)?;
    }
    print_line(format_args!(
        "{} is a copy of {}. Run it: pliant run {}",
        arguments.file.display(),
        scene.name,
        argument(&arguments.file)
    ));
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
