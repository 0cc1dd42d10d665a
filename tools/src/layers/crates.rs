//! Which crate may depend on which, for building as well as for testing.

use crate::{Member, Violation};

/// The crates from left to right; a crate may depend on those to its left. Crates of one place do
/// not know each other.
const ORDER: &[&[&str]] = &[
    &["pliant-math"],
    &["pliant-parameters", "pliant-parallel"],
    &["pliant-geometry", "pliant-materials"],
    &["pliant-embedding", "pliant-surface"],
    &["pliant-core"],
    &[
        "pliant-rigid",
        "pliant-interaction",
        "pliant-anchored-particles",
    ],
    &[
        "pliant-scene",
        "pliant-io",
        "pliant-render",
        "pliant-validation",
    ],
    &["pliant-vtkhdf", "pliant-view"],
    &["pliant", "pliant-web"],
    &["pliant-python", "pliant-viewer"],
];

/// The crates that know none of the others.
const APART: &[&str] = &["pliant-tools", "pliant-shared-features"];

/// The dependencies of a crate that it may not have.
pub fn violations(member: &Member) -> Vec<Violation> {
    let manifest = member.folder.join("Cargo.toml");
    let name = member.name.as_str();
    let place = if APART.contains(&name) {
        Some(0)
    } else {
        place(name)
    };
    let Some(place) = place else {
        let message = format!("{name} has no place: give it one in the check `layers`");
        return vec![Violation::new(&manifest, 0, message)];
    };
    let allowed = ORDER[..place].concat();
    let own = member
        .dependencies
        .iter()
        .filter(|d| is_of_this_repository(d));
    own.filter(|dependency| !allowed.contains(&dependency.as_str()))
        .map(|dependency| {
            let message =
                format!("{name} may not depend on {dependency}, which is not to its left");
            Violation::new(&manifest, 0, message)
        })
        .collect()
}

fn place(name: &str) -> Option<usize> {
    ORDER.iter().position(|crates| crates.contains(&name))
}

fn is_of_this_repository(dependency: &str) -> bool {
    dependency == "pliant" || dependency.starts_with("pliant-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, dependencies: &[&str]) -> Vec<String> {
        let member = Member {
            name: name.into(),
            folder: "crates/x".into(),
            dependencies: dependencies.iter().map(|d| d.to_string()).collect(),
            features: Vec::new(),
        };
        violations(&member).into_iter().map(|v| v.message).collect()
    }

    #[test]
    fn dependencies_downwards_are_accepted() {
        assert!(found("pliant-core", &["pliant-math", "pliant-materials", "serde"]).is_empty());
        assert!(found("pliant", &["pliant-io", "pliant-render", "clap"]).is_empty());
    }

    #[test]
    fn dependencies_upwards_and_sideways_are_refused() {
        assert_eq!(found("pliant-materials", &["pliant-core"]).len(), 1);
        assert_eq!(
            found("pliant-scene", &["pliant-io", "pliant-core", "pliant"]).len(),
            2
        );
        assert_eq!(found("pliant-geometry", &["pliant-materials"]).len(), 1);
        assert_eq!(found("pliant-tools", &["pliant-math"]).len(), 1);
    }

    #[test]
    fn a_crate_without_a_place_is_refused() {
        assert!(found("pliant-new", &[])[0].contains("no place"));
    }
}
