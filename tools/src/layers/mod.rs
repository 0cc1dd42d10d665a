//! Crates and rooms depend in one direction only.
//!
//! Tests are held to the same order as the code beside them, with one exception: they may read
//! files. A test that needs a room to the right of its own belongs there, or to `validation`.

mod crates;
mod methods;
mod names;
mod rooms;
mod tokens;

use crate::{Source, ToolError, Violation, Workspace};

/// The crate whose rooms have an order.
const CORE: &str = "pliant-core";

/// Finds every dependency against the direction.
///
/// # Errors
/// If a file cannot be read.
pub fn check(workspace: &Workspace) -> Result<Vec<Violation>, ToolError> {
    let mut violations = Vec::new();
    for member in &workspace.members {
        violations.extend(crates::violations(member));
        for source in Source::all_of(workspace, member)? {
            let tokens = match source.tokens() {
                Ok(tokens) => tokens,
                Err(violation) => {
                    violations.push(violation);
                    continue;
                }
            };
            violations.extend(names::violations(&member.name, &source, &tokens));
            violations.extend(methods::violations(&member.name, &source, &tokens));
            if member.name == CORE {
                violations.extend(rooms::violations(&source, &tokens));
            }
        }
    }
    violations.sort();
    violations.dedup();
    Ok(violations)
}

/// The rooms of `pliant-core`, in reading order.
pub fn room_names() -> impl Iterator<Item = &'static str> {
    rooms::ORDER.iter().flat_map(|rooms| rooms.iter().copied())
}

/// The crate whose rooms [`room_names`] lists.
pub fn crate_of_rooms() -> &'static str {
    CORE
}
