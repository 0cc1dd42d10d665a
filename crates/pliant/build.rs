//! Collects the bundled scenes, so that `pliant list` and `pliant new` work anywhere.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let crate_folder = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let scenes = crate_folder.join("../../scenes");
    println!("cargo::rerun-if-changed={}", scenes.display());
    let mut names = Vec::new();
    collect(&scenes, "", &mut names)?;
    names.sort();
    let mut code = String::from("pub(crate) const SCENES: &[(&str, &str)] = &[\n");
    for name in names {
        let file = scenes.join(format!("{name}.toml")).canonicalize()?;
        // Writing to a string cannot fail.
        let _ = writeln!(code, "    ({name:?}, include_str!({:?})),", file.display().to_string());
    }
    code.push_str("];\n");
    let out = Path::new(&variable("OUT_DIR")?).join("bundled_scenes.rs");
    fs::write(out, code)
}

/// Adds the names of all scene files of a folder and those below it, without extension.
fn collect(folder: &Path, prefix: &str, names: &mut Vec<String>) -> io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            collect(&path, &format!("{prefix}{stem}/"), names)?;
        } else if path.extension().is_some_and(|e| e == "toml") {
            names.push(format!("{prefix}{stem}"));
        }
    }
    Ok(())
}

fn variable(name: &str) -> io::Result<String> {
    env::var(name).map_err(|e| io::Error::other(format!("{name}: {e}")))
}
