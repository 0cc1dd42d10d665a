//! Which crate may depend on which, for building as well as for testing.

use crate::{Member, Violation};

/// Each crate and the crates of this repository that it may depend on.
const ALLOWED: &[(&str, &[&str])] = &[
    ("pliant-math", &[]),
    ("pliant-parameters", &["pliant-math"]),
    ("pliant-geometry", LEAF),
    ("pliant-materials", LEAF),
    ("pliant-core", BELOW_CORE),
    ("pliant-scene", UP_TO_CORE),
    ("pliant-io", UP_TO_CORE),
    ("pliant-render", UP_TO_CORE),
    ("pliant", UP_TO_SIBLINGS),
    ("pliant-validation", EVERYTHING),
    ("pliant-tools", &[]),
];

const LEAF: &[&str] = &["pliant-math", "pliant-parameters"];

const BELOW_CORE: &[&str] = &[
    "pliant-math",
    "pliant-parameters",
    "pliant-geometry",
    "pliant-materials",
];

const UP_TO_CORE: &[&str] = &[
    "pliant-math",
    "pliant-parameters",
    "pliant-geometry",
    "pliant-materials",
    "pliant-core",
];

const UP_TO_SIBLINGS: &[&str] = &[
    "pliant-math",
    "pliant-parameters",
    "pliant-geometry",
    "pliant-materials",
    "pliant-core",
    "pliant-scene",
    "pliant-io",
    "pliant-render",
];

const EVERYTHING: &[&str] = &[
    "pliant-math",
    "pliant-parameters",
    "pliant-geometry",
    "pliant-materials",
    "pliant-core",
    "pliant-scene",
    "pliant-io",
    "pliant-render",
    "pliant",
];

/// The dependencies of a crate that it may not have.
pub fn violations(member: &Member) -> Vec<Violation> {
    let manifest = member.folder.join("Cargo.toml");
    let name = member.name.as_str();
    let Some((_, allowed)) = ALLOWED.iter().find(|(crate_name, _)| *crate_name == name) else {
        let message = format!("{name} has no layer: give it one in the check `layers`");
        return vec![Violation::new(&manifest, 0, message)];
    };
    let own = member
        .dependencies
        .iter()
        .filter(|d| is_of_this_repository(d));
    own.filter(|dependency| !allowed.contains(&dependency.as_str()))
        .map(|dependency| {
            let message = format!(
                "{name} may not depend on {dependency}, only on: {}",
                if allowed.is_empty() {
                    "no crate of this repository".into()
                } else {
                    allowed.join(", ")
                }
            );
            Violation::new(&manifest, 0, message)
        })
        .collect()
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
        assert!(found("pliant-core", &["pliant-math", "pliant-materials", "rayon"]).is_empty());
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
    }

    #[test]
    fn a_crate_without_a_layer_is_refused() {
        assert!(found("pliant-new", &[])[0].contains("no layer"));
    }
}
