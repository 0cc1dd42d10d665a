//! Paths that pages name in code exist.

use super::markdown::{Page, code_spans};
use crate::{ToolError, Violation, Workspace};

/// Folders of the root: code that starts with one of them is a path.
const FOLDERS: &[&str] = &[
    "crates/",
    "tools/",
    "book/",
    "python/",
    "blender/",
    "scenes/",
    "validation/",
    ".ci/",
    ".cargo/",
];

/// The page that tells of the past.
const HISTORY: &str = "CHANGELOG.md";

/// The paths that are gone.
pub fn violations(workspace: &Workspace) -> Result<Vec<Violation>, ToolError> {
    let mut violations = Vec::new();
    for path in super::pages(workspace)? {
        if path.as_os_str() == HISTORY {
            continue;
        }
        let text = workspace.text(&path)?.unwrap_or_default();
        for line in Page::parse(&text).lines {
            let named = code_spans(line.text)
                .into_iter()
                .filter(|code| is_path(code));
            let gone = named.filter(|named| !workspace.root.join(named).exists());
            violations.extend(gone.map(|gone| {
                Violation::new(
                    &path,
                    line.number,
                    format!("the path {gone} does not exist"),
                )
            }));
        }
    }
    Ok(violations)
}

/// True for code that reads as a path from the root to something, without placeholders.
fn is_path(code: &str) -> bool {
    let is_plain = !code.contains(['<', '*', ' ', '{']) && !code.contains("::");
    is_plain && FOLDERS.iter().any(|folder| code.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::sample;

    #[test]
    fn paths_are_looked_up_and_other_code_is_not() {
        let named = "`tools/src/lib.rs` `tools/<name>/lib.rs` `tools/run all` `m/s2`\n`tools/src/gone.rs`\n";
        let (_folder, workspace) = sample(&[
            ("tools/src/lib.rs", ""),
            ("README.md", named),
            (HISTORY, "`tools/src/gone.rs`"),
        ]);
        let found = violations(&workspace).unwrap();
        assert_eq!(found.iter().map(|v| v.line).collect::<Vec<_>>(), [2]);
    }
}
