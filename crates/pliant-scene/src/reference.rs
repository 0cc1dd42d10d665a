//! The reference page of scene files, from the same rows that check them.

use std::fmt::Write;

use pliant_parameters::{Field, Kind, Preset};

use crate::check::kind_text;
use crate::tables::{Form, Item, PRESET, TABLES, TableKind, Variants, shape_items};

const INTRODUCTION: &str = "\
# Scene reference

This page is printed from the program (`pliant schema --markdown`); a test compares the two.

A scene is one TOML file. Units are SI, angles are in degrees, axes are right-handed with y up.
Relative paths are relative to the file they are written in. An unknown key, a wrong type, a value
out of range and a missing file are errors.

`include = [\"common.toml\"]` merges the scene over other files, key by key; lists of named tables merge
by name. `[detail.NAME]` holds values that replace others when a run asks for that level with
`--detail NAME`; `pliant test --quick` takes the level `quick` of scenes that have one. `--set
KEY=VALUE` replaces one value. Keys of these are addressed as
`solver.time_step`, `body.column.spacing` (by name) or `body[0].spacing`; values are TOML.
";

/// The reference page, in Markdown.
pub fn reference() -> String {
    let mut page = String::from(INTRODUCTION);
    for table in TABLES {
        table_section(&mut page, table);
    }
    page.push_str("\n## Shapes\n\nA shape is a table with one key, its name: `{ sphere = { radius = 0.1 } }`. It is the same thing in a body, a collider, an emitter and a region.\n");
    for shape in shape_items() {
        item_section(&mut page, &shape);
    }
    page
}

fn table_section(page: &mut String, table: &TableKind) {
    let name = table.name;
    let title = match table.form {
        Form::One => format!("[{name}]"),
        Form::Named => format!("[{name}.NAME]"),
        Form::List | Form::NamelessList => format!("[[{name}]]"),
    };
    let _ = write!(page, "\n## `{title}`\n\n{}\n", table.doc);
    let Some(variants) = table.variants else {
        rows(page, table.fields);
        return;
    };
    let word = Field::required(
        variants.key,
        Kind::Text,
        "",
        "One of those below, each with further keys.",
    );
    let mut fields = table.fields.to_vec();
    fields.push(word);
    rows(page, &fields);
    for item in (variants.items)() {
        item_section(page, &item);
    }
    if !variants.presets.is_empty() {
        preset_section(page, &variants);
    }
}

fn preset_section(page: &mut String, variants: &Variants) {
    let key = variants.key;
    let _ = write!(
        page,
        "\n### Presets\n\nValues in SI units. Sources are in the [bibliography](bibliography.md).\n\n| `{PRESET}` | what | `{key}` | values | from |\n| --- | --- | --- | --- | --- |\n"
    );
    for preset in variants.presets {
        let values = preset.values.iter();
        let values: Vec<String> = values.map(|(k, x)| format!("`{k} = {x:?}`")).collect();
        let _ = writeln!(
            page,
            "| `{}` | {} | `{}` | {} | {} |",
            preset.name,
            preset.doc,
            preset.law,
            values.join(", "),
            preset.source
        );
    }
}

fn item_section(page: &mut String, item: &Item) {
    let _ = write!(page, "\n### `{}`\n\n{}\n", item.name, item.doc);
    rows(page, item.fields);
    if item.columns.is_empty() {
        return;
    }
    page.push_str("\n| column | unit | what |\n| --- | --- | --- |\n");
    for column in item.columns {
        let _ = writeln!(
            page,
            "| `{}` | {} | {} |",
            column.name, column.unit, column.doc
        );
    }
}

/// A table of rows, and one for each table inside.
fn rows(page: &mut String, fields: &[Field]) {
    if fields.is_empty() {
        return;
    }
    page.push_str(
        "\n| key | accepts | unit | default | meaning |\n| --- | --- | --- | --- | --- |\n",
    );
    for field in fields {
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} | {} |",
            field.name,
            accepts(&field.kind),
            field.unit,
            default_text(&field.default),
            field.doc.replace('|', "\\|"),
        );
    }
    for field in fields {
        if let Kind::Table(inner) | Kind::Tables(inner) = field.kind {
            let _ = write!(page, "\nKeys of `{}`:\n", field.name);
            rows(page, inner);
        }
    }
}

fn accepts(kind: &Kind) -> String {
    match kind {
        Kind::Shape => "a shape".into(),
        Kind::Shapes => "a list of shapes".into(),
        Kind::PlacedShapes(least) => {
            format!(
                "a list of at least {least} shapes, each with `position` and `rotation` beside its name if wanted"
            )
        }
        Kind::Table(_) => "a table".into(),
        Kind::Tables(_) => "a list of tables".into(),
        _ => kind_text(kind).replace('|', "\\|"),
    }
}

fn default_text(default: &Preset) -> String {
    match default {
        Preset::Required => "required".into(),
        Preset::Absent => "none".into(),
        Preset::Number(x) => format!("`{x:?}`"),
        Preset::Integer(i) => format!("`{i}`"),
        Preset::Flag(b) => format!("`{b}`"),
        Preset::Text(t) => format!("`{t:?}`"),
        Preset::Vector(list) => format!("`{list:?}`"),
        Preset::Texts(list) => format!("`{list:?}`"),
    }
}
