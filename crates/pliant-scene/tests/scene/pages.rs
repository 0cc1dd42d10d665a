//! The schema and the reference page.

use serde_json::Value;

#[test]
fn schema_knows_every_table_and_refuses_others() {
    let schema = pliant_scene::schema();
    let properties = schema["properties"].as_object().expect("properties");
    for table in [
        "scene", "solver", "material", "body", "collider", "emitter", "attach", "probe", "expect",
        "camera", "output", "include", "detail",
    ] {
        assert!(properties.contains_key(table), "{table}");
    }
    assert_eq!(schema["additionalProperties"], Value::Bool(false));
}

#[test]
fn schema_holds_ranges_defaults_and_choices() {
    let schema = pliant_scene::schema();
    let body = &schema["properties"]["body"]["items"];
    assert_eq!(body["properties"]["mass"]["exclusiveMinimum"], 0.0);
    assert_eq!(body["properties"]["friction"]["default"], 0.5);
    let samplings = body["properties"]["sampling"]["enum"].as_array();
    assert!(samplings.expect("a list").contains(&Value::from("relaxed")));
    let required = body["required"].as_array().expect("a list");
    assert!(required.contains(&Value::from("material")));
    assert!(!required.contains(&Value::from("position")));
    let shapes = schema["$defs"]["shape"]["oneOf"]
        .as_array()
        .expect("a list");
    assert_eq!(shapes.len(), pliant_geometry::shapes::KINDS.len());
    let material = &schema["properties"]["material"]["additionalProperties"]["anyOf"];
    let laws = material[0]["oneOf"].as_array().expect("a list");
    assert_eq!(laws.len(), pliant_materials::Law::all().count());
    assert_eq!(material[1]["required"], Value::from(vec!["preset"]));
    assert!(material[1]["properties"]["flow_index"].is_object());
}

#[test]
fn every_reference_of_the_schema_leads_somewhere() {
    fn visit(node: &Value, schema: &Value) {
        if let Some(target) = node.get("$ref").and_then(Value::as_str) {
            let pointer = target.strip_prefix('#').expect("a local reference");
            assert!(schema.pointer(pointer).is_some(), "{target}");
        }
        match node {
            Value::Object(map) => map.values().for_each(|v| visit(v, schema)),
            Value::Array(list) => list.iter().for_each(|v| visit(v, schema)),
            _ => {}
        }
    }
    let schema = pliant_scene::schema();
    visit(&schema, &schema);
}

#[test]
fn reference_page_has_every_key_with_unit_and_default() {
    let page = pliant_scene::reference();
    for part in [
        "## `[[body]]`",
        "## `[material.NAME]`",
        "### `drucker-prager`",
        "### `sphere`",
        "| `density` | a number greater than 0 | kg/m3 | required |",
        "| `xsph_rate` | a number at least 0 | 1/s | `10.0` |",
        "Keys of `motion`:",
    ] {
        assert!(page.contains(part), "{part} is not in the page");
    }
}

#[test]
fn reference_page_of_the_book_is_the_printed_one() {
    let book = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../book/src/scene-reference.md"
    );
    let written = std::fs::read_to_string(book).expect("the book has the page");
    let printed = pliant_scene::reference();
    let lines = written.lines().zip(printed.lines());
    let differing = lines.enumerate().find(|(_, (a, b))| a != b);
    assert_eq!(differing, None, "print the page again");
    assert_eq!(written.len(), printed.len(), "print the page again");
}

#[test]
fn every_law_of_a_solid_has_the_modulus_that_the_choice_of_the_step_needs() {
    for kind in pliant_materials::HenckyLaw::KINDS {
        assert!(
            kind.fields.iter().any(|f| f.name == "youngs_modulus"),
            "{}",
            kind.name
        );
    }
}
