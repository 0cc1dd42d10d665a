//! Manifests of crates: ready to be published, or said not to be.

use std::path::Path;

use toml::de::{DeTable, DeValue};

use crate::workspace::parse;
use crate::{Member, ToolError, Violation, Workspace};

/// Keys that a registry shows, beside version and licence.
const SHOWN: [&str; 4] = ["description", "readme", "keywords", "categories"];

/// Most keywords that a registry takes.
const MOST_KEYWORDS: usize = 5;

/// What of the manifests of a workspace keeps its crates from being published.
///
/// # Errors
/// If a manifest cannot be read.
pub fn check(workspace: &Workspace) -> Result<Vec<Violation>, ToolError> {
    let mut published = Vec::new();
    for member in &workspace.members {
        let manifest = member.folder.join("Cargo.toml");
        let text = workspace.text(&manifest)?.unwrap_or_default();
        let table = parse(&manifest, &text)?;
        let package = table.get("package").and_then(|p| p.get_ref().as_table());
        let violations = package.map_or(Vec::new(), |package| {
            lacking(package, &workspace.root.join(&member.folder))
        });
        if let Some(violations) = is_published(package).then_some(violations) {
            published.push((member, violations));
        }
    }
    let names: Vec<&str> = published.iter().map(|(m, _)| m.name.as_str()).collect();
    let mut found = Vec::new();
    for (member, violations) in &published {
        let manifest = member.folder.join("Cargo.toml");
        let hidden = hidden_dependencies(member, &workspace.members, &names);
        let messages = violations.iter().cloned().chain(hidden);
        found.extend(messages.map(|message| Violation::new(&manifest, 0, message)));
    }
    Ok(found)
}

fn is_published(package: Option<&DeTable<'_>>) -> bool {
    let publish = package.and_then(|package| package.get("publish"));
    !publish.is_some_and(|p| matches!(p.get_ref(), DeValue::Boolean(false)))
}

/// What a package lacks that a registry asks for or shows.
fn lacking(package: &DeTable<'_>, folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for key in SHOWN {
        let is_there = match package.get(key).map(|value| value.get_ref()) {
            Some(DeValue::String(text)) => !text.is_empty(),
            Some(DeValue::Array(list)) => !list.is_empty() && list.len() <= MOST_KEYWORDS,
            _ => false,
        };
        if !is_there {
            found.push(format!(
                "a crate that is published has a `{key}` (lists of 1 to {MOST_KEYWORDS}); or write publish = false"
            ));
        }
    }
    let has = |key: &str| package.get(key).is_some();
    if !has("license") || !has("rust-version") {
        found.push("a crate that is published has a `license` and a `rust-version`".into());
    }
    let readme = package.get("readme").and_then(|r| r.get_ref().as_str());
    if let Some(readme) = readme.filter(|readme| !folder.join(readme).is_file()) {
        found.push(format!("its readme {readme} is not there"));
    }
    found
}

/// The dependencies of this repository that nobody can fetch.
fn hidden_dependencies(member: &Member, members: &[Member], published: &[&str]) -> Vec<String> {
    let is_hidden = |name: &&String| {
        members.iter().any(|m| m.name == **name) && !published.contains(&name.as_str())
    };
    let hidden = member.dependencies.iter().filter(is_hidden);
    hidden
        .map(|name| format!("it is published and needs {name}, which is not"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::sample;

    const WHOLE: &str = "[package]\nname = \"a\"\ndescription = \"A.\"\nreadme = \"README.md\"\n\
        keywords = [\"k\"]\ncategories = [\"c\"]\nlicense.workspace = true\nrust-version.workspace = true\n";

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let (_folder, workspace) = sample(files);
        let violations = check(&workspace).expect("readable");
        violations.into_iter().map(|v| v.message).collect()
    }

    #[test]
    fn whole_and_unpublished_manifests_are_accepted() {
        let hidden = "[package]\nname = \"b\"\npublish = false\n";
        let files = [
            ("crates/a/Cargo.toml", WHOLE),
            ("crates/a/README.md", "# A"),
            ("crates/b/Cargo.toml", hidden),
        ];
        assert_eq!(found(&files), Vec::<String>::new());
    }

    #[test]
    fn what_a_published_crate_lacks_is_named() {
        for key in ["description", "readme", "keywords", "categories", "license"] {
            let lines = WHOLE.lines().filter(|line| !line.starts_with(key));
            let text: String = lines.map(|line| format!("{line}\n")).collect();
            let files = [
                ("crates/a/Cargo.toml", text.as_str()),
                ("crates/a/README.md", "# A"),
            ];
            let found = found(&files);
            assert!(
                found.len() == 1 && found[0].contains(key),
                "{key}: {found:?}"
            );
        }
        let without_readme = found(&[("crates/a/Cargo.toml", WHOLE)]);
        assert_eq!(without_readme, ["its readme README.md is not there"]);
        let many = WHOLE.replace("[\"k\"]", "[\"1\", \"2\", \"3\", \"4\", \"5\", \"6\"]");
        let files = [
            ("crates/a/Cargo.toml", many.as_str()),
            ("crates/a/README.md", "# A"),
        ];
        assert!(found(&files)[0].contains("keywords"));
    }

    #[test]
    fn a_published_crate_needs_only_published_ones() {
        let needs = format!("{WHOLE}[dependencies]\nb.workspace = true\nserde = \"1\"\n");
        let files = [
            ("crates/a/Cargo.toml", needs.as_str()),
            ("crates/a/README.md", "# A"),
            (
                "crates/b/Cargo.toml",
                "[package]\nname = \"b\"\npublish = false\n",
            ),
        ];
        assert_eq!(found(&files), ["it is published and needs b, which is not"]);
    }
}
