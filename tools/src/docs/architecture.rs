//! `ARCHITECTURE.md` has a line for every crate and room, and names no path that is gone.

use std::path::{Path, PathBuf};

use super::markdown::{Page, code_spans};
use crate::{ToolError, Violation, Workspace, layers};

const PAGE: &str = "ARCHITECTURE.md";

/// What the page lacks, and what it names in vain.
pub fn violations(workspace: &Workspace) -> Result<Vec<Violation>, ToolError> {
    let path = Path::new(PAGE);
    let text = workspace.text(path)?.unwrap_or_default();
    let page = Page::parse(&text);
    let rows: Vec<(usize, &str)> = page
        .lines
        .iter()
        .filter_map(|line| Some((line.number, row_name(line.text)?)))
        .collect();
    let mut violations = Vec::new();
    let mut expected: Vec<String> = workspace.members.iter().map(|m| m.name.clone()).collect();
    expected.extend(rooms_that_exist(workspace)?);
    for name in &expected {
        if !rows.iter().any(|(_, row)| row == name) {
            let message = format!("no row starts with `{name}`");
            violations.push(Violation::new(path, 0, message));
        }
    }
    for (line, row) in rows {
        let is_gone = row.starts_with("pliant") || layers::room_names().any(|room| room == row);
        if is_gone && !expected.iter().any(|name| name == row) {
            violations.push(Violation::new(
                path,
                line,
                format!("`{row}` does not exist"),
            ));
        }
    }
    for line in &page.lines {
        for span in code_spans(line.text)
            .into_iter()
            .filter(|s| names_a_path(s))
        {
            if !workspace.root.join(span).exists() {
                let message = format!("the path {span} does not exist");
                violations.push(Violation::new(path, line.number, message));
            }
        }
    }
    Ok(violations)
}

/// The name in code at the start of a table's row.
fn row_name(line: &str) -> Option<&str> {
    line.strip_prefix("| `")?.split('`').next()
}

/// The modules at the root of the core.
fn rooms_that_exist(workspace: &Workspace) -> Result<Vec<String>, ToolError> {
    let members = &workspace.members;
    let Some(core) = members.iter().find(|m| m.name == layers::crate_of_rooms()) else {
        return Ok(Vec::new());
    };
    let folder = core.folder.join("src");
    let mut rooms = Vec::new();
    for path in workspace.files()? {
        let Some(first) = path
            .strip_prefix(&folder)
            .ok()
            .and_then(|p| p.iter().next())
        else {
            continue;
        };
        let room = PathBuf::from(first)
            .with_extension("")
            .to_string_lossy()
            .into_owned();
        if room != "lib" && !rooms.contains(&room) {
            rooms.push(room);
        }
    }
    Ok(rooms)
}

/// True for code that reads as a path from the root to something.
fn names_a_path(code: &str) -> bool {
    let folders = [
        "crates/",
        "tools/",
        "book/",
        "scenes/",
        "validation/",
        ".ci/",
        ".cargo/",
    ];
    let is_plain = !code.contains(['<', '*', ' ', '{']) && !code.contains("::");
    is_plain && folders.iter().any(|folder| code.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn found(page: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n");
        write(
            "crates/pliant-core/Cargo.toml",
            "[package]\nname = \"pliant-core\"\n",
        );
        write("crates/pliant-core/src/lib.rs", "");
        write("crates/pliant-core/src/particles.rs", "");
        write("crates/pliant-core/src/step/mod.rs", "");
        write(PAGE, page);
        let workspace = Workspace::open(folder.path()).unwrap();
        violations(&workspace)
            .unwrap()
            .into_iter()
            .map(|v| v.message)
            .collect()
    }

    #[test]
    fn a_page_with_every_crate_and_room_is_accepted() {
        let page = "| `pliant-core` | |\n| `particles` | |\n| `step` | see `crates/pliant-core/src/step/mod.rs`, `crates/<new>/x.rs` |\n";
        assert!(found(page).is_empty());
    }

    #[test]
    fn missing_rows_and_paths_that_are_gone_are_named() {
        let page = "| `pliant-core` | |\n| `step` | `crates/pliant-core/src/stage.rs` |\n| `kernels` | |\n";
        let found = found(page);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].contains("`particles`") && found[1].contains("`kernels`"));
    }
}
