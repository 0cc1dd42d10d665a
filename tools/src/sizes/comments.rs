//! Which lines carry a comment.

/// Where in the text the scan is.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Code,
    LineComment,
    /// Block comments nest.
    BlockComment(usize),
    Text,
    /// The number of `#` that close it.
    RawText(usize),
}

/// For each line, whether it carries a comment.
pub fn lines_with_comments(text: &str) -> Vec<bool> {
    let mut place = Place::Code;
    text.lines()
        .map(|line| scan_line(line, &mut place))
        .collect()
}

fn scan_line(line: &str, place: &mut Place) -> bool {
    let mut has_comment = matches!(place, Place::BlockComment(_)) && !line.trim().is_empty();
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let (next, length) = step(*place, &bytes[at..], at == 0 || !is_word(bytes[at - 1]));
        *place = next;
        has_comment |= matches!(next, Place::LineComment | Place::BlockComment(_));
        at += length;
    }
    if *place == Place::LineComment {
        *place = Place::Code;
    }
    has_comment
}

/// The place after the next piece of the rest of a line, and the length of the piece.
fn step(place: Place, rest: &[u8], starts_word: bool) -> (Place, usize) {
    match place {
        Place::Code => step_in_code(rest, starts_word),
        Place::LineComment => (place, rest.len()),
        Place::BlockComment(depth) => match rest {
            [b'/', b'*', ..] => (Place::BlockComment(depth + 1), 2),
            [b'*', b'/', ..] if depth == 1 => (Place::Code, 2),
            [b'*', b'/', ..] => (Place::BlockComment(depth - 1), 2),
            _ => (place, 1),
        },
        Place::Text => match rest {
            [b'\\', _, ..] => (place, 2),
            [b'"', ..] => (Place::Code, 1),
            _ => (place, 1),
        },
        Place::RawText(hashes) => {
            let closes = rest[0] == b'"' && hashes_at(&rest[1..]) >= hashes;
            if closes {
                (Place::Code, 1 + hashes)
            } else {
                (place, 1)
            }
        }
    }
}

fn step_in_code(rest: &[u8], starts_word: bool) -> (Place, usize) {
    match rest {
        [b'/', b'/', ..] => (Place::LineComment, rest.len()),
        [b'/', b'*', ..] => (Place::BlockComment(1), 2),
        [b'"', ..] => (Place::Text, 1),
        [b'r', more @ ..] if starts_word && more.get(hashes_at(more)) == Some(&b'"') => {
            let hashes = hashes_at(more);
            (Place::RawText(hashes), 2 + hashes)
        }
        [b'\'', b'\\', _, ..] => (Place::Code, 3),
        [b'\'', _, b'\'', ..] => (Place::Code, 3),
        _ => (Place::Code, 1),
    }
}

fn hashes_at(rest: &[u8]) -> usize {
    rest.iter().take_while(|&&b| b == b'#').count()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::lines_with_comments;

    #[test]
    fn comments_are_distinguished_from_string_literals() {
        let cases = [
            ("let a = 1; // one", true),
            ("/// Doc.", true),
            ("let a = /* one */ 1;", true),
            ("let a = \"http://example.org\";", false),
            ("let a = \"\\\"//\";", false),
            ("let a = r#\"// \" //\"#;", false),
            ("let a = '\"'; let b = \"//\";", false),
            ("let a = '\\''; // quote", true),
            ("fn f<'a>(x: &'a str) -> char { '/' }", false),
            ("", false),
        ];
        for (line, expected) in cases {
            assert_eq!(
                lines_with_comments(line),
                if line.is_empty() {
                    vec![]
                } else {
                    vec![expected]
                },
                "{line}"
            );
        }
    }

    #[test]
    fn block_comments_and_texts_go_on_over_lines() {
        let text = "/* a\n/* b */\nc */ let d = 1;\nlet e = \"x\n// y\";\nlet f = 2;";
        assert_eq!(
            lines_with_comments(text),
            [true, true, true, false, false, false]
        );
    }
}
