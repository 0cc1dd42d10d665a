//! How large files and functions are, tests left out.
//!
//! * A file's lines are those outside of `#[cfg(test)]` items; files that are compiled for tests
//!   only, and the folders `tests`, `examples` and `benches`, do not count.
//! * A function's lines run from the line of its name to that of its closing brace.
//! * Arguments include `self`.
//! * Nesting is how many of `if`, `match`, `for`, `while`, `loop` and closures with a block stand
//!   around the innermost of them, itself included. An `else if` is on the level of its `if`; plain
//!   and `unsafe` blocks and `let ... else` add nothing. Arguments of macros that read as
//!   expressions count like those of functions.
//! * A comment line carries a comment or a doc comment; the ratio is to lines that are not blank.

mod comments;
mod functions;
mod nesting;
mod report;

use std::path::PathBuf;

pub use report::{table, violations};

use crate::{Source, ToolError, Workspace};

/// What a file measures.
#[derive(Clone, Debug)]
pub struct FileSize {
    /// Name of its crate.
    pub crate_name: String,
    /// Path relative to the root.
    pub path: PathBuf,
    /// Lines without tests.
    pub lines: usize,
    /// Of these, lines that are not blank.
    pub filled_lines: usize,
    /// Of these, lines with a comment.
    pub comment_lines: usize,
    /// Its functions with a body.
    pub functions: Vec<FunctionSize>,
    /// Why it could not be measured.
    pub failure: Option<String>,
}

/// What a function measures.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionSize {
    /// Name.
    pub name: String,
    /// Line it starts in.
    pub line: usize,
    /// Lines from the first to the last.
    pub lines: usize,
    /// Arguments, `self` included.
    pub arguments: usize,
    /// Deepest nesting of control structures.
    pub nesting: usize,
}

/// Measures the sources of all crates.
///
/// # Errors
/// If a file cannot be read.
pub fn measure(workspace: &Workspace) -> Result<Vec<FileSize>, ToolError> {
    let mut sizes = Vec::new();
    for member in &workspace.members {
        let sources = Source::all_of(workspace, member)?;
        let own = sources.iter().filter(|s| !s.is_test);
        sizes.extend(own.map(|source| measure_file(&member.name, source)));
    }
    Ok(sizes)
}

fn measure_file(crate_name: &str, source: &Source) -> FileSize {
    let mut size = FileSize {
        crate_name: crate_name.to_owned(),
        path: source.path.clone(),
        lines: 0,
        filled_lines: 0,
        comment_lines: 0,
        functions: Vec::new(),
        failure: None,
    };
    let file = match syn::parse_file(&source.text) {
        Ok(file) => file,
        Err(error) => {
            size.failure = Some(error.to_string());
            return size;
        }
    };
    let tests = functions::test_lines(&file);
    let has_comment = comments::lines_with_comments(&source.text);
    for (k, line) in source.text.lines().enumerate() {
        if tests.iter().any(|range| range.contains(&(k + 1))) {
            continue;
        }
        size.lines += 1;
        size.filled_lines += usize::from(!line.trim().is_empty());
        size.comment_lines += usize::from(has_comment[k]);
    }
    size.functions = functions::measure(&file);
    size
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::sample;

    #[test]
    fn tests_do_not_count() {
        let text = "//! Doc.\n\nfn f() {}\n\n#[cfg(test)]\nmod tests {\n    fn g() {}\n}\n";
        let size = measure_file("x", &sample("a.rs", text));
        assert_eq!(
            (size.lines, size.filled_lines, size.comment_lines),
            (4, 2, 1)
        );
        assert_eq!(size.functions.len(), 1);
    }

    #[test]
    fn a_file_that_is_not_rust_is_an_error() {
        assert!(
            measure_file("x", &sample("a.rs", "fn f( {"))
                .failure
                .is_some()
        );
    }
}
