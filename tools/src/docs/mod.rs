//! Documents name what exists, and the repository holds nothing private.

mod architecture;
mod citations;
mod links;
mod markdown;
mod paths;
mod private;
mod snippets;

use std::path::{Path, PathBuf};

pub use snippets::write_snippets;

use crate::{ToolError, Violation, Workspace};

/// Finds every document that does not agree with the repository.
///
/// # Errors
/// If a file cannot be read.
pub fn check(workspace: &Workspace) -> Result<Vec<Violation>, ToolError> {
    let mut violations = architecture::violations(workspace)?;
    violations.extend(links::violations(workspace)?);
    violations.extend(paths::violations(workspace)?);
    violations.extend(citations::violations(workspace)?);
    violations.extend(private::violations(workspace)?);
    violations.sort();
    Ok(violations)
}

/// The Markdown files of the repository.
fn pages(workspace: &Workspace) -> Result<Vec<PathBuf>, ToolError> {
    let files = workspace.files()?.into_iter();
    Ok(files.filter(|path| is_page(path)).collect())
}

fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "md")
}
