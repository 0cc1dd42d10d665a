//! The tree.

use std::collections::BTreeMap;

use crate::problems::Origin;

/// Longest value shown in a message, in characters.
const SHOWN_LENGTH: usize = 60;

/// A value and where it was written.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub data: Data,
    pub origin: Origin,
}

/// A TOML value.
#[derive(Clone, Debug)]
pub(crate) enum Data {
    Number(f64),
    Integer(i64),
    Flag(bool),
    Text(String),
    Date(String),
    List(Vec<Node>),
    Table(Table),
}

/// The entries of a table.
pub(crate) type Table = BTreeMap<String, Entry>;

/// A value of a table and where its key was written.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub key: Origin,
    pub node: Node,
}

impl Node {
    /// The value of an entry `name` that is a text, of a table.
    pub fn name(&self) -> Option<&str> {
        match &self.data {
            Data::Table(table) => table_text(table, "name"),
            _ => None,
        }
    }

    /// What it is, with its article.
    pub fn kind_text(&self) -> &'static str {
        match self.data {
            Data::Number(_) => "a number",
            Data::Integer(_) => "a whole number",
            Data::Flag(_) => "true or false",
            Data::Text(_) => "a text",
            Data::Date(_) => "a date",
            Data::List(_) => "a list",
            Data::Table(_) => "a table",
        }
    }

    /// The value in TOML, shortened for a message; `None` for tables, which are told by their place.
    pub fn shown(&self) -> Option<String> {
        let text = match &self.data {
            Data::Table(_) => return None,
            Data::List(list) => {
                let items: Option<Vec<String>> = list.iter().take(8).map(Node::shown).collect();
                let dots = if list.len() > 8 { ", ..." } else { "" };
                format!("[{}{dots}]", items?.join(", "))
            }
            Data::Number(x) => format!("{x:?}"),
            Data::Integer(i) => i.to_string(),
            Data::Flag(b) => b.to_string(),
            Data::Text(t) => format!("{t:?}"),
            Data::Date(d) => d.clone(),
        };
        if text.chars().count() <= SHOWN_LENGTH {
            return Some(text);
        }
        let start: String = text.chars().take(SHOWN_LENGTH).collect();
        Some(format!("{start}..."))
    }
}

/// The text under a key.
pub(crate) fn table_text<'a>(table: &'a Table, key: &str) -> Option<&'a str> {
    match &table.get(key)?.node.data {
        Data::Text(text) => Some(text),
        _ => None,
    }
}
