//! Printing a scene as TOML.

use std::fmt::Write;
use std::path::Path;

use pliant_geometry::shapes::kind;
use pliant_parameters::{Field, Kind, Value, Values};

use crate::check::{PLACE, Tables};
use crate::paths::relative;
use crate::tables::{Form, TABLES, TableKind};

/// Every table with every value, in the order of the reference page. Paths are relative to `folder`.
pub(crate) fn print(tables: &Tables, folder: &Path) -> String {
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
    let printer = Printer { folder: &folder };
    let mut text = String::new();
    for kind in TABLES {
        for values in tables.get(kind.name).into_iter().flatten() {
            printer.item(&mut text, kind, values);
        }
    }
    text
}

/// A value as TOML, of numbers, words, flags and lists of them.
pub(crate) fn plain_text(value: &Value, kind: &Kind) -> String {
    let mut text = String::new();
    let folder = Path::new("");
    Printer { folder }.value(&mut text, value, kind);
    text
}

struct Printer<'a> {
    folder: &'a Path,
}

impl Printer<'_> {
    fn item(&self, text: &mut String, table: &TableKind, values: &Values) {
        if !text.is_empty() {
            text.push('\n');
        }
        let header = match table.form {
            Form::One => format!("[{}]", table.name),
            Form::Named => format!("[{}.{}]", table.name, key_text(values.text("name"))),
            Form::List | Form::NamelessList => format!("[[{}]]", table.name),
        };
        text.push_str(&header);
        text.push('\n');
        let mut fields = table.fields.to_vec();
        if let Some(variants) = table.variants {
            let word = values.text(variants.key);
            self.line(text, variants.key, &Value::Text(word.into()), &Kind::Text);
            let items = (variants.items)();
            let item = items.iter().find(|i| i.name == word);
            fields.extend(item.into_iter().flat_map(|i| i.fields));
        }
        for field in &fields {
            if let Some(value) = values.get(field.name) {
                self.line(text, field.name, value, &field.kind);
            }
        }
    }

    fn line(&self, text: &mut String, key: &str, value: &Value, kind: &Kind) {
        text.push_str(&key_text(key));
        text.push_str(" = ");
        self.value(text, value, kind);
        text.push('\n');
    }

    fn value(&self, text: &mut String, value: &Value, kind: &Kind) {
        match (value, kind) {
            (Value::Text(path), Kind::File | Kind::LateFile | Kind::FileSequence) => {
                write_text(text, &relative(Path::new(path), self.folder));
            }
            (Value::Text(word), _) => write_text(text, word),
            // The shortest decimal that parses to the same bits, always with a point or exponent.
            (Value::Number(x), _) => text.push_str(&format!("{x:?}")),
            (Value::Integer(i), _) => text.push_str(&i.to_string()),
            (Value::Flag(b), _) => text.push_str(&b.to_string()),
            (Value::List(list), _) => self.list(text, list, &element_kind(kind)),
            (Value::Table(values), Kind::Shape) => self.shape(text, values),
            (Value::Table(values), Kind::Table(fields)) => self.table(text, values, fields),
            (Value::Table(_), _) => text.push_str("{}"),
        }
    }

    fn list(&self, text: &mut String, list: &[Value], kind: &Kind) {
        text.push('[');
        for (i, value) in list.iter().enumerate() {
            if i > 0 {
                text.push_str(", ");
            }
            self.value(text, value, kind);
        }
        text.push(']');
    }

    fn table(&self, text: &mut String, values: &Values, fields: &[Field]) {
        text.push_str("{ ");
        self.entries(text, values, fields);
        text.push_str(" }");
    }

    fn entries(&self, text: &mut String, values: &Values, fields: &[Field]) {
        let mut is_first = true;
        for field in fields {
            if let Some(value) = values.get(field.name) {
                if !is_first {
                    text.push_str(", ");
                }
                is_first = false;
                text.push_str(&key_text(field.name));
                text.push_str(" = ");
                self.value(text, value, &field.kind);
            }
        }
    }

    /// A shape under its name, and its place where it has one.
    fn shape(&self, text: &mut String, values: &Values) {
        let is_place = |key: &str| PLACE.iter().any(|f| f.name == key);
        text.push_str("{ ");
        for (name, inner) in values.iter().filter(|(name, _)| !is_place(name)) {
            let fields = kind(name).map_or(&[][..], |k| k.fields);
            text.push_str(&key_text(name));
            text.push_str(" = ");
            self.value(text, inner, &Kind::Table(fields));
        }
        if PLACE.iter().any(|f| values.has(f.name)) {
            text.push_str(", ");
            self.entries(text, values, PLACE);
        }
        text.push_str(" }");
    }
}

fn element_kind(list: &Kind) -> Kind {
    match *list {
        Kind::Tables(fields) => Kind::Table(fields),
        Kind::Shapes | Kind::PlacedShapes(_) => Kind::Shape,
        other => other,
    }
}

fn key_text(key: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !key.is_empty() && key.chars().all(is_bare) {
        return key.into();
    }
    let mut text = String::new();
    write_text(&mut text, key);
    text
}

/// A text as a basic TOML string.
pub(crate) fn text_of(text: &str) -> String {
    let mut out = String::new();
    write_text(&mut out, text);
    out
}

/// A basic TOML string.
fn write_text(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
