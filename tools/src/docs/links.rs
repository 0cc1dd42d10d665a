//! Relative links of the pages lead to files, and to headings in them.

use std::path::{Component, Path, PathBuf};

use super::markdown::{Page, link_targets};
use crate::{ToolError, Violation, Workspace};

/// The links that lead nowhere.
pub fn violations(workspace: &Workspace) -> Result<Vec<Violation>, ToolError> {
    let mut violations = Vec::new();
    for path in super::pages(workspace)? {
        let text = workspace.text(&path)?.unwrap_or_default();
        for line in Page::parse(&text).lines {
            for target in link_targets(line.text)
                .into_iter()
                .filter(|t| is_relative(t))
            {
                if let Some(message) = fault(workspace, &path, &target)? {
                    violations.push(Violation::new(&path, line.number, message));
                }
            }
        }
    }
    Ok(violations)
}

fn is_relative(target: &str) -> bool {
    !target.contains("://") && !target.starts_with("mailto:")
}

/// Why a link leads nowhere.
fn fault(workspace: &Workspace, page: &Path, target: &str) -> Result<Option<String>, ToolError> {
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let folder = page.parent().unwrap_or(Path::new(""));
    let path = if file.is_empty() {
        page.to_owned()
    } else {
        clean(&folder.join(file))
    };
    if !workspace.root.join(&path).exists() {
        return Ok(Some(format!("the link to {target} leads to no file")));
    }
    if anchor.is_empty() || !super::is_page(&path) {
        return Ok(None);
    }
    let text = workspace.text(&path)?.unwrap_or_default();
    let has_heading = Page::parse(&text).anchors().iter().any(|a| a == anchor);
    Ok((!has_heading).then(|| format!("the link to {target} leads to no heading")))
}

fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::sample;

    #[test]
    fn links_are_followed_to_files_and_headings() {
        let (_folder, workspace) = sample(&[
            (
                "README.md",
                "[good](book/a.md#one-two) [here](#top) [web](https://example.org)\n# Top\n",
            ),
            (
                "book/a.md",
                "# One two\n[up](../README.md)\n[bad](b.md)\n[bad](#three)\n```\n[code](x.md)\n```\n",
            ),
        ]);
        let found = violations(&workspace).unwrap();
        let lines: Vec<_> = found
            .iter()
            .map(|v| (v.path.to_str().unwrap(), v.line))
            .collect();
        assert_eq!(lines, [("book/a.md", 3), ("book/a.md", 4)]);
    }
}
