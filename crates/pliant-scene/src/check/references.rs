//! Names that stand for other tables, and names that stand twice.

use std::collections::{BTreeMap, BTreeSet};

use pliant_parameters::{Value, Values};

use super::{Checker, Tables, item_path};
use crate::document::address_text;
use crate::methods;
use crate::problems::{choices_text, nearest};

/// Keys that name an item of another table.
const REFERENCES: &[(&str, &str, &str)] = &[
    ("body", "material", "material"),
    ("emitter", "body", "body"),
    ("force", "body", "body"),
    ("attach", "body", "body"),
    ("cut", "body", "body"),
    ("muscle", "body", "body"),
    ("attach", "to_collider", "collider"),
    ("attach", "to_body", "body"),
    ("joint", "body", "body"),
    ("joint", "to_body", "body"),
    ("joint", "to_collider", "collider"),
    ("probe", "body", "body"),
    ("surface", "body", "body"),
    ("surface", "material", "material"),
];

pub(super) fn check(checker: &mut Checker<'_>, tables: &Tables) {
    for (table, items) in tables {
        check_unique(checker, table, items);
    }
    for (table, key, target) in REFERENCES {
        let known = Known::of(target, &tables[target]);
        for (i, item) in tables[table].iter().enumerate() {
            if let Some(name) = text(item, key) {
                let path = address_text(&item_path(table, item, i), key);
                known.check(checker, &path, name);
            }
        }
    }
    let probes = Known::of("probe", &tables["probe"]);
    for (i, body) in tables["body"].iter().enumerate() {
        check_law(checker, tables, body, i);
    }
    for (i, expect) in tables["expect"].iter().enumerate() {
        check_column(checker, &probes, expect, i);
    }
}

/// A text of a table that may have failed.
pub(super) fn text<'a>(values: &'a Values, key: &str) -> Option<&'a str> {
    match values.get(key) {
        Some(Value::Text(text)) => Some(text),
        _ => None,
    }
}

fn check_unique(checker: &mut Checker<'_>, table: &str, items: &[Values]) {
    let mut first_of = BTreeMap::new();
    for (i, item) in items.iter().enumerate() {
        let Some(name) = text(item, "name") else {
            continue;
        };
        let first = *first_of.entry(name).or_insert(i);
        if first != i {
            let path = format!("{table}[{i}].name");
            let message = format!("{table}[{first}] has the same name");
            checker.origins.insert(
                path.clone(),
                super::nearest_origin(&checker.origins, &address_text(table, name)),
            );
            let remedy = format!("give each {table} a name of its own");
            checker.fail_at(&path, Some(format!("{name:?}")), message, remedy);
        }
    }
}

/// The names that the items of a table have.
struct Known<'a> {
    table: &'a str,
    /// In the order of the file.
    names: Vec<&'a str>,
    sorted: BTreeSet<&'a str>,
}

impl<'a> Known<'a> {
    fn of(table: &'a str, items: &'a [Values]) -> Self {
        let names: Vec<&str> = items.iter().filter_map(|i| text(i, "name")).collect();
        Self {
            table,
            sorted: names.iter().copied().collect(),
            names,
        }
    }

    /// Refuses a name that no item has.
    fn check(&self, checker: &mut Checker<'_>, path: &str, name: &str) {
        if self.sorted.contains(name) {
            return;
        }
        let target = self.table;
        let names = || self.names.iter().copied();
        let message = format!("there is no {target} of this name");
        let remedy = match nearest(name, names()) {
            Some(right) => format!("did you mean \"{right}\"?"),
            None if self.names.is_empty() => format!("the scene has no {target}"),
            None => format!("each {target} of the scene: {}", choices_text(names())),
        };
        checker.fail_at(path, Some(format!("{name:?}")), message, remedy);
    }
}

/// A body with a law its method does not take.
fn check_law(checker: &mut Checker<'_>, tables: &Tables, body: &Values, index: usize) {
    let material = text(body, "material");
    let material = tables["material"]
        .iter()
        .find(|m| material.is_some() && text(m, "name") == material);
    let (Some(method), Some(law)) = (text(body, "method"), material.and_then(|m| text(m, "law")))
    else {
        return;
    };
    let Some(accepted) = methods::laws_of(method) else {
        return;
    };
    if !accepted.contains(&law) {
        let path = address_text(&item_path("body", body, index), "method");
        let message = format!("this method does not take the law \"{law}\" of the body's material");
        let remedy = format!("it takes {}", choices_text(accepted));
        checker.fail_at(&path, Some(format!("{method:?}")), message, remedy);
    }
}

/// A column of a probe must belong to one.
fn check_column(checker: &mut Checker<'_>, probes: &Known<'_>, expect: &Values, index: usize) {
    let Some(column) = text(expect, "column") else {
        return;
    };
    let path = format!("expect[{index}].column");
    if let Some((probe, _)) = column.split_once('.') {
        probes.check(checker, &path, probe);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problems::Sources;
    use crate::tables::TABLES;

    fn values(entries: &[(&str, &str)]) -> Values {
        let mut values = Values::default();
        for (key, text) in entries {
            values.insert(*key, Value::Text((*text).into()));
        }
        values
    }

    #[test]
    fn law_that_a_method_does_not_take_lists_those_it_does() {
        let mut tables: Tables = TABLES.iter().map(|t| (t.name, Vec::new())).collect();
        let material = values(&[("name", "water"), ("law", "newtonian")]);
        let body = values(&[("name", "drop"), ("material", "water"), ("method", "xpbi")]);
        tables.insert("material", vec![material]);
        tables.insert("body", vec![body]);
        let sources = Sources::default();
        let mut checker = Checker::new(&sources, &pliant_parameters::Disk);
        check(&mut checker, &tables);
        assert_eq!(checker.errors.len(), 1);
        let error = checker.errors[0].to_string();
        for part in [
            "body.drop.method = \"xpbi\"",
            "\"newtonian\"",
            "\"elastic\"",
        ] {
            assert!(error.contains(part), "'{part}' is not in\n{error}");
        }
    }
}
