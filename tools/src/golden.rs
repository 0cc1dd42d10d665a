//! What the first substeps of every bundled scene lead to, compared with what they led to before.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{ToolError, Workspace};

/// The file of fingerprints, as `pliant fingerprint` prints them.
const FILE: &str = ".ci/golden.txt";

/// The folder of the bundled scenes.
const SCENES: &str = "scenes";

/// A scene's fingerprint, as it stands in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    scene: String,
    substeps: String,
    motion: String,
    state: String,
}

/// How a scene differs from what it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    New,
    Gone,
    Motion,
    Kept,
}

/// Compares every bundled scene with the file, or writes the file anew; true if nothing has changed.
///
/// * `arguments` — `--accept` writes the file anew; after `--program` comes a built `pliant`, without which it is
///   built; others go to `pliant fingerprint`
///
/// # Errors
/// If cargo cannot be started, a scene does not run, or the file cannot be read or written.
pub fn run(workspace: &Workspace, arguments: &[&str]) -> Result<bool, ToolError> {
    let accepts = arguments.contains(&"--accept");
    let arguments = arguments.iter().copied().filter(|a| *a != "--accept");
    let (program, passed_on) = split(arguments.collect());
    let path = workspace.root.join(FILE);
    let text = fingerprints(&workspace.root, program, &passed_on)?;
    let before = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if accepts && error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(ToolError::of_file(&path, &error)),
    };
    let found = parse(&text)?;
    let changes = changes(&parse(&before)?, &found);
    print!("{}", report(&changes, found.len(), accepts));
    if accepts {
        fs::write(&path, text).map_err(|e| ToolError::of_file(&path, &e))?;
    }
    Ok(accepts || changes.is_empty())
}

/// The program after `--program`, and the other arguments.
fn split(mut arguments: Vec<&str>) -> (Option<&str>, Vec<&str>) {
    let named = arguments.iter().position(|a| *a == "--program");
    let program = named
        .filter(|at| at + 1 < arguments.len())
        .map(|at| arguments.drain(at..at + 2).nth(1));
    (program.flatten(), arguments)
}

/// What `pliant fingerprint` prints for all bundled scenes.
fn fingerprints(
    root: &Path,
    program: Option<&str>,
    arguments: &[&str],
) -> Result<String, ToolError> {
    let mut command = match program {
        Some(program) => Command::new(std::path::absolute(program).map_err(cannot_run)?),
        None => built(root),
    };
    let output = command
        .current_dir(root.join(SCENES))
        .arg("fingerprint")
        .args(["--jobs", &cores().to_string()])
        .args(folders(root)?)
        .args(arguments)
        .stderr(Stdio::inherit())
        .output()
        .map_err(cannot_run)?;
    if !output.status.success() {
        return Err(ToolError::new("some scenes have no fingerprint"));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Builds the command and runs it.
fn built(root: &Path) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(["run", "--quiet", "--release", "--package", "pliant"])
        .arg("--manifest-path")
        .arg(root.join("Cargo.toml"))
        .arg("--");
    command
}

/// How many scenes are asked for at a time.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn cannot_run(error: std::io::Error) -> ToolError {
    ToolError::new(format!("cannot run pliant fingerprint: {error}"))
}

/// The folders of the bundled scenes, in order.
fn folders(root: &Path) -> Result<Vec<String>, ToolError> {
    let scenes = root.join(SCENES);
    let fail = |e: std::io::Error| ToolError::of_file(&scenes, &e);
    let mut folders = Vec::new();
    for entry in fs::read_dir(&scenes).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        if entry.path().is_dir() {
            folders.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    folders.sort();
    Ok(folders)
}

fn parse(text: &str) -> Result<Vec<Line>, ToolError> {
    let lines = text.lines().enumerate().map(|(number, line)| {
        let cells: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let [scene, substeps, motion, state] = cells.try_into().map_err(|_| {
            let number = number + 1;
            ToolError::new(format!(
                "{FILE}:{number}: not a scene, substeps and two hashes; `cargo golden --accept` writes the file anew"
            ))
        })?;
        Ok(Line { scene, substeps, motion, state })
    });
    lines.collect()
}

fn changes(before: &[Line], now: &[Line]) -> Vec<(String, Change)> {
    let find = |all: &[Line], scene: &str| all.iter().find(|line| line.scene == scene).cloned();
    let change = |line: &Line| match find(before, &line.scene) {
        None => Some(Change::New),
        Some(old) if old.substeps != line.substeps || old.motion != line.motion => {
            Some(Change::Motion)
        }
        Some(old) => (old.state != line.state).then_some(Change::Kept),
    };
    let known = now
        .iter()
        .filter_map(|line| Some((line.scene.clone(), change(line)?)));
    let gone = before
        .iter()
        .filter(|line| find(now, &line.scene).is_none());
    let gone = gone.map(|line| (line.scene.clone(), Change::Gone));
    known.chain(gone).collect()
}

fn report(changes: &[(String, Change)], count: usize, accepts: bool) -> String {
    if changes.is_empty() {
        return format!("golden: {count} scenes lead to the same bits as before\n");
    }
    let mut text = String::new();
    for (scene, change) in changes {
        let what = match change {
            Change::New => "is new",
            Change::Gone => "is gone",
            Change::Motion => "moves otherwise",
            Change::Kept => {
                "moves as before, but its state, or the order of its particles, is another"
            }
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{scene} {what}");
    }
    let changed = changes.len();
    let _ = match accepts {
        true => writeln!(
            text,
            "golden: {changed} scenes written anew to {FILE}; say why in the commit"
        ),
        false => writeln!(
            text,
            "golden: {changed} scenes differ from {FILE}. If that is meant, `cargo golden --accept` writes it \
             anew, and the commit says why"
        ),
    };
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = "a.toml    4  01  02\nb.toml  400  03  04\nc.toml  4  05  06\n";

    #[test]
    fn scenes_that_changed_are_named_with_what_changed() {
        let now = "a.toml 4 01 02\nb.toml 400 03 14\nc.toml 4 15 16\nd.toml 4 07 08\n";
        let found = changes(&parse(BEFORE).unwrap(), &parse(now).unwrap());
        let expected = [
            ("b.toml", Change::Kept),
            ("c.toml", Change::Motion),
            ("d.toml", Change::New),
        ];
        assert_eq!(found, expected.map(|(s, c)| (s.to_owned(), c)));
        let found = changes(&parse(now).unwrap(), &parse(BEFORE).unwrap());
        assert!(found.contains(&("d.toml".to_owned(), Change::Gone)));
        let text = report(&found, 4, false);
        assert!(text.contains("c.toml moves otherwise") && text.contains("cargo golden --accept"));
    }

    #[test]
    fn the_same_scenes_are_no_change() {
        let same = parse(BEFORE).unwrap();
        assert!(changes(&same, &same).is_empty());
    }

    #[test]
    fn a_line_that_is_no_fingerprint_is_named() {
        let error = parse("a.toml 4 01 02\nb.toml\n").unwrap_err();
        assert!(error.to_string().contains("golden.txt:2"), "{error}");
    }
}
