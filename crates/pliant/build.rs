//! Collects the bundled scenes with the meshes beside them, so that `pliant list` and `pliant new`
//! work anywhere.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let crate_folder = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    // In a package they are beside it: `scenes` here is a link, which packaging follows.
    let folders = ["../../scenes", "scenes"].map(|folder| crate_folder.join(folder));
    let [of_repository, of_package] = folders;
    let scenes = match of_repository.is_dir() {
        true => of_repository,
        false => of_package,
    };
    let mut files = Vec::new();
    collect(&scenes, "", &mut files)?;
    files.sort();
    let mut code = String::new();
    table(
        &mut code,
        "SCENES",
        "&str",
        "include_str",
        files.iter().filter(|f| is_scene(f)),
        &scenes,
    )?;
    table(
        &mut code,
        "FILES",
        "&[u8]",
        "include_bytes",
        files.iter().filter(|f| !is_scene(f)),
        &scenes,
    )?;
    let out = Path::new(&variable("OUT_DIR")?).join("bundled_scenes.rs");
    fs::write(out, code)
}

fn is_scene(file: &str) -> bool {
    file.ends_with(".toml")
}

/// A constant with the name and the content of each file.
fn table<'a>(
    code: &mut String,
    name: &str,
    content: &str,
    include: &str,
    files: impl Iterator<Item = &'a String>,
    scenes: &Path,
) -> io::Result<()> {
    // Writing to a string cannot fail.
    let _ = writeln!(code, "const {name}: &[(&str, {content})] = &[");
    for file in files {
        let path = scenes.join(file).canonicalize()?;
        let _ = writeln!(
            code,
            "    ({file:?}, {include}!({:?})),",
            path.display().to_string()
        );
    }
    code.push_str("];\n");
    Ok(())
}

/// Adds the paths of all files in a folder and those below it.
fn collect(folder: &Path, prefix: &str, files: &mut Vec<String>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            collect(&path, &format!("{prefix}{name}/"), files)?;
        } else {
            files.push(format!("{prefix}{name}"));
        }
    }
    Ok(())
}

fn variable(name: &str) -> io::Result<String> {
    env::var(name).map_err(|e| io::Error::other(format!("{name}: {e}")))
}
