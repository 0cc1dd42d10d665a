//! Who may name the thread pool and the file system.

use proc_macro2::TokenStream;

use super::CORE;
use super::tokens::{self, is_ident, names_after_separator};
use crate::source::without_tests;
use crate::{Source, Violation};

/// The crates of the simulation that know no threads but by `pliant-parallel`, on which results do not depend.
const WITHOUT_RAYON: &[&str] = &[
    "pliant-math",
    "pliant-geometry",
    "pliant-materials",
    "pliant-embedding",
    CORE,
    "pliant-rigid",
];

/// The crates that touch files; others get bytes and text, or read through `Files` of `pliant-parameters`.
const CRATES_WITH_FILES: &[&str] = &["pliant-parameters", "pliant-io", "pliant", "pliant-tools"];

/// Names in a file of a crate that do not belong there.
pub fn violations(crate_name: &str, source: &Source, tokens: &TokenStream) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut add = |lines: Vec<usize>, message: &str| {
        violations.extend(
            lines
                .into_iter()
                .map(|l| Violation::new(&source.path, l, message)),
        );
    };
    if WITHOUT_RAYON.contains(&crate_name) {
        let message = "what is simulated has its threads from pliant-parallel, not rayon";
        add(lines_with_rayon(tokens), message);
    }
    if !CRATES_WITH_FILES.contains(&crate_name) && !source.is_test {
        let message = "only pliant-parameters, pliant-io and the command may name std::fs";
        add(lines_with_files(&without_tests(tokens.clone())), message);
    }
    violations
}

fn lines_with_rayon(tokens: &TokenStream) -> Vec<usize> {
    let mut lines = Vec::new();
    tokens::visit(tokens, 0, &mut |tokens, _| {
        let named = tokens.iter().filter(|t| is_ident(t, "rayon"));
        lines.extend(named.map(|t| t.span().start().line));
    });
    lines
}

fn lines_with_files(tokens: &TokenStream) -> Vec<usize> {
    let mut lines = Vec::new();
    tokens::visit(tokens, 0, &mut |tokens, _| {
        for at in 0..tokens.len() {
            if is_ident(&tokens[at], "std") {
                let names = names_after_separator(&tokens[at + 1..]).into_iter();
                lines.extend(names.filter(|name| name.text == "fs").map(|name| name.line));
            }
        }
    });
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::sample;

    fn count(crate_name: &str, path: &str, text: &str) -> usize {
        let source = sample(path, text);
        let tokens = source.tokens().unwrap();
        violations(crate_name, &source, &tokens).len()
    }

    #[test]
    fn rayon_is_not_named_in_the_core() {
        let text = "fn f() { let n = rayon::current_num_threads(); }";
        assert_eq!(count("pliant-parallel", "lib.rs", text), 0);
        assert_eq!(count("pliant-core", "contacts/mod.rs", text), 1);
        assert_eq!(count("pliant-render", "tiles.rs", text), 0);
    }

    #[test]
    fn files_are_touched_by_few_crates_and_by_tests() {
        let text = "use std::{fs, io};\nfn f() { std::fs::read(\"x\"); }";
        assert_eq!(count("pliant-core", "world/mod.rs", text), 2);
        assert_eq!(count("pliant-io", "folder.rs", text), 0);
        let test = format!("#[cfg(test)] mod tests {{ {text} }}");
        assert_eq!(count("pliant-core", "world/mod.rs", &test), 0);
        assert_eq!(
            count("pliant-core", "world/mod.rs", "use std::sync::Arc;"),
            0
        );
    }
}
