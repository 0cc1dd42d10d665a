//! Words of a text: names, numbers, quoted texts, and what is between brackets.

use super::super::{MeshProblem, malformed};

/// A place in a text.
pub(super) struct Words<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl<'t> Words<'t> {
    pub(super) fn new(bytes: &'t [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// What is wrong here.
    pub(super) fn wrong(&self, what: &str) -> MeshProblem {
        let before = &self.bytes[..self.at.min(self.bytes.len())];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        malformed(format!("line {line}: {what}"))
    }

    /// The next byte that counts, after spaces, ends of lines, semicolons and comments.
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            let next = *self.bytes.get(self.at)?;
            match next {
                b'#' => {
                    let rest = &self.bytes[self.at..];
                    let length = rest.iter().position(|&byte| byte == b'\n');
                    self.at += length.unwrap_or(rest.len());
                }
                b';' => self.at += 1,
                _ if next.is_ascii_whitespace() => self.at += 1,
                _ => return Some(next),
            }
        }
    }

    /// Goes past a byte if it is next.
    pub(super) fn accepts(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Goes past a byte.
    pub(super) fn expect(&mut self, byte: u8) -> Result<(), MeshProblem> {
        match self.accepts(byte) {
            true => Ok(()),
            false => Err(self.wrong(&format!("`{}` is missing", char::from(byte)))),
        }
    }

    /// A name, with colons and dots between its parts.
    pub(super) fn name(&mut self) -> Result<&'t str, MeshProblem> {
        self.peek();
        let rest = &self.bytes[self.at..];
        let is_of_name = |&byte: &u8| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'.') || !byte.is_ascii()
        };
        let length = rest.iter().take_while(|byte| is_of_name(byte)).count();
        let name = std::str::from_utf8(&rest[..length]);
        match name {
            Ok(name) if length > 0 => {
                self.at += length;
                Ok(name)
            }
            _ => Err(self.wrong("a name is missing")),
        }
    }

    /// The name that is next, which is not gone past.
    pub(super) fn next_name(&mut self) -> Option<&'t str> {
        let start = self.at;
        let name = self.name().ok();
        self.at = start;
        name
    }

    /// A number; `None` if something else is next.
    pub(super) fn number(&mut self) -> Option<f64> {
        self.peek();
        let rest = &self.bytes[self.at..];
        let is_of_number =
            |&byte: &u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
        let length = rest.iter().take_while(|byte| is_of_number(byte)).count();
        let starts = rest
            .first()
            .is_some_and(|&byte| !matches!(byte, b'e' | b'E'));
        let (length, number) = match length {
            0 => return None,
            _ if rest[..length] == *b"-" && rest[1..].starts_with(b"inf") => (4, f64::NEG_INFINITY),
            _ if !starts => return None,
            _ => {
                let text = std::str::from_utf8(&rest[..length]).ok()?;
                (length, text.parse().ok()?)
            }
        };
        self.at += length;
        Some(number)
    }

    /// A text between quotes, single or double, one or three of them.
    pub(super) fn quoted(&mut self) -> Result<String, MeshProblem> {
        let Some(quote @ (b'"' | b'\'')) = self.peek() else {
            return Err(self.wrong("a text in quotes is missing"));
        };
        let rest = &self.bytes[self.at..];
        let width = match rest.starts_with(&[quote; 3]) {
            true => 3,
            false => 1,
        };
        let mut text = Vec::new();
        let mut at = width;
        loop {
            let here = &rest[at.min(rest.len())..];
            match here {
                [] => return Err(self.wrong("the text in quotes does not end")),
                [b'\n', ..] if width == 1 => {
                    return Err(self.wrong("the text in quotes does not end in its line"));
                }
                [b'\\', escaped, ..] => {
                    text.push(match escaped {
                        b'n' => b'\n',
                        b't' => b'\t',
                        other => *other,
                    });
                    at += 2;
                }
                _ if here.starts_with(&[quote; 3][..width]) => break,
                [byte, ..] => {
                    text.push(*byte);
                    at += 1;
                }
            }
        }
        self.at += at + width;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// What is between two marks, of which the first is next.
    pub(super) fn between(&mut self, start: &str, end: &str) -> Result<String, MeshProblem> {
        self.peek();
        let rest = &self.bytes[self.at..];
        let inner = rest.strip_prefix(start.as_bytes()).unwrap_or_default();
        let mut places = inner.windows(end.len());
        let length = places.position(|window| window == end.as_bytes());
        let length = length.ok_or_else(|| self.wrong(&format!("`{end}` is missing")))?;
        self.at += start.len() + length + end.len();
        Ok(String::from_utf8_lossy(&inner[..length]).into_owned())
    }

    /// The path of a file: between single @, or three of them.
    pub(super) fn file(&mut self) -> Result<String, MeshProblem> {
        self.peek();
        match self.bytes[self.at..].starts_with(b"@@@") {
            true => self.between("@@@", "@@@"),
            false => self.between("@", "@"),
        }
    }

    /// Goes past what is between brackets, of which the first is next.
    pub(super) fn skip_brackets(&mut self) -> Result<(), MeshProblem> {
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                None => return Err(self.wrong("a bracket is not closed")),
                Some(b'(' | b'[' | b'{') => {
                    depth += 1;
                    self.at += 1;
                }
                Some(b')' | b']' | b'}') => {
                    depth = depth.saturating_sub(1);
                    self.at += 1;
                }
                Some(b'"' | b'\'') => {
                    self.quoted()?;
                }
                Some(b'@') => {
                    self.file()?;
                }
                Some(_) => self.at += 1,
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }
}
