//! `ARCHITECTURE.md` has a row for every crate and room, and none for those that are gone.

use std::path::{Path, PathBuf};

use super::markdown::Page;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::sample;

    fn found(page: &str) -> Vec<String> {
        let (_folder, workspace) = sample(&[
            (
                "crates/pliant-core/Cargo.toml",
                "[package]\nname = \"pliant-core\"\n",
            ),
            ("crates/pliant-core/src/lib.rs", ""),
            ("crates/pliant-core/src/particles.rs", ""),
            ("crates/pliant-core/src/step/mod.rs", ""),
            (PAGE, page),
        ]);
        violations(&workspace)
            .unwrap()
            .into_iter()
            .map(|v| v.message)
            .collect()
    }

    #[test]
    fn a_page_with_every_crate_and_room_is_accepted() {
        assert!(found("| `pliant-core` | |\n| `particles` | |\n| `step` | |\n").is_empty());
    }

    #[test]
    fn missing_rows_and_rooms_that_are_gone_are_named() {
        let found = found("| `pliant-core` | |\n| `step` | |\n| `kernels` | |\n");
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("`particles`") && found[1].contains("`kernels`"));
    }
}
