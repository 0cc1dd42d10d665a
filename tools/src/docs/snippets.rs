//! The scenes that pages show, as files that the command can check.

use std::fs;
use std::path::Path;

use super::markdown::Page;
use crate::{ToolError, Workspace};

/// What stands behind the fence of a scene.
const SCENE: &str = "toml scene";

/// Writes every scene of the pages to a folder, as `page-line.toml`, and returns their number.
///
/// # Errors
/// If a file cannot be read or written.
pub fn write_snippets(workspace: &Workspace, folder: &Path) -> Result<usize, ToolError> {
    fs::create_dir_all(folder).map_err(|e| ToolError::of_file(folder, &e))?;
    let mut count = 0;
    for path in super::pages(workspace)? {
        let text = workspace.text(&path)?.unwrap_or_default();
        let page = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        for fence in Page::parse(&text).fences.iter().filter(|f| f.info == SCENE) {
            let file = folder.join(format!("{page}-{}.toml", fence.number));
            fs::write(&file, &fence.text).map_err(|e| ToolError::of_file(&file, &e))?;
            count += 1;
        }
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::sample;

    #[test]
    fn scenes_are_written_and_other_code_is_not() {
        let page = "a\n```toml scene\n[scene]\nduration = 1\n```\n```toml\nb = 1\n```\n";
        let (folder, workspace) = sample(&[("first.md", page)]);
        let out = folder.path().join("snippets");
        assert_eq!(write_snippets(&workspace, &out).unwrap(), 1);
        let text = fs::read_to_string(out.join("first-2.toml")).unwrap();
        assert_eq!(text, "[scene]\nduration = 1\n");
    }
}
