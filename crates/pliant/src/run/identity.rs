//! The parts of a scene that determine the results: two runs with the same identity have the same bits.
//!
//! The duration, titles, expectations, cameras, surfaces and what is drawn do not belong to it: a run may be
//! resumed with another one of those. So may the light: an environment map is of pictures alone, so that neither its
//! path nor what its file holds counts, as it does of meshes and particles and the files that they refer to.

use std::collections::BTreeMap;

use pliant_io::content_hash;
use toml::{Table, Value};

/// Keys that a resumed run may change; those of a list are the same for all its items.
const FREE_KEYS: &[&str] = &[
    "camera",
    "expect",
    "surface",
    "scene.duration",
    "scene.title",
    "scene.source",
    "output.particles",
    "output.surface",
    "output.preview",
    "output.shutter",
    "output.aperture",
    "output.samples",
    "output.environment",
    "output.environment_strength",
    "output.environment_turn",
    "output.shows_environment",
    "output.checkpoint_every",
    "output.color_by",
    "output.film",
    "body.color",
    "body.gloss",
    "body.opacity",
    "body.shown_as",
    "collider.color",
    "collider.gloss",
    "collider.opacity",
    "cut.color",
    "cut.opacity",
];

/// Values by their key path, those that decide the numbers of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    values: BTreeMap<String, String>,
}

impl Identity {
    /// The identity of a scene printed as TOML, with the hashes of the files it names by path. A
    /// text that is not TOML counts as empty.
    pub fn of(scene: &str, files: &BTreeMap<String, u64>) -> Self {
        let mut values = values_of(scene, FREE_KEYS);
        for (place, hash) in files.values().enumerate() {
            values.insert(
                format!("content of input file {}", place + 1),
                format!("{hash:016x}"),
            );
        }
        Self { values }
    }

    /// A hash of it.
    pub fn hash(&self) -> u64 {
        let lines: Vec<String> = self
            .values
            .iter()
            .map(|(k, v)| format!("{k}={v}\n"))
            .collect();
        content_hash(lines.concat().as_bytes())
    }

    /// What another one says differently: `solver.iterations is 6, was 4`.
    pub fn changes_since(&self, old: &Self) -> Vec<String> {
        let text = |value: Option<String>| value.unwrap_or_else(|| "absent".into());
        let changes = changes(&old.values, &self.values).into_iter();
        changes
            .map(|change| {
                let [old, new] = change.values.map(text);
                format!("{} is {new}, was {old}", change.key)
            })
            .collect()
    }
}

/// A key that two scenes say differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its address: `body.column.spacing`.
    pub key: String,
    /// What each scene says; `None` for nothing.
    pub values: [Option<String>; 2],
}

/// The keys that two scenes printed as TOML say differently, those that decide no number included.
pub fn scene_changes(one: &str, two: &str) -> Vec<Change> {
    changes(&values_of(one, &[]), &values_of(two, &[]))
}

fn changes(one: &BTreeMap<String, String>, two: &BTreeMap<String, String>) -> Vec<Change> {
    let keys = two
        .keys()
        .chain(one.keys().filter(|key| !two.contains_key(*key)));
    let change = |key: &String| Change {
        key: key.clone(),
        values: [one.get(key).cloned(), two.get(key).cloned()],
    };
    keys.map(change)
        .filter(|change| change.values[0] != change.values[1])
        .collect()
}

/// Values by their key path, `free` ones left out. A text that is not TOML has none.
fn values_of(scene: &str, free: &[&str]) -> BTreeMap<String, String> {
    let table: Table = scene.parse().unwrap_or_default();
    let mut values = BTreeMap::new();
    flatten(Path::default(), &Value::Table(table), free, &mut values);
    values
}

/// Where a value is.
#[derive(Clone, Debug, Default)]
struct Path {
    /// With the names of items, as `--set` addresses it.
    shown: String,
    /// Without them, as the free keys are written.
    kind: String,
}

impl Path {
    fn key(&self, key: &str) -> Self {
        let join = |path: &str| match path {
            "" => key.to_owned(),
            path => format!("{path}.{key}"),
        };
        Self {
            shown: join(&self.shown),
            kind: join(&self.kind),
        }
    }

    fn item(&self, place: usize, item: &Value) -> Self {
        let shown = match item.get("name").and_then(Value::as_str) {
            Some(name) => format!("{}.{name}", self.shown),
            None => format!("{}[{place}]", self.shown),
        };
        Self {
            shown,
            kind: self.kind.clone(),
        }
    }
}

fn flatten(path: Path, value: &Value, free: &[&str], into: &mut BTreeMap<String, String>) {
    if free.contains(&path.kind.as_str()) {
        return;
    }
    match value {
        Value::Table(table) => {
            for (key, value) in table {
                flatten(path.key(key), value, free, into);
            }
        }
        Value::Array(list) if list.iter().any(Value::is_table) => {
            // The state names bodies and emitters by their place, so their order decides as well.
            let names: Vec<&str> = list
                .iter()
                .filter_map(|value| value.get("name").and_then(Value::as_str))
                .collect();
            into.insert(format!("order of {}", path.shown), names.join(", "));
            for (place, value) in list.iter().enumerate() {
                flatten(path.item(place, value), value, free, into);
            }
        }
        leaf => {
            into.insert(path.shown, leaf_text(leaf));
        }
    }
}

fn leaf_text(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text:?}"),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => format!("{number:?}"),
        Value::Boolean(flag) => flag.to_string(),
        Value::Array(list) => {
            let texts: Vec<String> = list.iter().map(leaf_text).collect();
            format!("[{}]", texts.join(", "))
        }
        other => format!("{other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = "[scene]\nduration = 1.0\ntitle = \"a\"\n[solver]\niterations = 4\n\
                         [[body]]\nname = \"b\"\nspacing = 0.01\n[[camera]]\nposition = [1.0, 2.0, 3.0]\n";

    fn identity(text: &str) -> Identity {
        Identity::of(text, &BTreeMap::new())
    }

    #[test]
    fn duration_title_and_cameras_may_change() {
        let other = SCENE.replace("1.0", "2.0").replace("\"a\"", "\"b\"");
        assert_eq!(identity(SCENE).hash(), identity(&other).hash());
    }

    #[test]
    fn what_is_only_drawn_may_change() {
        let drawn = |color: &str, opacity: &str| {
            format!(
                "{SCENE}[[body]]\nname = \"c\"\ncolor = \"{color}\"\n[[collider]]\nname = \"d\"\nopacity = {opacity}\n"
            )
        };
        let (one, two) = (drawn("#ff0000", "1.0"), drawn("#00ff00", "0.5"));
        assert_eq!(identity(&one).hash(), identity(&two).hash());
    }

    #[test]
    fn the_light_of_pictures_may_change() {
        let lit = |file: &str, strength: f64| {
            format!(
                "{SCENE}[output]\nenvironment = \"{file}\"\nenvironment_strength = {strength:?}\n\
                 environment_turn = {strength:?}\nshows_environment = true\n"
            )
        };
        let (one, two) = (lit("noon.hdr", 1.0), lit("dusk.hdr", 0.5));
        assert_eq!(identity(SCENE).hash(), identity(&one).hash());
        assert_eq!(identity(&one).hash(), identity(&two).hash());
    }

    #[test]
    fn bodies_in_another_order_are_another_run() {
        let one = "[[body]]\nname = \"a\"\n[[body]]\nname = \"b\"\n";
        let two = "[[body]]\nname = \"b\"\n[[body]]\nname = \"a\"\n";
        let changes = identity(two).changes_since(&identity(one));
        assert_eq!(changes, ["order of body is b, a, was a, b"]);
    }

    #[test]
    fn a_change_that_matters_is_named_with_both_values() {
        let other = SCENE.replace("0.01", "0.02");
        let (old, new) = (identity(SCENE), identity(&other));
        assert_ne!(old.hash(), new.hash());
        assert_eq!(
            new.changes_since(&old),
            ["body.b.spacing is 0.02, was 0.01"]
        );
    }

    #[test]
    fn every_change_of_a_scene_is_found_by_its_address() {
        let other = SCENE.replace("title = \"a\"\n", "").replace("0.01", "0.02");
        let changes = scene_changes(SCENE, &other);
        let keys: Vec<&str> = changes.iter().map(|change| change.key.as_str()).collect();
        assert_eq!(keys, ["body.b.spacing", "scene.title"]);
        assert_eq!(changes[1].values, [Some("\"a\"".to_owned()), None]);
        assert!(scene_changes(SCENE, SCENE).is_empty());
    }

    #[test]
    fn the_content_of_input_files_matters() {
        let files = |hash| BTreeMap::from([("a.obj".to_owned(), hash)]);
        let (a, b) = (
            Identity::of(SCENE, &files(1)),
            Identity::of(SCENE, &files(2)),
        );
        assert_ne!(a.hash(), b.hash());
    }
}
