//! What belongs to one machine or one network stays out of the repository.

use crate::{ToolError, Violation, Workspace};

/// First folders of paths that exist on somebody's machine only.
const MACHINE_FOLDERS: &[&str] = &["home", "root", "work", "tmp", "mnt", "srv", "Users"];

/// Last parts of host names that the internet does not know.
const PRIVATE_DOMAINS: &[&str] = &["internal", "local", "localdomain", "lan", "corp", "intra"];

/// The registry that every dependency comes from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Machine paths, private hosts and foreign registries in the files of the repository.
pub fn violations(workspace: &Workspace) -> Result<Vec<Violation>, ToolError> {
    let mut violations = Vec::new();
    for path in workspace.files()? {
        let Some(text) = workspace.text(&path)? else {
            continue;
        };
        for (k, line) in text.lines().enumerate() {
            if let Some(message) = fault(line) {
                violations.push(Violation::new(&path, k + 1, message));
            }
        }
    }
    Ok(violations)
}

fn fault(line: &str) -> Option<String> {
    if let Some(folder) = machine_folder(line) {
        return Some(format!("a path below {folder} exists on one machine only"));
    }
    if let Some(host) = private_host(line) {
        return Some(format!("the host {host} is not of the public internet"));
    }
    let is_foreign = line.starts_with("source = \"registry+") && !line.contains(REGISTRY);
    is_foreign.then(|| "a dependency that does not come from crates.io".into())
}

/// The start of an absolute path into a folder of [`MACHINE_FOLDERS`].
fn machine_folder(line: &str) -> Option<String> {
    line.match_indices('/').find_map(|(at, _)| {
        let is_start =
            !line[..at].ends_with(|c: char| c.is_alphanumeric() || "/._-~}>)".contains(c));
        let (folder, rest) = line[at + 1..].split_once('/')?;
        let goes_on = rest.starts_with(|c: char| c.is_alphanumeric() || "._-".contains(c));
        let is_known = MACHINE_FOLDERS.contains(&folder);
        (is_start && goes_on && is_known).then(|| format!("/{folder}"))
    })
}

/// The host of an address that only one network knows.
fn private_host(line: &str) -> Option<String> {
    line.match_indices("://").find_map(|(at, separator)| {
        let scheme_start = line[..at].rfind(|c: char| !c.is_ascii_alphabetic() && c != '+');
        let scheme = &line[scheme_start.map_or(0, |k| k + 1)..at];
        let is_web = scheme.ends_with("http") || scheme.ends_with("https");
        let rest = &line[at + separator.len()..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"-.:@".contains(c));
        let authority = &rest[..end.unwrap_or(rest.len())];
        (is_web && !authority.is_empty() && !is_public(authority)).then(|| authority.to_owned())
    })
}

/// The name by which every machine knows itself: servers of runs answer there, on any port.
const ITSELF: &str = "localhost";

/// True for a name with a public ending, without port and user, and for a machine itself.
fn is_public(authority: &str) -> bool {
    if authority.split(':').next() == Some(ITSELF) {
        return true;
    }
    let authority = authority.trim_end_matches(['.', ':']);
    let ending = authority.rsplit('.').next().unwrap_or("");
    let is_name = authority.contains('.') && !authority.contains([':', '@']);
    let is_number = ending.chars().all(|c| c.is_ascii_digit());
    is_name && !is_number && !PRIVATE_DOMAINS.contains(&ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written in pieces, so that this file passes the check.
    fn path(folder: &str) -> String {
        format!("{0}{folder}{0}pliant", '/')
    }

    #[test]
    fn paths_of_a_machine_are_found() {
        for folder in ["home", "tmp", "Users"] {
            assert!(
                fault(&format!("see {}", path(folder))).is_some(),
                "{folder}"
            );
            assert!(
                fault(&format!("x=\"{}\"", path(folder))).is_some(),
                "{folder}"
            );
        }
    }

    #[test]
    fn other_paths_are_left_alone() {
        let beside = format!("..{}", path("home"));
        for line in [
            "a/tmp/b",
            "https://example.org/home/x",
            &beside,
            "/usr/bin/env",
            "c dt/r",
        ] {
            assert_eq!(fault(line), None, "{line}");
        }
    }

    #[test]
    fn hosts_of_a_private_network_are_found() {
        for host in [
            "builder",
            "me@localhost",
            "registry.company.internal",
            "10.0.0.1",
            "example.org:8080",
        ] {
            assert!(
                fault(&format!("index = \"https:{}{host}/x\"", "//")).is_some(),
                "{host}"
            );
        }
        assert_eq!(
            fault("https://docs.rs/glam and http://www.apache.org/licenses/"),
            None
        );
        assert_eq!(fault("pliant view http://localhost:8000/#run=1"), None);
    }

    #[test]
    fn dependencies_come_from_one_registry() {
        assert_eq!(fault(&format!("source = \"{REGISTRY}\"")), None);
        assert!(fault("source = \"registry+https://example.org/index\"").is_some());
    }
}
