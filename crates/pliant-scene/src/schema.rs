//! The JSON Schema of scene files, from the same rows that check them.

use pliant_parameters::{Field, Kind, Preset, Range};
use serde_json::{Map, Value, json};

use crate::check::PLACE;
use crate::tables::{Form, PRESET, TABLES, TableKind, Variants, shape_items};

/// The JSON Schema (draft 2020-12) of a scene file, for completion and checks in editors.
pub fn schema() -> Value {
    let mut properties = Map::new();
    for table in TABLES {
        properties.insert(table.name.into(), table_schema(table));
    }
    let files = json!({ "type": "array", "items": { "type": "string" } });
    let include = "Scene files that this one is laid over, key by key.";
    properties.insert("include".into(), described(files, include));
    let levels = json!({ "type": "object", "additionalProperties": { "type": "object" } });
    let detail = "Levels of detail: values that replace others when a run asks for the level.";
    properties.insert("detail".into(), described(levels, detail));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Pliant scene",
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "$defs": { "shape": one_shape(&[]), "placed-shape": one_shape(PLACE) },
    })
}

fn table_schema(table: &TableKind) -> Value {
    let item = item_schema(table);
    let schema = match table.form {
        Form::One => item,
        Form::Named => json!({ "type": "object", "additionalProperties": item }),
        Form::List | Form::NamelessList => json!({ "type": "array", "items": item }),
    };
    described(schema, table.doc)
}

/// A table; one alternative for each word where rows depend on one.
fn item_schema(table: &TableKind) -> Value {
    let Some(variants) = table.variants else {
        return object(table.fields);
    };
    let alternative = |item: crate::tables::Item| {
        let mut fields = table.fields.to_vec();
        fields.extend(item.fields);
        let mut schema = object(&fields);
        schema["properties"][variants.key] = json!({ "const": item.name, "description": item.doc });
        require(&mut schema, variants.key);
        schema
    };
    let alternatives: Vec<Value> = (variants.items)().into_iter().map(alternative).collect();
    if variants.presets.is_empty() {
        return json!({ "oneOf": alternatives });
    }
    json!({ "anyOf": [{ "oneOf": alternatives }, of_preset(table, &variants)] })
}

/// A table that names a preset: nothing else has to be written, and any key of any word may be.
fn of_preset(table: &TableKind, variants: &Variants) -> Value {
    let mut fields = table.fields.to_vec();
    let items = (variants.items)();
    for field in items.iter().flat_map(|item| item.fields) {
        if !fields.iter().any(|f| f.name == field.name) {
            fields.push(*field);
        }
    }
    let words: Vec<&str> = items.iter().map(|item| item.name).collect();
    let mut schema = object(&fields);
    schema["properties"][variants.key] = json!({ "enum": words });
    schema["required"] = json!([PRESET]);
    schema
}

fn object(fields: &[Field]) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in fields {
        properties.insert(field.name.into(), field_schema(field));
        if matches!(field.default, Preset::Required) {
            required.push(field.name);
        }
    }
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn require(schema: &mut Value, key: &str) {
    if let Some(required) = schema["required"].as_array_mut() {
        required.push(json!(key));
    }
}

fn field_schema(field: &Field) -> Value {
    let doc = if field.unit.is_empty() {
        field.doc.to_string()
    } else {
        format!("{} [{}]", field.doc, field.unit)
    };
    let mut schema = described(kind_schema(&field.kind), &doc);
    let default = match field.default {
        Preset::Required | Preset::Absent => return schema,
        Preset::Number(x) => json!(x),
        Preset::Integer(i) => json!(i),
        Preset::Flag(b) => json!(b),
        Preset::Text(t) => json!(t),
        Preset::Vector(list) => json!(list),
        Preset::Texts(list) => json!(list),
    };
    schema["default"] = default;
    schema
}

fn kind_schema(kind: &Kind) -> Value {
    match kind {
        Kind::Number(range) => number("number", range),
        Kind::Integer(range) => number("integer", range),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Text | Kind::File | Kind::LateFile | Kind::FileSequence => {
            json!({ "type": "string" })
        }
        Kind::Color => json!({ "type": "string", "pattern": "^#[0-9a-fA-F]{6}$" }),
        Kind::Choice(words) => json!({ "enum": words }),
        Kind::NumberOrChoice(range, words) => {
            json!({ "anyOf": [number("number", range), { "enum": words }] })
        }
        Kind::Choices(words) => json!({ "type": "array", "items": { "enum": words } }),
        Kind::Vector(count, range) => vector(*count, number("number", range)),
        Kind::Points { dimension, least } => {
            let point = vector(*dimension, number("number", &Range::ANY));
            json!({ "type": "array", "items": point, "minItems": least })
        }
        Kind::Table(fields) => object(fields),
        Kind::Tables(fields) => json!({ "type": "array", "items": object(fields) }),
        Kind::Shape => json!({ "$ref": "#/$defs/shape" }),
        Kind::Shapes => json!({ "type": "array", "items": { "$ref": "#/$defs/shape" } }),
        Kind::PlacedShapes(least) => {
            let shape = json!({ "$ref": "#/$defs/placed-shape" });
            json!({ "type": "array", "items": shape, "minItems": least })
        }
    }
}

fn number(of: &str, range: &Range) -> Value {
    let mut schema = json!({ "type": of });
    let key = |with, plain: &'static str, exclusive| if with { plain } else { exclusive };
    if range.low.is_finite() {
        schema[key(range.with_low, "minimum", "exclusiveMinimum")] = json!(range.low);
    }
    if range.high.is_finite() {
        schema[key(range.with_high, "maximum", "exclusiveMaximum")] = json!(range.high);
    }
    schema
}

fn vector(count: usize, item: Value) -> Value {
    json!({ "type": "array", "items": item, "minItems": count, "maxItems": count })
}

/// A table with one key, the name of a shape, and further optional keys.
fn one_shape(beside: &[Field]) -> Value {
    let alternative = |item: crate::tables::Item| {
        let mut properties = Map::new();
        properties.insert(item.name.into(), described(object(item.fields), item.doc));
        for field in beside {
            properties.insert(field.name.into(), field_schema(field));
        }
        json!({
            "type": "object",
            "properties": properties,
            "required": [item.name],
            "additionalProperties": false,
        })
    };
    let alternatives: Vec<Value> = shape_items().into_iter().map(alternative).collect();
    json!({ "oneOf": alternatives })
}

fn described(mut schema: Value, doc: &str) -> Value {
    schema["description"] = json!(doc);
    schema
}
