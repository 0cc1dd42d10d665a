//! What comments and pages cite is in the bibliography.

use std::path::Path;

use crate::{ToolError, Violation, Workspace};

const BIBLIOGRAPHY: &str = "book/src/bibliography.md";

/// The citations without an entry: of the forms `Name et al. year` and `Name and Name year`, in one
/// line.
pub fn violations(workspace: &Workspace) -> Result<Vec<Violation>, ToolError> {
    let mut violations = Vec::new();
    let path = Path::new(BIBLIOGRAPHY);
    let bibliography = match workspace.root.join(path).exists() {
        true => workspace.text(path)?.unwrap_or_default(),
        false => String::new(),
    };
    for path in workspace.files()? {
        let is_source = path.extension().is_some_and(|extension| extension == "rs");
        if !is_source && !super::is_page(&path) {
            continue;
        }
        let text = workspace.text(&path)?.unwrap_or_default();
        for (k, line) in text.lines().enumerate() {
            let unknown = citations(line)
                .into_iter()
                .filter(|key| !bibliography.contains(key));
            violations.extend(unknown.map(|key| {
                let message = format!("{key} is not in {BIBLIOGRAPHY}");
                Violation::new(&path, k + 1, message)
            }));
        }
    }
    Ok(violations)
}

/// What a line cites.
fn citations(line: &str) -> Vec<String> {
    let is_edge = |c: char| !c.is_alphanumeric();
    let words: Vec<&str> = line
        .split_whitespace()
        .map(|w| w.trim_matches(is_edge))
        .collect();
    words.windows(4).filter_map(citation).collect()
}

/// Four words as a citation: two names, or a name with others, and a year.
fn citation(words: &[&str]) -> Option<String> {
    let is_name = |word: &str| word.starts_with(char::is_uppercase);
    let [name, joint, other, year] = *words else {
        return None;
    };
    let is_century = year.starts_with("19") || year.starts_with("20");
    let is_year = is_century && year.len() == 4 && year.bytes().all(|b| b.is_ascii_digit());
    match (joint, other) {
        _ if !is_name(name) || !is_year => None,
        ("et", "al") => Some(format!("{name} et al. {year}")),
        ("and", other) if is_name(other) => Some(format!("{name} and {other} {year}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::sample;

    #[test]
    fn citations_are_recognised_in_sentences() {
        let cases: [(&str, &[&str]); 5] = [
            (
                "// Yu et al. 2024, eq. 17; Li et al. 2022.",
                &["Yu et al. 2024", "Li et al. 2022"],
            ),
            ("(Steele, Lea and Flood 2014).", &["Lea and Flood 2014"]),
            ("sand and soil 2024", &[]),
            ("Width and Height 1280", &[]),
            ("between 1990 and 2024", &[]),
        ];
        for (line, expected) in cases {
            assert_eq!(citations(line), expected, "{line}");
        }
    }

    #[test]
    fn what_is_cited_must_be_listed() {
        let (_folder, workspace) = sample(&[
            (BIBLIOGRAPHY, "**Li et al. 2022**. A title.\n"),
            ("a.rs", "// Li et al. 2022\n// Klar et al. 2016\n"),
        ]);
        let found = violations(&workspace).unwrap();
        assert_eq!(found.iter().map(|v| v.line).collect::<Vec<_>>(), [2]);
    }
}
