//! Pages in one HTML file that open anywhere, without a network and without scripts: the frame they
//! share, charts, and text as it may stand in them.
//!
//! Not here: what a page is about (`crate::report`, `crate::sweep`, `crate::validate`, the command
//! `bench`).

mod axis;
mod bars;
mod chart;
mod html;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

pub use axis::Scaling;
pub use bars::bars;
pub use chart::{Across, Chart, MOST_SERIES, Series};
pub use html::{escaped, words};

const STYLE: &str = include_str!("style.css");

/// A whole page; `body` is ready to be shown.
pub fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escaped(title)
    )
}

/// A heading with a line of text below; both as they are read.
pub fn heading(title: &str, below: &str) -> String {
    format!(
        "<header>\n<h1>{}</h1>\n<p class=\"source\">{}</p>\n</header>\n",
        escaped(title),
        escaped(below)
    )
}

/// A section of figures side by side; empty without any.
pub fn grid(heading: &str, figures: &str) -> String {
    if figures.is_empty() {
        return String::new();
    }
    format!(
        "<section>\n<h2>{}</h2>\n<div class=\"figures\">\n{figures}</div>\n</section>\n",
        escaped(heading)
    )
}

/// A table of cells that are ready to be shown, the first row its header, as wide as it must be;
/// columns of `right` are set to the right.
pub fn table(rows: &[Vec<String>], right: &[usize]) -> String {
    let line = |(i, cells): (usize, &Vec<String>)| {
        let tag = if i == 0 { "th" } else { "td" };
        let cell = |(c, cell): (usize, &String)| {
            let class = if right.contains(&c) {
                " class=\"number\""
            } else {
                ""
            };
            format!("<{tag}{class}>{cell}</{tag}>")
        };
        let cells: String = cells.iter().enumerate().map(cell).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let lines: String = rows.iter().enumerate().map(line).collect();
    format!("<div class=\"wide\"><table>\n{lines}</table></div>\n")
}

/// The verdict, as a cell of a table.
pub fn verdict(passes: bool) -> String {
    let (class, word) = if passes {
        ("pass", "pass")
    } else {
        ("fail", "fail")
    };
    format!("<span class=\"{class}\">{word}</span>")
}

/// The content of a file as an address that needs no file.
pub fn data(kind: &str, bytes: &[u8]) -> String {
    format!("data:{kind};base64,{}", STANDARD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_needs_nothing_from_elsewhere() {
        let rows = [["a", "b"], ["1", "2"]].map(|row| row.map(String::from).to_vec());
        let text = page("x < y", &table(&rows, &[1]));
        assert!(text.contains("x &lt; y") && text.contains("<td class=\"number\">2</td>"));
        assert!(!text.contains("http") && !text.contains("<script"));
    }
}
