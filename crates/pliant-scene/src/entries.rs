//! The values of a scene one by one, each with the row that describes it: for panels that show and change them.

use pliant_parameters::{Field, Kind, Values};

use crate::check::item_path;
use crate::print::plain_text;
use crate::scene::Scene;
use crate::tables::{TABLES, TableKind};

/// A value of a scene: a number, a flag, a word, a colour or a vector.
#[derive(Clone, Debug)]
pub struct SceneEntry {
    /// The table or item it belongs to: "solver", "material.sand", "collider.floor", "force[0]".
    pub item: String,
    /// Its row: key, kind with its range, unit, default, meaning.
    pub field: &'static Field,
    /// The value as TOML; `None` if the key is missing and nothing stands for it.
    pub text: Option<String>,
}

impl SceneEntry {
    /// Its address, as `--set` takes it: "material.sand.friction_angle".
    pub fn address(&self) -> String {
        format!("{}.{}", self.item, self.field.name)
    }
}

impl Scene {
    /// The values that one number, word or vector each says, in the order of the reference page.
    pub fn entries(&self) -> Vec<SceneEntry> {
        let mut entries = Vec::new();
        for kind in TABLES {
            let items = self.tables.get(kind.name).into_iter().flatten();
            for (index, values) in items.enumerate() {
                let item = item_path(kind.name, values, index);
                let fields = fields_of(kind, values).filter(|field| is_plain(&field.kind));
                entries.extend(fields.map(|field| SceneEntry {
                    item: item.clone(),
                    field,
                    text: values.get(field.name).map(|v| plain_text(v, &field.kind)),
                }));
            }
        }
        entries
    }
}

/// The rows of an item: those of its table, and of the word that brings further ones.
fn fields_of(kind: &TableKind, values: &Values) -> impl Iterator<Item = &'static Field> {
    let further = kind.variants.and_then(|variants| {
        let word = values.optional_text(variants.key)?;
        (variants.items)()
            .into_iter()
            .find(|item| item.name == word)
    });
    let further = further.map_or(&[][..], |item| item.fields);
    kind.fields.iter().chain(further)
}

fn is_plain(kind: &Kind) -> bool {
    match kind {
        Kind::Number(_)
        | Kind::Integer(_)
        | Kind::Flag
        | Kind::Color
        | Kind::Choice(_)
        | Kind::NumberOrChoice(..)
        | Kind::Vector(..) => true,
        Kind::Text
        | Kind::File
        | Kind::LateFile
        | Kind::FileSequence
        | Kind::Choices(_)
        | Kind::Points { .. }
        | Kind::Table(_)
        | Kind::Tables(_)
        | Kind::Shape
        | Kind::Shapes
        | Kind::PlacedShapes(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::Overrides;

    const SAND: &str = r#"
        scene.duration = 1.0
        [material.sand]
        law = "drucker-prager"
        density = 1600.0
        youngs_modulus = 3.5e5
        friction_angle = 30.0
        [[body]]
        name = "heap"
        material = "sand"
        shape = { sphere = { radius = 0.1 } }
        spacing = 0.02
        [[collider]]
        name = "floor"
        shape = { plane = {} }
    "#;

    fn scene(overrides: &Overrides) -> Scene {
        Scene::parse(SAND, "sand.toml", Path::new("."), overrides).expect("a sound scene")
    }

    #[test]
    fn every_entry_can_be_set_to_what_it_says() {
        let plain = scene(&Overrides::default());
        let entries = plain.entries();
        let written = entries.iter().filter_map(|entry| {
            let text = entry.text.as_ref()?;
            Some(format!("{}={text}", entry.address()))
        });
        let overrides = Overrides {
            set: written.collect(),
            ..Overrides::default()
        };
        assert!(overrides.set.len() > 20);
        assert_eq!(scene(&overrides), plain);
    }

    #[test]
    fn rows_of_the_law_are_among_those_of_a_material() {
        let entries = scene(&Overrides::default()).entries();
        let angle = entries
            .iter()
            .find(|e| e.address() == "material.sand.friction_angle");
        let angle = angle.expect("a row of the law");
        assert_eq!(
            (angle.text.as_deref(), angle.field.unit),
            (Some("30.0"), "degrees")
        );
        let places = entries.iter().filter(|e| e.item.contains("floor"));
        assert!(places.count() > 5);
    }
}
