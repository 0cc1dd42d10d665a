//! Rust sources as tokens, with and without their tests.

use std::path::PathBuf;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::{Member, ToolError, Violation, Workspace};

/// A Rust file of a crate's `src`.
#[derive(Clone, Debug)]
pub struct Source {
    /// Path relative to the root of the repository.
    pub path: PathBuf,
    /// Path relative to the crate's `src`.
    pub in_crate: PathBuf,
    /// Contents.
    pub text: String,
    /// True if the file is compiled for tests only.
    pub is_test: bool,
}

impl Source {
    /// The Rust files of a crate's `src`, sorted.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn all_of(workspace: &Workspace, member: &Member) -> Result<Vec<Self>, ToolError> {
        let folder = member.folder.join("src");
        let mut sources = Vec::new();
        for path in workspace.files()? {
            let Ok(in_crate) = path.strip_prefix(&folder) else {
                continue;
            };
            if path.extension().is_some_and(|e| e == "rs") {
                sources.push(Self {
                    in_crate: in_crate.to_owned(),
                    text: workspace.text(&path)?.unwrap_or_default(),
                    path,
                    is_test: false,
                });
            }
        }
        mark_tests(&mut sources);
        Ok(sources)
    }

    /// Its tokens.
    ///
    /// # Errors
    /// A violation if the file is no Rust.
    pub fn tokens(&self) -> Result<TokenStream, Violation> {
        self.text.parse().map_err(|error: proc_macro2::LexError| {
            let line = error.span().start().line;
            Violation::new(&self.path, line, format!("this is no Rust: {error}"))
        })
    }

    /// Path of the module inside its crate: `contacts/mod.rs` is `["contacts"]`, `lib.rs` is empty.
    pub fn module(&self) -> Vec<String> {
        let path = self.in_crate.with_extension("");
        let mut names: Vec<String> = path
            .iter()
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        let is_own_folder = names.last().is_some_and(|n| n == "mod");
        let is_root = matches!(names.as_slice(), [name] if name == "lib" || name == "main");
        if is_own_folder || is_root {
            names.pop();
        }
        names
    }
}

/// The tokens outside of items that are compiled for tests only.
pub fn without_tests(tokens: TokenStream) -> TokenStream {
    let mut kept = TokenStream::new();
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        let is_test = is_hash(&token) && rest.peek().is_some_and(is_test_attribute);
        if is_test {
            skip_item(&mut rest);
        } else {
            kept.extend([token]);
        }
    }
    kept
}

/// True for the brackets of `#[cfg(test)]`.
pub fn is_test_attribute(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else {
        return false;
    };
    let text: String = group.stream().to_string().split_whitespace().collect();
    group.delimiter() == Delimiter::Bracket && text == "cfg(test)"
}

fn is_hash(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(p) if p.as_char() == '#')
}

/// Skips to the end of an item: its braces, or its semicolon.
fn skip_item(rest: &mut impl Iterator<Item = TokenTree>) {
    for token in rest {
        let is_end = match &token {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            TokenTree::Punct(punct) => punct.as_char() == ';',
            _ => false,
        };
        if is_end {
            return;
        }
    }
}

/// Marks files that a `#[cfg(test)] mod name;` names, and those below them.
fn mark_tests(sources: &mut [Source]) {
    let mut modules = Vec::new();
    for source in &*sources {
        for name in test_modules(&source.text) {
            let mut path = source.module();
            path.push(name);
            modules.push(path);
        }
    }
    for source in sources {
        let module = source.module();
        source.is_test = modules.iter().any(|test| module.starts_with(test));
    }
}

/// Names of the modules in files of their own that are compiled for tests only.
fn test_modules(text: &str) -> Vec<String> {
    let Ok(tokens) = text.parse::<TokenStream>() else {
        return Vec::new();
    };
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut names = Vec::new();
    for window in tokens.windows(5) {
        let [
            hash,
            attribute,
            TokenTree::Ident(keyword),
            TokenTree::Ident(name),
            end,
        ] = window
        else {
            continue;
        };
        let is_declaration = matches!(end, TokenTree::Punct(p) if p.as_char() == ';');
        if is_hash(hash) && is_test_attribute(attribute) && keyword == "mod" && is_declaration {
            names.push(name.to_string());
        }
    }
    names
}

/// A source for the tests of checks.
#[cfg(test)]
pub fn sample(in_crate: &str, text: &str) -> Source {
    Source {
        path: PathBuf::from("src").join(in_crate),
        in_crate: in_crate.into(),
        text: text.into(),
        is_test: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn module_of_a_file_is_its_path_in_the_crate() {
        let module = |path: &str| sample(path, "").module().join("::");
        assert_eq!(module("lib.rs"), "");
        assert_eq!(module("contacts/mod.rs"), "contacts");
        assert_eq!(module("contacts/colliders.rs"), "contacts::colliders");
        assert_eq!(module("integrator.rs"), "integrator");
    }

    #[test]
    fn test_items_are_left_out_and_others_stay() {
        let text = "fn a() {} #[cfg(test)] mod tests { fn b() {} } #[cfg(feature = \"x\")] fn c() {} \
                    #[cfg(test)] use d::{e, f}; fn g() {}";
        let kept = without_tests(text.parse().unwrap()).to_string();
        let names = |n: &str| kept.contains(&format!("fn {n}"));
        assert!(names("a") && names("c") && names("g") && !names("b"));
    }

    #[test]
    fn files_of_test_modules_are_tests() {
        let mut sources = [
            sample("mesh/mod.rs", "mod obj;\n#[cfg(test)]\nmod tests;\n"),
            sample("mesh/obj.rs", ""),
            sample("mesh/tests.rs", ""),
            sample("mesh/tests/leaks.rs", ""),
        ];
        mark_tests(&mut sources);
        assert_eq!(sources.map(|s| s.is_test), [false, false, true, true]);
    }
}
