//! Where something was written: file, line and column, or a command-line argument.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use crate::document::Setting;

/// Longest excerpt of a line that is shown, in characters.
const EXCERPT_LENGTH: usize = 160;

/// Longest value that is shown, in characters.
const VALUE_LENGTH: usize = 60;

/// Where something was written, as shown to people.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// In a file.
    File {
        /// The file, as it was asked for.
        file: String,
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// The line, shortened.
        excerpt: String,
        /// Number of characters it spans in the excerpt, at least 1.
        width: usize,
    },
    /// In a file, but on no line of it.
    Whole(String),
    /// In an argument, such as `--set KEY=VALUE`.
    Argument(String),
    /// Nowhere: it is missing, or it is about the scene as a whole.
    Nowhere,
}

/// Where a node of a document comes from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Origin {
    /// Bytes of a source file.
    File {
        source: usize,
        start: usize,
        end: usize,
    },
    /// The scene file, but no line of it.
    Whole,
    /// An argument, by index.
    Argument(usize),
    /// Code, which has no lines: the value as messages show it.
    Code(Option<String>),
}

/// A text that was read.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// Name shown in messages.
    pub name: String,
    /// Absolute folder that relative paths in it start from.
    pub folder: PathBuf,
    /// Its text.
    pub text: String,
}

/// All texts a scene was read from; the first is the scene file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources {
    pub files: Vec<Arc<Source>>,
    pub arguments: Vec<Setting>,
}

impl Place {
    /// ` (file, line n)` or ` (--set ...)` or another argument, empty if it was written nowhere.
    pub(crate) fn in_brackets(&self) -> String {
        match self {
            Self::File { file, line, .. } => format!(" ({file}, line {line})"),
            Self::Argument(argument) => format!(" ({argument})"),
            Self::Whole(_) | Self::Nowhere => String::new(),
        }
    }

    /// Sorts errors: files in order of name and line, then arguments.
    pub(crate) fn order(&self) -> (u8, String, usize, usize) {
        match self {
            Place::File {
                file, line, column, ..
            } => (0, file.clone(), *line, *column),
            Place::Whole(file) => (0, file.clone(), usize::MAX, 0),
            Place::Argument(argument) => (1, argument.clone(), 0, 0),
            Place::Nowhere => (2, String::new(), 0, 0),
        }
    }
}

impl Sources {
    /// The place of an origin.
    pub fn place(&self, origin: &Origin) -> Place {
        match origin {
            Origin::File { source, start, end } => match self.files.get(*source) {
                Some(file) => file.place(*start, *end),
                None => Place::Nowhere,
            },
            Origin::Whole => match self.files.first() {
                Some(file) => Place::Whole(file.name.clone()),
                None => Place::Nowhere,
            },
            Origin::Argument(i) => match self.arguments.get(*i) {
                Some(setting) => Place::Argument(setting.argument.clone()),
                None => Place::Nowhere,
            },
            Origin::Code(_) => Place::Nowhere,
        }
    }

    /// The text at an origin, if it is a value on one line.
    pub fn value(&self, origin: &Origin) -> Option<String> {
        let text = match origin {
            Origin::File { source, start, end } => {
                self.files.get(*source)?.text.get(*start..*end)?
            }
            Origin::Argument(i) => self.arguments.get(*i)?.assignment.split_once('=')?.1,
            Origin::Code(value) => return value.clone(),
            Origin::Whole => return None,
        };
        let is_value = !text.contains('\n') && text.chars().count() <= VALUE_LENGTH;
        is_value
            .then(|| text.trim().to_owned())
            .filter(|text| !text.is_empty())
    }

    /// The folder that relative paths written there start from: the folder of the file they are
    /// written in; for arguments the scene file's.
    pub fn folder(&self, origin: &Origin) -> PathBuf {
        let source = match origin {
            Origin::File { source, .. } => *source,
            _ => 0,
        };
        let file = self.files.get(source);
        file.map(|f| f.folder.clone()).unwrap_or_default()
    }
}

impl Source {
    fn place(&self, start: usize, end: usize) -> Place {
        let start = floor_boundary(&self.text, start);
        let before = &self.text[..start];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        let line_text = self.text[line_start..].lines().next().unwrap_or("");
        let column = self.text[line_start..start].chars().count() + 1;
        let line_end = line_start + line_text.len();
        let end = floor_boundary(&self.text, end).clamp(start, line_end.max(start));
        Place::File {
            file: self.name.clone(),
            line: before.matches('\n').count() + 1,
            column,
            excerpt: line_text.chars().take(EXCERPT_LENGTH).collect(),
            width: self.text[start..end].chars().count().max(1),
        }
    }
}

/// The greatest character boundary that is not beyond a byte index.
fn floor_boundary(text: &str, index: usize) -> usize {
    let index = index.min(text.len());
    (0..=index)
        .rev()
        .find(|&i| text.is_char_boundary(i))
        .unwrap_or(0)
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File {
                file,
                line,
                column,
                excerpt,
                width,
            } => {
                let number = line.to_string();
                let margin = " ".repeat(number.len());
                writeln!(f, " {margin}--> {file}:{line}:{column}")?;
                writeln!(f, " {number} | {}", excerpt.replace('\t', " "))?;
                if *column <= EXCERPT_LENGTH {
                    let marks = "^".repeat((*width).min(EXCERPT_LENGTH + 1 - column));
                    writeln!(f, " {margin} | {}{marks}", " ".repeat(column - 1))?;
                }
                Ok(())
            }
            Place::Whole(file) => writeln!(f, "  --> {file}"),
            Place::Argument(argument) => writeln!(f, "  --> in the argument {argument}"),
            Place::Nowhere => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_counts_lines_and_characters_not_bytes() {
        let source = Source {
            name: "a.toml".into(),
            folder: PathBuf::new(),
            text: "x = 1\nü = \"é\" # note\n".into(),
        };
        let start = source.text.find('"').unwrap();
        let place = source.place(start, start + 4);
        let expected = Place::File {
            file: "a.toml".into(),
            line: 2,
            column: 5,
            excerpt: "ü = \"é\" # note".into(),
            width: 3,
        };
        assert_eq!(place, expected);
    }

    #[test]
    fn any_byte_range_has_a_place() {
        let source = Source {
            name: "a.toml".into(),
            folder: PathBuf::new(),
            text: "é\r\nü\n".into(),
        };
        for start in 0..10 {
            for end in 0..10 {
                assert!(matches!(source.place(start, end), Place::File { .. }));
            }
        }
    }
}
