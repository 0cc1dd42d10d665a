//! From text to tree.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Data, Entry, Node, Table};
use crate::problems::{Origin, Place, SceneError, Sources};

/// Deepest nesting of tables and lists; shapes combined of shapes need a few levels each.
pub(super) const DEEPEST: usize = 48;

/// Parses a source file that is already registered.
///
/// Returns what could be read together with every syntax error.
pub(crate) fn parse_file(sources: &Sources, source: usize) -> (Table, Vec<SceneError>) {
    let text = &sources.files[source].text;
    let origin = move |span: Range<usize>| Origin::File {
        source,
        start: span.start,
        end: span.end,
    };
    if let Some(at) = too_deep_at(text) {
        return (Table::new(), vec![too_deep(sources.place(&origin(at..at)))]);
    }
    let (parsed, failures) = DeTable::parse_recoverable(text);
    let mut errors: Vec<SceneError> = failures
        .iter()
        .map(|e| SceneError {
            place: sources.place(&origin(e.span().unwrap_or(0..0))),
            key: String::new(),
            value: None,
            message: format!("this is not TOML: {}", one_line(e.message())),
            remedy: None,
        })
        .collect();
    let mut reader = Reader {
        origin: &origin,
        place: &|origin| sources.place(origin),
        errors: Vec::new(),
    };
    let table = reader.table(parsed.into_inner(), 0);
    errors.append(&mut reader.errors);
    (table, errors)
}

/// Parses one value of an argument.
pub(crate) fn parse_value(text: &str, argument: usize) -> Result<Node, String> {
    if too_deep_at(text).is_some() {
        return Err("it is nested too deeply".into());
    }
    let parsed = DeValue::parse(text).map_err(|e| one_line(e.message()))?;
    let origin = move |_| Origin::Argument(argument);
    let mut reader = Reader {
        origin: &origin,
        place: &|_| Place::Nowhere,
        errors: Vec::new(),
    };
    let node = reader.value(parsed, 0);
    match reader.errors.pop() {
        Some(error) => Err(error.message),
        None => Ok(node),
    }
}

struct Reader<'a> {
    origin: &'a dyn Fn(Range<usize>) -> Origin,
    place: &'a dyn Fn(&Origin) -> Place,
    errors: Vec<SceneError>,
}

impl Reader<'_> {
    fn table(&mut self, table: DeTable<'_>, depth: usize) -> Table {
        let mut entries = Table::new();
        for (key, value) in table {
            let key_origin = (self.origin)(key.span());
            let node = self.value(value, depth + 1);
            let entry = Entry {
                key: key_origin,
                node,
            };
            entries.insert(key.into_inner().into_owned(), entry);
        }
        entries
    }

    fn value(&mut self, value: Spanned<DeValue<'_>>, depth: usize) -> Node {
        let origin = (self.origin)(value.span());
        let data = match value.into_inner() {
            DeValue::String(text) => Data::Text(text.into_owned()),
            DeValue::Integer(i) => match i64::from_str_radix(i.as_str(), i.radix()) {
                Ok(i) => Data::Integer(i),
                Err(_) => self.unreadable(&origin, "this whole number is too large"),
            },
            DeValue::Float(x) => match x.as_str().parse() {
                Ok(x) => Data::Number(x),
                Err(_) => self.unreadable(&origin, "this is not a number"),
            },
            DeValue::Boolean(b) => Data::Flag(b),
            DeValue::Datetime(date) => Data::Date(date.to_string()),
            DeValue::Array(_) | DeValue::Table(_) if depth > DEEPEST => {
                self.errors.push(too_deep((self.place)(&origin)));
                Data::Flag(false)
            }
            DeValue::Array(list) => {
                let items = list.into_iter().map(|v| self.value(v, depth + 1));
                Data::List(items.collect())
            }
            DeValue::Table(table) => Data::Table(self.table(table, depth)),
        };
        Node { data, origin }
    }

    fn unreadable(&mut self, origin: &Origin, message: &str) -> Data {
        self.errors.push(SceneError {
            place: (self.place)(origin),
            key: String::new(),
            value: None,
            message: message.into(),
            remedy: None,
        });
        Data::Integer(0)
    }
}

fn too_deep(place: Place) -> SceneError {
    SceneError {
        place,
        key: String::new(),
        value: None,
        message: format!("tables and lists are nested more than {DEEPEST} deep"),
        remedy: None,
    }
}

/// Where brackets and dots promise a nesting that would exhaust the stack of a recursive reader.
///
/// Counts brackets without regard to quotes, which can only count too much; the limit leaves room
/// for that.
fn too_deep_at(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (i, byte) in text.bytes().enumerate() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Some(i);
        }
    }
    None
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}
