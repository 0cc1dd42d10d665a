//! The table of sizes, and what exceeds the budget.

use std::fmt::Write;

use super::{FileSize, FunctionSize};
use crate::Violation;

const FILE_LINES: usize = 500;
const FUNCTION_LINES: usize = 80;
const ARGUMENTS: usize = 7;
const NESTING: usize = 4;

/// Functions above this many lines are counted in the table: the budget is less than 1 %.
const LONG_FUNCTION: usize = 60;

/// A row for each crate and one for all together, in Markdown.
pub fn table(sizes: &[FileSize]) -> String {
    let mut text = String::from(
        "| crate | files | lines | file median / p90 / max | functions | function median / p90 / max \
         | above 60 | above 80 | comments |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for files in sizes.chunk_by(|a, b| a.crate_name == b.crate_name) {
        row(&mut text, &files[0].crate_name, files);
    }
    row(&mut text, "all", sizes);
    text
}

/// The files and functions that exceed the budget.
pub fn violations(sizes: &[FileSize]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for file in sizes {
        let mut add = |line, message| violations.push(Violation::new(&file.path, line, message));
        if let Some(failure) = &file.failure {
            add(0, format!("cannot be measured: {failure}"));
        }
        if file.lines > FILE_LINES {
            add(
                0,
                format!("{} lines without tests, {FILE_LINES} at most", file.lines),
            );
        }
        for f in &file.functions {
            for (what, size, greatest) in [
                ("lines", f.lines, FUNCTION_LINES),
                ("arguments", f.arguments, ARGUMENTS),
                ("levels of nesting", f.nesting, NESTING),
            ] {
                if size > greatest {
                    add(
                        f.line,
                        format!("`{}` has {size} {what}, {greatest} at most", f.name),
                    );
                }
            }
        }
    }
    violations
}

fn row(text: &mut String, name: &str, files: &[FileSize]) {
    let lines = sorted(files.iter().map(|f| f.lines));
    let functions: Vec<&FunctionSize> = files.iter().flat_map(|f| &f.functions).collect();
    let lengths = sorted(functions.iter().map(|f| f.lines));
    let above = |limit: usize| {
        let count = lengths.iter().filter(|&&length| length > limit).count();
        format!("{count} ({:.1} %)", percent(count, lengths.len()))
    };
    let filled: usize = files.iter().map(|f| f.filled_lines).sum();
    let comments: usize = files.iter().map(|f| f.comment_lines).sum();
    let _ = writeln!(
        text,
        "| {name} | {} | {} | {} | {} | {} | {} | {} | {:.0} % |",
        files.len(),
        lines.iter().sum::<usize>(),
        spread(&lines),
        functions.len(),
        spread(&lengths),
        above(LONG_FUNCTION),
        above(FUNCTION_LINES),
        percent(comments, filled),
    );
}

fn sorted(values: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut values: Vec<usize> = values.collect();
    values.sort_unstable();
    values
}

/// Median, ninth decile and maximum of sorted values.
fn spread(values: &[usize]) -> String {
    let at = |percent: usize| {
        let rank = (values.len() * percent).div_ceil(100).max(1);
        values.get(rank - 1).copied().unwrap_or(0)
    };
    format!("{} / {} / {}", at(50), at(90), at(100))
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(lines: usize, functions: Vec<FunctionSize>) -> FileSize {
        FileSize {
            crate_name: "x".into(),
            path: "a.rs".into(),
            lines,
            filled_lines: lines,
            comment_lines: lines / 4,
            functions,
            failure: None,
        }
    }

    fn function(lines: usize, arguments: usize, nesting: usize) -> FunctionSize {
        FunctionSize {
            name: "f".into(),
            line: 1,
            lines,
            arguments,
            nesting,
        }
    }

    #[test]
    fn sizes_at_the_limits_pass() {
        assert!(violations(&[file(500, vec![function(80, 7, 4)])]).is_empty());
    }

    #[test]
    fn sizes_above_a_limit_are_named() {
        assert_eq!(violations(&[file(501, vec![])]).len(), 1);
        assert_eq!(violations(&[file(9, vec![function(81, 8, 5)])]).len(), 3);
    }

    #[test]
    fn row_holds_the_deciles_and_shares() {
        let lengths = [1, 2, 3, 4, 5, 6, 7, 8, 70, 90];
        let functions = lengths.iter().map(|&l| function(l, 0, 0)).collect();
        let text = table(&[file(100, functions)]);
        assert!(text.contains("| all | 1 | 100 | 100 / 100 / 100 | 10 | 5 / 70 / 90 | 2 (20.0 %) | 1 (10.0 %) | 25 % |"), "{text}");
    }
}
