//! What a key accepts, in words.

use pliant_parameters::{Field, Kind, Range};

use crate::problems::choices_text;
use crate::tables::shape_items;

/// What a field accepts, with its unit: `a number greater than 0, in m`.
pub(crate) fn accepted_text(field: &Field) -> String {
    let text = kind_text(&field.kind);
    if field.unit.is_empty() {
        text
    } else {
        format!("{text}, in {}", field.unit)
    }
}

/// What a kind of value is, in words.
pub(crate) fn kind_text(kind: &Kind) -> String {
    match kind {
        Kind::Number(range) => number_text("a number", range),
        Kind::Integer(range) => number_text("a whole number", range),
        Kind::Flag => "true or false".into(),
        Kind::Text => "a text".into(),
        Kind::Color => "a colour such as \"#d8b27a\"".into(),
        Kind::File | Kind::LateFile => {
            "the path of a file, relative to the file it is written in".into()
        }
        Kind::FileSequence => {
            "the paths of numbered files, # for each digit, relative to the file it is written in"
                .into()
        }
        Kind::Choice(words) => choices_text(words.iter().copied()),
        Kind::NumberOrChoice(range, words) => format!(
            "{}, or {}",
            number_text("a number", range),
            choices_text(words.iter().copied())
        ),
        Kind::Choices(words) => {
            format!("a list of {}", choices_text(words.iter().copied()))
        }
        Kind::Vector(count, range) if *range == Range::ANY => format!("a list of {count} numbers"),
        Kind::Vector(count, range) => format!("a list of {count} numbers, each {range}"),
        Kind::Points { dimension, least } => {
            format!("a list of at least {least} points of {dimension} numbers")
        }
        Kind::Table(fields) => format!("a table with {}", keys_text(fields)),
        Kind::Tables(fields) => format!("a list of tables with {}", keys_text(fields)),
        Kind::Shape => format!("a table with one key, the shape: {}", shapes_text()),
        Kind::Shapes => format!(
            "a list of shapes, each a table with one key: {}",
            shapes_text()
        ),
        Kind::PlacedShapes(least) => format!(
            "a list of at least {least} shapes, each a table with one key: {}; and, if wanted, position and rotation",
            shapes_text()
        ),
    }
}

fn number_text(what: &str, range: &Range) -> String {
    if *range == Range::ANY {
        return what.into();
    }
    format!("{what} {range}")
}

fn keys_text(fields: &[Field]) -> String {
    let names: Vec<&str> = fields.iter().map(|f| f.name).collect();
    format!("the keys {}", names.join(", "))
}

fn shapes_text() -> String {
    let names: Vec<&str> = shape_items().iter().map(|s| s.name).collect();
    names.join(", ")
}
