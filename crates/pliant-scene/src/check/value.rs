//! Checking one value against what its row accepts.

use std::io::ErrorKind;
use std::path::Path;

use pliant_parameters::{Field, Files, Found, Kind, Range, Value, Values};

use super::Checker;
use super::accepted::{accepted_text, kind_text};
use crate::document::{Data, Node, Table, address_text};
use crate::problems::{Origin, SceneError, choices_text, nearest};

/// Where a shape stands in a combination.
pub(crate) const PLACE: &[Field] = &[
    Field::optional(
        "position",
        Kind::Vector(3, Range::ANY),
        "m",
        "Where its origin is.",
    ),
    Field::optional(
        "rotation",
        Kind::Vector(3, Range::ANY),
        "degrees",
        "Rotations about its own x, then y, then z axis.",
    ),
];

impl Checker<'_> {
    /// The checked value, or `None` after errors were reported.
    pub(super) fn value(&mut self, node: &Node, field: &Field, path: &str) -> Option<Value> {
        self.origins.insert(path.into(), node.origin.clone());
        match (&field.kind, &node.data) {
            (Kind::Number(range), Data::Number(_) | Data::Integer(_)) => {
                self.number(node, range, field, path).map(Value::Number)
            }
            (Kind::Integer(range), Data::Integer(i)) => {
                let is_accepted = range.contains(*i as f64);
                self.accept(is_accepted, node, field, path, Value::Integer(*i))
            }
            (Kind::Flag, Data::Flag(flag)) => Some(Value::Flag(*flag)),
            (Kind::Text, Data::Text(text)) => Some(Value::Text(text.clone())),
            (Kind::Color, Data::Text(text)) => {
                let value = Value::Text(text.clone());
                self.accept(is_color(text), node, field, path, value)
            }
            (Kind::File, Data::Text(text)) => self.file(node, text, path),
            (Kind::LateFile | Kind::FileSequence, Data::Text(text)) => self.path(node, text, path),
            (Kind::Choice(words), Data::Text(text)) => self.word(node, text, words, path),
            (Kind::NumberOrChoice(_, words), Data::Text(text)) => {
                self.word(node, text, words, path)
            }
            (Kind::NumberOrChoice(range, _), Data::Number(_) | Data::Integer(_)) => {
                self.number(node, range, field, path).map(Value::Number)
            }
            (Kind::Table(fields), Data::Table(table)) => {
                let values = self.rows(table, &node.origin, path, fields);
                Some(Value::Table(values))
            }
            (Kind::Shape, Data::Table(table)) => self.shape(node, table, field, path),
            (Kind::PlacedShapes(least), Data::List(list)) => {
                self.placed_shapes(node, list, *least, field, path)
            }
            (_, Data::List(list)) => self.list(node, list, field, path),
            _ => {
                self.wrong_type(node, field, path);
                None
            }
        }
    }

    fn list(&mut self, node: &Node, list: &[Node], field: &Field, path: &str) -> Option<Value> {
        let item_field = |kind| Field { kind, ..*field };
        let item = match field.kind {
            Kind::Vector(count, range) => {
                return self.vector(node, list, count, &range, field, path);
            }
            Kind::Choices(words) => item_field(Kind::Choice(words)),
            Kind::Points { dimension, least } if list.len() >= least => {
                item_field(Kind::Vector(dimension, Range::ANY))
            }
            Kind::Points { .. } => {
                self.fail(path, node, "these are too few points", accepted_text(field));
                return None;
            }
            Kind::Tables(fields) => item_field(Kind::Table(fields)),
            Kind::Shapes => item_field(Kind::Shape),
            _ => {
                self.wrong_type(node, field, path);
                return None;
            }
        };
        let mut values = Vec::new();
        for (i, element) in list.iter().enumerate() {
            values.extend(self.value(element, &item, &format!("{path}[{i}]")));
        }
        (values.len() == list.len()).then_some(Value::List(values))
    }

    fn vector(
        &mut self,
        node: &Node,
        list: &[Node],
        count: usize,
        range: &Range,
        field: &Field,
        path: &str,
    ) -> Option<Value> {
        if list.len() != count {
            let message = format!("this list has {} numbers", list.len());
            self.fail(path, node, message, accepted_text(field));
            return None;
        }
        let item = Field {
            kind: Kind::Number(*range),
            ..*field
        };
        let mut values = Vec::new();
        for (i, element) in list.iter().enumerate() {
            values.extend(self.value(element, &item, &format!("{path}[{i}]")));
        }
        (values.len() == count).then_some(Value::List(values))
    }

    fn number(&mut self, node: &Node, range: &Range, field: &Field, path: &str) -> Option<f64> {
        let number = match node.data {
            Data::Number(x) => x,
            Data::Integer(i) => i as f64,
            _ => f64::NAN,
        };
        if range.contains(number) {
            return Some(number);
        }
        self.fail(path, node, "out of range", expected_text(field));
        None
    }

    fn accept(
        &mut self,
        is_accepted: bool,
        node: &Node,
        field: &Field,
        path: &str,
        value: Value,
    ) -> Option<Value> {
        if is_accepted {
            return Some(value);
        }
        let message = match field.kind {
            Kind::Color => "this is not a colour",
            _ => "out of range",
        };
        self.fail(path, node, message, expected_text(field));
        None
    }

    pub(super) fn word(
        &mut self,
        node: &Node,
        text: &str,
        words: &[&str],
        path: &str,
    ) -> Option<Value> {
        if words.contains(&text) {
            return Some(Value::Text(text.into()));
        }
        let choices = format!("choices are {}", choices_text(words.iter().copied()));
        let remedy = match nearest(text, words.iter().copied()) {
            Some(right) => format!("did you mean \"{right}\"? {choices}"),
            None => choices,
        };
        self.fail(path, node, "there is no such choice", remedy);
        None
    }

    /// The absolute path of a file that is there.
    fn file(&mut self, node: &Node, text: &str, path: &str) -> Option<Value> {
        let file = self.sources.folder(&node.origin).join(text);
        let file = crate::paths::without_dots(&file);
        if let Some((message, remedy)) = no_file(self.files, &file) {
            self.fail(path, node, message, remedy.into());
            return None;
        }
        self.path(node, text, path)
    }

    /// A path, seen from the file that it is written in.
    fn path(&mut self, node: &Node, text: &str, path: &str) -> Option<Value> {
        let file = self.sources.folder(&node.origin).join(text);
        match crate::paths::without_dots(&file).to_str() {
            Some(file) => Some(Value::Text(file.into())),
            None => {
                let remedy = "rename the folder".into();
                self.fail(path, node, "its folder's name is not UTF-8", remedy);
                None
            }
        }
    }

    fn shape(&mut self, node: &Node, table: &Table, field: &Field, path: &str) -> Option<Value> {
        let mut entries = table.iter();
        let (Some((name, entry)), None) = (entries.next(), entries.next()) else {
            let message = format!("a shape has one key, and this table has {}", table.len());
            self.fail(path, node, message, expected_text(field));
            return None;
        };
        let path = address_text(path, name);
        let Some(kind) = pliant_geometry::shapes::kind(name) else {
            self.unknown_shape(&entry.key, name, &path);
            return None;
        };
        let fields = Field {
            kind: Kind::Table(kind.fields),
            ..*field
        };
        let inner = self.value(&entry.node, &fields, &path)?;
        let mut values = Values::default();
        values.insert(name.clone(), inner);
        Some(Value::Table(values))
    }

    fn unknown_shape(&mut self, key: &Origin, name: &str, path: &str) {
        let names = || pliant_geometry::shapes::KINDS.iter().map(|k| k.name);
        let remedy = match nearest(name, names()) {
            Some(right) => format!("did you mean \"{right}\"?"),
            None => format!("shapes are {}", choices_text(names())),
        };
        self.errors.push(SceneError {
            place: self.sources.place(key),
            key: path.into(),
            value: None,
            message: "there is no such shape".into(),
            remedy: Some(remedy),
        });
    }

    fn placed_shapes(
        &mut self,
        node: &Node,
        list: &[Node],
        least: usize,
        field: &Field,
        path: &str,
    ) -> Option<Value> {
        if list.len() < least {
            self.fail(path, node, "these are too few shapes", expected_text(field));
            return None;
        }
        let mut values = Vec::new();
        for (i, element) in list.iter().enumerate() {
            values.extend(self.placed_shape(element, field, &format!("{path}[{i}]")));
        }
        (values.len() == list.len()).then_some(Value::List(values))
    }

    /// A shape with `position` and `rotation` beside its name.
    fn placed_shape(&mut self, node: &Node, field: &Field, path: &str) -> Option<Value> {
        self.origins.insert(path.into(), node.origin.clone());
        let Data::Table(table) = &node.data else {
            self.wrong_type(node, field, path);
            return None;
        };
        let is_place = |key: &String| PLACE.iter().any(|f| f.name == key);
        let (place, shape): (Table, Table) =
            table.clone().into_iter().partition(|(k, _)| is_place(k));
        let mut values = self.rows(&place, &node.origin, path, PLACE);
        let Value::Table(shape) = self.shape(node, &shape, field, path)? else {
            return None;
        };
        let (name, inner) = shape.named_item();
        values.insert(name, Value::Table(inner.clone()));
        Some(Value::Table(values))
    }

    fn wrong_type(&mut self, node: &Node, field: &Field, path: &str) {
        let message = format!("this is {}", node.kind_text());
        self.fail(path, node, message, expected_text(field));
    }
}

/// Why there is no file to read at a path, and what would be right.
fn no_file(files: &dyn Files, file: &Path) -> Option<(String, &'static str)> {
    let shown = file.display();
    match files.look(file) {
        Ok(Found::File { .. }) => None,
        Ok(Found::Folder) => Some((format!("{shown} is a folder"), "name a file in it")),
        Ok(Found::Other) => Some((
            format!("{shown} is a device or a pipe, and files are read more than once"),
            "write what it gives to a file, and name that",
        )),
        Err(error) if error.kind() == ErrorKind::NotFound => Some((
            format!("there is no file {shown}"),
            "paths are relative to the file they are written in",
        )),
        Err(error) => Some((
            format!("the file {shown} cannot be read: {error}"),
            "make it readable, or name another one",
        )),
    }
}

fn expected_text(field: &Field) -> String {
    match field.kind {
        Kind::Table(_) => format!("it must be {}", kind_text(&field.kind)),
        _ => format!("it must be {}", accepted_text(field)),
    }
}

fn is_color(text: &str) -> bool {
    text.strip_prefix('#')
        .is_some_and(|hex| hex.len() == 6 && hex.bytes().all(|b| b.is_ascii_hexdigit()))
}
