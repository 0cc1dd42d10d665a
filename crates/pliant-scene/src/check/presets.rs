//! A preset under the values that are written.

use std::borrow::Cow;

use pliant_materials::MaterialPreset;
use pliant_materials::presets::ALTERNATIVES;

use super::Checker;
use crate::document::{Data, Entry, Node, Table, address_text};
use crate::tables::{PRESET, Variants};

/// The table with the values of the preset it names, where it does not say otherwise; as it is where
/// it names none that there is.
pub(super) fn with_preset<'a>(
    checker: &mut Checker<'_>,
    variants: &Variants,
    table: &'a Table,
    path: &str,
) -> Cow<'a, Table> {
    let named = table.get(PRESET).and_then(|entry| match &entry.node.data {
        Data::Text(name) => {
            let preset = variants.presets.iter().find(|p| p.name == name)?;
            Some((entry, preset))
        }
        _ => None,
    });
    let Some((entry, preset)) = named else {
        return Cow::Borrowed(table);
    };
    check_word(checker, variants, table, path, preset);
    let mut merged = table.clone();
    let mut add = |key: &str, data: Data| {
        if !says(table, key) {
            let origin = entry.node.origin.clone();
            let entry = Entry {
                key: entry.key.clone(),
                node: Node { data, origin },
            };
            merged.insert(key.into(), entry);
        }
    };
    add(variants.key, Data::Text(preset.law.into()));
    for (key, number) in preset.values {
        add(key, Data::Number(*number));
    }
    Cow::Owned(merged)
}

/// Whether the table names a preset, but none that there is.
pub(super) fn names_unknown(variants: &Variants, table: &Table) -> bool {
    let is_known = |data: &Data| matches!(data, Data::Text(name) if variants.presets.iter().any(|p| p.name == name));
    let named = table.get(PRESET);
    !variants.presets.is_empty() && named.is_some_and(|entry| !is_known(&entry.node.data))
}

/// Whether the table has the key, or the one that says the same in another way.
fn says(table: &Table, key: &str) -> bool {
    let mut alternatives = ALTERNATIVES.iter().filter_map(|(a, b)| match key {
        _ if key == *a => Some(*b),
        _ if key == *b => Some(*a),
        _ => None,
    });
    table.contains_key(key) || alternatives.any(|other| table.contains_key(other))
}

/// A preset is of one law.
fn check_word(
    checker: &mut Checker<'_>,
    variants: &Variants,
    table: &Table,
    path: &str,
    preset: &MaterialPreset,
) {
    let Some(entry) = table.get(variants.key) else {
        return;
    };
    if !matches!(&entry.node.data, Data::Text(word) if word == preset.law) {
        let message = format!(
            "the preset \"{}\" is of the law \"{}\"",
            preset.name, preset.law
        );
        let remedy = format!(
            "remove `{}`, or `{PRESET}` and write all values",
            variants.key
        );
        checker.fail(
            &address_text(path, variants.key),
            &entry.node,
            message,
            remedy,
        );
    }
}
