//! Checking tables: known keys, missing keys, defaults, words that bring further rows.

use std::collections::BTreeMap;

use pliant_parameters::{Field, Kind, Preset, Value, Values};

use super::accepted::accepted_text;
use super::{Checker, presets, references, renamed, rules};
use crate::document::{Data, Entry, Node, Table, address_text};
use crate::problems::{Origin, SceneError, choices_text, nearest};
use crate::tables::{Form, Item, PRESET, TABLES, TableKind, Variants};

/// The checked tables by key of the top level, in order of the file.
pub(crate) type Tables = BTreeMap<&'static str, Vec<Values>>;

/// Checks a whole document, filling in defaults. What failed is missing from the tables.
pub(crate) fn check_document(checker: &mut Checker<'_>, root: &Table) -> Tables {
    for (key, entry) in root {
        if !TABLES.iter().any(|t| t.name == key) {
            unknown_table(checker, key, entry);
        }
    }
    let mut tables = Tables::new();
    for kind in TABLES {
        let items = check_table(checker, kind, root.get(kind.name));
        tables.insert(kind.name, items);
    }
    references::check(checker, &tables);
    rules::check(checker, &tables);
    rules::resolve(&mut tables);
    tables
}

/// The key path of an item of a table.
pub(crate) fn item_path(kind: &str, values: &Values, index: usize) -> String {
    let form = TABLES.iter().find(|t| t.name == kind).map(|t| t.form);
    match (form, values.get("name")) {
        (Some(Form::Named | Form::List), Some(Value::Text(name))) => address_text(kind, name),
        (Some(Form::One), _) => kind.into(),
        _ => format!("{kind}[{index}]"),
    }
}

fn check_table(checker: &mut Checker<'_>, kind: &TableKind, entry: Option<&Entry>) -> Vec<Values> {
    let Some(entry) = entry else {
        return match kind.form {
            Form::One => vec![item(
                checker,
                kind,
                &Table::new(),
                &Origin::Whole,
                kind.name,
            )],
            _ => Vec::new(),
        };
    };
    match (kind.form, &entry.node.data) {
        (Form::One, Data::Table(table)) => {
            vec![item(checker, kind, table, &entry.node.origin, kind.name)]
        }
        (Form::Named, Data::Table(tables)) => named_items(checker, kind, tables),
        (Form::List | Form::NamelessList, Data::List(list)) => list_items(checker, kind, list),
        _ => {
            let form = match kind.form {
                Form::One => format!("[{}]", kind.name),
                Form::Named => format!("[{}.NAME]", kind.name),
                Form::List | Form::NamelessList => format!("[[{}]]", kind.name),
            };
            let message = format!("this is {}", entry.node.kind_text());
            let remedy = format!("write {form} and its keys below");
            checker.fail(kind.name, &entry.node, message, remedy);
            Vec::new()
        }
    }
}

fn named_items(checker: &mut Checker<'_>, kind: &TableKind, tables: &Table) -> Vec<Values> {
    let mut items = Vec::new();
    for (name, entry) in tables {
        let path = address_text(kind.name, name);
        checker.name(name, &path, &entry.node);
        let Data::Table(table) = &entry.node.data else {
            let message = format!("this is {}", entry.node.kind_text());
            let remedy = format!("write [{path}] and its keys below");
            checker.fail(&path, &entry.node, message, remedy);
            continue;
        };
        let mut values = item(checker, kind, table, &entry.node.origin, &path);
        values.insert("name", Value::Text(name.clone()));
        items.push(values);
    }
    items
}

fn list_items(checker: &mut Checker<'_>, kind: &TableKind, list: &[Node]) -> Vec<Values> {
    let mut items = Vec::new();
    for (i, node) in list.iter().enumerate() {
        let path = match node.name() {
            Some(name) if kind.form == Form::List => {
                let path = address_text(kind.name, name);
                checker.name(name, &path, node);
                path
            }
            _ => format!("{}[{i}]", kind.name),
        };
        let Data::Table(table) = &node.data else {
            let message = format!("this is {}", node.kind_text());
            let remedy = format!("write [[{}]] and its keys below", kind.name);
            checker.fail(&path, node, message, remedy);
            continue;
        };
        items.push(item(checker, kind, table, &node.origin, &path));
    }
    items
}

fn item(
    checker: &mut Checker<'_>,
    kind: &TableKind,
    table: &Table,
    origin: &Origin,
    path: &str,
) -> Values {
    checker.origins.insert(path.into(), origin.clone());
    let mut fields = kind.fields.to_vec();
    let Some(variants) = kind.variants else {
        return checker.rows(table, origin, path, &fields);
    };
    let table = &*presets::with_preset(checker, &variants, table, path);
    let items = (variants.items)();
    let words: Vec<&'static str> = items.iter().map(|i| i.name).collect();
    let chosen = chosen_item(&items, &variants, table);
    if let Some(chosen) = chosen {
        fields.extend(chosen.fields);
    }
    if presets::names_unknown(&variants, table) {
        // It would have given what is missing.
        fields.retain(|field| table.contains_key(field.name));
    }
    let others = Others {
        items: &items,
        chosen,
        variants: &variants,
    };
    checker.rows_with_word(table, origin, path, &fields, &words, &others)
}

fn chosen_item<'a>(items: &'a [Item], variants: &Variants, table: &Table) -> Option<&'a Item> {
    match &table.get(variants.key)?.node.data {
        Data::Text(word) => items.iter().find(|i| i.name == word),
        _ => None,
    }
}

/// The items a table could have named.
struct Others<'a> {
    items: &'a [Item],
    chosen: Option<&'a Item>,
    variants: &'a Variants,
}

impl Checker<'_> {
    /// Checks the entries of a table against its rows and fills in defaults.
    pub(super) fn rows(
        &mut self,
        table: &Table,
        origin: &Origin,
        path: &str,
        fields: &[Field],
    ) -> Values {
        for (key, entry) in table {
            if !fields.iter().any(|f| f.name == key) {
                let names = fields.iter().map(|f| f.name);
                self.unknown_key(&address_text(path, key), key, entry, names, None);
            }
        }
        self.known_rows(table, origin, path, fields)
    }

    fn rows_with_word(
        &mut self,
        table: &Table,
        origin: &Origin,
        path: &str,
        fields: &[Field],
        words: &[&'static str],
        others: &Others<'_>,
    ) -> Values {
        let key = others.variants.key;
        let word_path = address_text(path, key);
        let mut word = None;
        match table.get(key) {
            Some(entry) => word = self.item_word(&entry.node, words, &word_path),
            None if presets::names_unknown(others.variants, table) => {}
            None => {
                let mut remedy = format!("write {key} = {}", choices_text(words.iter().copied()));
                if let Some(first) = others.variants.presets.first() {
                    let example =
                        format!(", or name a preset, such as {PRESET} = {:?}", first.name);
                    remedy.push_str(&example);
                }
                self.missing(&word_path, origin, remedy);
            }
        }
        for (name, entry) in table {
            let is_known = name == key || fields.iter().any(|f| f.name == name);
            if !is_known && others.chosen.is_some() {
                let names = fields.iter().map(|f| f.name).chain([key]);
                let hint = others.hint(name);
                self.unknown_key(&address_text(path, name), name, entry, names, hint);
            }
        }
        let mut values = self.known_rows(table, origin, path, fields);
        if let Some(word) = word {
            values.insert(key, word);
        }
        values
    }

    fn item_word(&mut self, node: &Node, words: &[&'static str], path: &str) -> Option<Value> {
        self.origins.insert(path.into(), node.origin.clone());
        let Data::Text(text) = &node.data else {
            let message = format!("this is {}", node.kind_text());
            let remedy = format!("it must be {}", choices_text(words.iter().copied()));
            self.fail(path, node, message, remedy);
            return None;
        };
        self.word(node, text, words, path)
    }

    fn known_rows(
        &mut self,
        table: &Table,
        origin: &Origin,
        path: &str,
        fields: &[Field],
    ) -> Values {
        let mut values = Values::default();
        for field in fields {
            let field_path = address_text(path, field.name);
            let value = match table.get(field.name) {
                Some(entry) => self.value(&entry.node, field, &field_path),
                None => self.preset(field, origin, &field_path),
            };
            if let Some(value) = value {
                values.insert(field.name, value);
            }
        }
        values
    }

    fn preset(&mut self, field: &Field, origin: &Origin, path: &str) -> Option<Value> {
        let numbers = |list: &[f64]| list.iter().map(|x| Value::Number(*x)).collect();
        let texts = |list: &[&str]| list.iter().map(|t| Value::Text((*t).into())).collect();
        match field.default {
            Preset::Required => {
                let remedy = format!("write {} = {}", field.name, accepted_text(field));
                self.missing(path, origin, remedy);
                None
            }
            Preset::Absent => {
                match field.kind {
                    Kind::Table(fields) if has_defaults(fields) => Some(Value::Table(
                        self.known_rows(&Table::new(), origin, path, fields),
                    )),
                    _ => None,
                }
            }
            Preset::Number(x) => Some(Value::Number(x)),
            Preset::Integer(i) => Some(Value::Integer(i)),
            Preset::Flag(b) => Some(Value::Flag(b)),
            Preset::Text(t) => Some(Value::Text(t.into())),
            Preset::Vector(list) => Some(Value::List(numbers(list))),
            Preset::Texts(list) => Some(Value::List(texts(list))),
        }
    }

    fn missing(&mut self, path: &str, origin: &Origin, remedy: String) {
        self.errors.push(SceneError {
            place: self.sources.place(origin),
            key: path.into(),
            value: None,
            message: "this key is missing".into(),
            remedy: Some(remedy),
        });
    }

    fn unknown_key<'b>(
        &mut self,
        path: &str,
        key: &str,
        entry: &Entry,
        names: impl Iterator<Item = &'b str> + Clone,
        hint: Option<String>,
    ) {
        let renamed = renamed::remedy(key, names.clone());
        let remedy = match (renamed, nearest(key, names.clone()), hint) {
            (Some(renamed), ..) => renamed,
            (None, Some(right), _) => format!("did you mean \"{right}\"?"),
            (None, None, Some(hint)) => hint,
            (None, None, None) => format!("keys here are {}", names.collect::<Vec<_>>().join(", ")),
        };
        self.errors.push(SceneError {
            place: self.sources.place(&entry.key),
            key: path.into(),
            value: entry.node.shown(),
            message: "there is no such key".into(),
            remedy: Some(remedy),
        });
    }

    /// Names stand in addresses, columns and file names.
    fn name(&mut self, name: &str, path: &str, node: &Node) {
        let is_plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        if !name.is_empty() && name.chars().count() <= 64 && name.chars().all(is_plain) {
            return;
        }
        self.errors.push(SceneError {
            place: self.sources.place(&node.origin),
            key: path.into(),
            value: None,
            message: format!("{name:?} cannot be a name"),
            remedy: Some("names are made of up to 64 letters, digits, - and _".into()),
        });
    }
}

impl Others<'_> {
    /// Which words would bring the key.
    fn hint(&self, key: &str) -> Option<String> {
        let chosen = self.chosen?.name;
        let with_key = self.items.iter();
        let with_key = with_key.filter(|i| i.fields.iter().any(|f| f.name == key));
        let names: Vec<&str> = with_key.map(|i| i.name).collect();
        (!names.is_empty()).then(|| {
            let word = self.variants.key;
            let right = choices_text(names.iter().copied());
            format!("the {word} \"{chosen}\" does not take it; {right} would")
        })
    }
}

/// A missing table is filled in if all its rows have defaults of their own.
fn has_defaults(fields: &[Field]) -> bool {
    fields
        .iter()
        .all(|f| !matches!(f.default, Preset::Required | Preset::Absent))
}

fn unknown_table(checker: &mut Checker<'_>, key: &str, entry: &Entry) {
    let names = TABLES.iter().map(|t| t.name).chain(["include", "detail"]);
    checker.unknown_key(&address_text("", key), key, entry, names, None);
}
