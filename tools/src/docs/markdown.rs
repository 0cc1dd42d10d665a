//! As much of Markdown as the checks need.

/// A line of a page outside of fenced code.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<'a> {
    /// Number, from 1.
    pub number: usize,
    /// Text.
    pub text: &'a str,
}

/// Fenced code.
#[derive(Clone, Debug, PartialEq)]
pub struct Fence<'a> {
    /// Number of the opening line, from 1.
    pub number: usize,
    /// What stands behind the opening fence.
    pub info: &'a str,
    /// The lines between.
    pub text: String,
}

/// A page taken apart.
#[derive(Clone, Debug, Default)]
pub struct Page<'a> {
    /// Lines outside of fenced code.
    pub lines: Vec<Line<'a>>,
    /// Fenced code.
    pub fences: Vec<Fence<'a>>,
}

impl<'a> Page<'a> {
    /// Takes a page apart.
    pub fn parse(text: &'a str) -> Self {
        let mut page = Self::default();
        let mut open: Option<Fence<'a>> = None;
        for (k, line) in text.lines().enumerate() {
            let number = k + 1;
            match (open.take(), line.trim_start().strip_prefix("```")) {
                (Some(fence), Some(_)) => page.fences.push(fence),
                (Some(mut fence), None) => {
                    fence.text.push_str(line);
                    fence.text.push('\n');
                    open = Some(fence);
                }
                (None, Some(info)) => {
                    open = Some(Fence {
                        number,
                        info: info.trim(),
                        text: String::new(),
                    });
                }
                (None, None) => page.lines.push(Line { number, text: line }),
            }
        }
        page
    }

    /// The anchors of its headings: lower case, words joined by hyphens, punctuation left out.
    pub fn anchors(&self) -> Vec<String> {
        let headings = self.lines.iter().filter(|line| line.text.starts_with('#'));
        headings
            .map(|line| anchor(line.text.trim_start_matches('#')))
            .collect()
    }
}

/// The code spans of a line, without their backticks.
pub fn code_spans(line: &str) -> Vec<&str> {
    line.split('`').skip(1).step_by(2).collect()
}

/// The targets of the links and pictures in a line, code spans left out.
pub fn link_targets(line: &str) -> Vec<String> {
    let text: Vec<&str> = line.split('`').step_by(2).collect();
    let text = text.join("code");
    let mut targets = Vec::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("](") {
        rest = &rest[at + 2..];
        let end = rest.find(')').unwrap_or(rest.len());
        let target = rest[..end].split_whitespace().next().unwrap_or("");
        targets.push(target.to_owned());
        rest = &rest[end..];
    }
    targets
}

fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter_map(|c| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        c if c.is_alphanumeric() => Some(c.to_ascii_lowercase()),
        _ => None,
    });
    kept.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_are_kept_apart_from_text() {
        let page = Page::parse("a\n```toml scene\nb\n```\nc\n");
        let lines: Vec<_> = page.lines.iter().map(|l| (l.number, l.text)).collect();
        assert_eq!(lines, [(1, "a"), (5, "c")]);
        assert_eq!(
            (page.fences[0].info, page.fences[0].text.as_str()),
            ("toml scene", "b\n")
        );
    }

    #[test]
    fn targets_are_those_of_links_outside_of_code() {
        let line = "see [a](b.md), `[c](d.md)` and ![e](f.png \"title\")";
        assert_eq!(link_targets(line), ["b.md", "f.png"]);
        assert_eq!(link_targets("[`a`](b.md)"), ["b.md"]);
    }

    #[test]
    fn anchors_are_those_of_the_book() {
        let page = Page::parse("# The step: c·dt/r\n## `run` and resume\n");
        assert_eq!(page.anchors(), ["the-step-cdtr", "run-and-resume"]);
    }

    #[test]
    fn code_spans_are_what_stands_between_backticks() {
        assert_eq!(code_spans("| `a` | b `c/d.rs` |"), ["a", "c/d.rs"]);
    }
}
