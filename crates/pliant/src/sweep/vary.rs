//! `KEY=V1,V2,...`: a key and the values it takes.

/// A key of a scene and the values it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vary {
    /// Its address: `body.column.spacing`.
    pub key: String,
    /// The values as TOML, at least one, none twice.
    pub values: Vec<String>,
}

/// Why a text is no key with values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VaryError {
    /// There is no equals sign, or no key before it.
    #[error("`{0}` names no key and values; write KEY=V1,V2,...")]
    NoKey(String),
    /// A value is empty.
    #[error("value {place} of `{key}` is empty; write KEY=V1,V2,... without a comma too many")]
    EmptyValue {
        /// The key.
        key: String,
        /// Which value, from 1.
        place: usize,
    },
    /// A list, table or text is not closed.
    #[error("`{key}`: a {what} is not closed in `{values}`")]
    Open {
        /// The key.
        key: String,
        /// What is not closed.
        what: &'static str,
        /// What was written.
        values: String,
    },
    /// A value stands twice.
    #[error("`{key}` takes the value {value} twice")]
    Twice {
        /// The key.
        key: String,
        /// The value.
        value: String,
    },
}

impl Vary {
    /// Reads `KEY=V1,V2,...`. Commas inside lists, tables and texts part no values.
    ///
    /// # Errors
    /// If there is no key, or a value is empty, not closed or there twice.
    pub fn parse(text: &str) -> Result<Self, VaryError> {
        let (key, values) = text
            .split_once('=')
            .map(|(key, values)| (key.trim(), values.trim()))
            .filter(|(key, _)| !key.is_empty())
            .ok_or_else(|| VaryError::NoKey(text.to_owned()))?;
        let split = split(values).map_err(|what| VaryError::Open {
            key: key.to_owned(),
            what,
            values: values.to_owned(),
        })?;
        let mut kept: Vec<String> = Vec::new();
        for (place, value) in split.into_iter().enumerate() {
            if value.is_empty() {
                let (key, place) = (key.to_owned(), place + 1);
                return Err(VaryError::EmptyValue { key, place });
            }
            if kept.iter().any(|other| other == value) {
                let (key, value) = (key.to_owned(), value.to_owned());
                return Err(VaryError::Twice { key, value });
            }
            kept.push(value.to_owned());
        }
        Ok(Self {
            key: key.to_owned(),
            values: kept,
        })
    }

    /// The values as numbers, if all are.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        self.values.iter().map(|value| as_number(value)).collect()
    }
}

/// A value as a number; TOML allows underscores between digits.
pub(super) fn as_number(value: &str) -> Option<f64> {
    let number: f64 = value.replace('_', "").parse().ok()?;
    number.is_finite().then_some(number)
}

/// The parts between commas that stand in no list, table or text, or what is not closed.
fn split(text: &str) -> Result<Vec<&str>, &'static str> {
    let (mut parts, mut start) = (Vec::new(), 0);
    let (mut depth, mut quote, mut is_escaped) = (0u32, None, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if is_escaped => is_escaped = false,
            (Some('"'), '\\') => is_escaped = true,
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            (None, _) => {}
        }
    }
    match (quote, depth) {
        (Some(_), _) => Err("text"),
        (None, 1..) => Err("list or table"),
        (None, 0) => {
            parts.push(text[start..].trim());
            Ok(parts)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn values(text: &str) -> Vec<String> {
        Vary::parse(text).unwrap().values
    }

    #[test]
    fn commas_in_lists_tables_and_texts_do_not_separate_values() {
        assert_eq!(values("a.b = 1, 2.5,3e4"), ["1", "2.5", "3e4"]);
        assert_eq!(
            values("scene.gravity=[0, -9.81, 0],[0, 0, 0]"),
            ["[0, -9.81, 0]", "[0, 0, 0]"]
        );
        assert_eq!(
            values("body[0].shape={ box = { size = [1, 2, 3] } },{ sphere = { radius = 1 } }")
                .len(),
            2
        );
        assert_eq!(
            values(r#"scene.title="a, b",'c, "d'"#),
            [r#""a, b""#, r#"'c, "d'"#]
        );
        assert_eq!(values(r#"scene.title="a \", b""#).len(), 1);
        assert_eq!(values("x=a=b"), ["a=b"]);
    }

    #[test]
    fn malformed_variations_are_refused() {
        use VaryError::*;
        for text in ["", "a", "=1", " = 1"] {
            assert!(matches!(Vary::parse(text), Err(NoKey(_))), "{text}");
        }
        for (text, which) in [("a=", 1), ("a=1,", 2), ("a=1,,2", 2), ("a=,1", 1)] {
            let key = "a".to_owned();
            assert_eq!(
                Vary::parse(text),
                Err(EmptyValue { key, place: which }),
                "{text}"
            );
        }
        for text in ["a=[1, 2", "a={ b = 1", "a=\"x"] {
            assert!(matches!(Vary::parse(text), Err(Open { .. })), "{text}");
        }
        assert!(matches!(Vary::parse("a=1,2,1"), Err(Twice { .. })));
    }

    #[test]
    fn numbers_are_known_as_such() {
        assert_eq!(
            Vary::parse("a=1,2e3,1_000").unwrap().numbers(),
            Some(vec![1.0, 2e3, 1e3])
        );
        assert_eq!(Vary::parse("a=1,\"b\"").unwrap().numbers(), None);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[a-c=,\\[\\]{}\"'\\\\ 0-9é]{0,24}") {
            if let Ok(vary) = Vary::parse(&text) {
                prop_assert!(vary.values.iter().all(|value| !value.is_empty()));
            }
        }
    }
}
