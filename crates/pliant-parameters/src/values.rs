//! Checked values, with defaults filled in.

use std::collections::BTreeMap;

/// A checked value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A whole number.
    Integer(i64),
    /// A flag.
    Flag(bool),
    /// A text, choice, colour or path.
    Text(String),
    /// A vector, points, words, tables or shapes.
    List(Vec<Value>),
    /// A table. A shape is a table with one entry, its name, whose value is its table.
    Table(Values),
}

/// The checked parameters of one item, by name.
///
/// The accessors expect a field that the item declared, of the kind it declared: asking for another
/// one is a defect of the program, not of the scene, and panics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    entries: BTreeMap<String, Value>,
}

/// Why an item cannot be built from values that are each in range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}{}", .remedy.as_ref().map(|r| format!("; {r}")).unwrap_or_default())]
pub struct Problem {
    /// The key it is about, if one.
    pub key: Option<String>,
    /// What is wrong, with the value.
    pub message: String,
    /// What would be right.
    pub remedy: Option<String>,
}

impl Problem {
    /// A problem with one key.
    pub fn at(key: &str, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            key: Some(key.into()),
            message: message.into(),
            remedy: Some(remedy.into()),
        }
    }

    /// A problem with the item as a whole.
    pub fn whole(message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            key: None,
            message: message.into(),
            remedy: Some(remedy.into()),
        }
    }
}

impl Values {
    /// Sets a value.
    pub fn insert(&mut self, name: impl Into<String>, value: Value) {
        self.entries.insert(name.into(), value);
    }

    /// The value of a key, `None` if it is absent.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.entries.get(name)
    }

    /// True if the key is there.
    pub fn has(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    /// All entries, in order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.entries.iter().map(|(k, v)| (k.as_str(), v))
    }

    /// A number.
    pub fn number(&self, name: &str) -> f64 {
        self.optional_number(name).unwrap_or_else(|| missing(name))
    }

    /// A number that may be absent.
    pub fn optional_number(&self, name: &str) -> Option<f64> {
        self.get(name).map(|v| v.as_number(name))
    }

    /// A whole number.
    pub fn integer(&self, name: &str) -> i64 {
        match self.get(name) {
            Some(Value::Integer(i)) => *i,
            _ => missing(name),
        }
    }

    /// A flag.
    pub fn flag(&self, name: &str) -> bool {
        match self.get(name) {
            Some(Value::Flag(b)) => *b,
            _ => missing(name),
        }
    }

    /// A text, choice, colour or path.
    pub fn text(&self, name: &str) -> &str {
        self.optional_text(name).unwrap_or_else(|| missing(name))
    }

    /// A text that may be absent.
    pub fn optional_text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Some(Value::Text(t)) => Some(t),
            None => None,
            _ => missing(name),
        }
    }

    /// Three numbers.
    pub fn vector3(&self, name: &str) -> [f64; 3] {
        self.optional_vector3(name).unwrap_or_else(|| missing(name))
    }

    /// Three numbers that may be absent.
    pub fn optional_vector3(&self, name: &str) -> Option<[f64; 3]> {
        let numbers = self.get(name)?.as_numbers(name);
        Some(numbers.try_into().unwrap_or_else(|_| missing(name)))
    }

    /// A list of numbers.
    pub fn numbers(&self, name: &str) -> Vec<f64> {
        self.get(name)
            .unwrap_or_else(|| missing(name))
            .as_numbers(name)
    }

    /// A list of points.
    pub fn points(&self, name: &str) -> Vec<Vec<f64>> {
        self.list(name).iter().map(|v| v.as_numbers(name)).collect()
    }

    /// A list of words.
    pub fn texts(&self, name: &str) -> Vec<&str> {
        let texts = self.list(name).iter().map(|v| match v {
            Value::Text(t) => t.as_str(),
            _ => missing(name),
        });
        texts.collect()
    }

    /// A nested table that may be absent.
    pub fn table(&self, name: &str) -> Option<&Values> {
        match self.get(name) {
            Some(Value::Table(t)) => Some(t),
            None => None,
            _ => missing(name),
        }
    }

    /// A list of nested tables; empty if absent.
    pub fn tables(&self, name: &str) -> Vec<&Values> {
        let list = match self.get(name) {
            Some(Value::List(list)) => list.as_slice(),
            None => &[],
            _ => missing(name),
        };
        let tables = list.iter().map(|v| match v {
            Value::Table(t) => t,
            _ => missing(name),
        });
        tables.collect()
    }

    /// The one entry of a table that names an item: (name of the shape, its values).
    pub fn named_item(&self) -> (&str, &Values) {
        match self.entries.iter().next() {
            Some((name, Value::Table(values))) if self.entries.len() == 1 => (name, values),
            _ => missing("the item's name"),
        }
    }

    fn list(&self, name: &str) -> &[Value] {
        match self.get(name) {
            Some(Value::List(list)) => list,
            _ => missing(name),
        }
    }
}

impl Value {
    fn as_number(&self, name: &str) -> f64 {
        match self {
            Value::Number(x) => *x,
            Value::Integer(i) => *i as f64,
            _ => missing(name),
        }
    }

    fn as_numbers(&self, name: &str) -> Vec<f64> {
        match self {
            Value::List(list) => list.iter().map(|v| v.as_number(name)).collect(),
            _ => missing(name),
        }
    }
}

fn missing(name: &str) -> ! {
    panic!(
        "'{name}' is not a declared field of that kind: the item's list of fields and its builder disagree"
    )
}
