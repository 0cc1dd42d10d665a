//! The list of what was added to a world while it was recorded, as a file beside its scene:
//!
//! ```toml
//! [[addition]]
//! first_frame = 6      # the first frame that has these bodies
//! first_id = 64        # stable id of their first particle; the others follow
//! particles = 27       # how many there are
//! bodies = ["ball"]
//! materials = ["foam"]
//!
//! [material.foam]      # as in a scene file
//! ...
//! [[body]]
//! name = "ball"
//! ...
//! ```

use std::path::Path;

use pliant_parameters::Disk;

use super::{Base, SceneAddition};
use crate::document::{Data, Entry, Node, Table, read_more};
use crate::print::text_of;
use crate::problems::{Origin, Place, SceneError, SceneErrors};
use crate::scene::Scene;

/// The list of additions, and the tables that these take their bodies and materials from.
const ADDITION: &str = "addition";
const BODY: &str = "body";
const MATERIAL: &str = "material";

/// What a list begins with.
const HEADING: &str = "\
# What was added to the scene of this run while it went on. Each addition names the first frame
# that has its bodies, the ids and the number of their particles; the tables are those of a scene.
";

/// Keys of an addition.
const KEYS: [&str; 5] = [
    "first_frame",
    "first_id",
    "particles",
    "bodies",
    "materials",
];

/// What helps if the list was changed by hand or is damaged.
const REMEDY: &str =
    "the file is written with the run: put it back as it was, or record the run anew";

/// Bodies and materials that were added to a world while it was recorded.
#[derive(Clone, Debug)]
pub struct RecordedAddition {
    /// The first frame that has them; 1 if they were there from the start.
    pub first_frame: u32,
    /// Stable id of their first particle; the others follow.
    pub first_id: u32,
    /// Particles that they began with.
    pub particles: u32,
    /// The bodies and materials.
    pub addition: SceneAddition,
    place: Place,
}

impl RecordedAddition {
    /// Of an addition that is being recorded.
    ///
    /// * `particles` — see the fields of the same names
    pub fn new(addition: SceneAddition, first_frame: u32, first_id: u32, particles: u32) -> Self {
        Self {
            first_frame,
            first_id,
            particles,
            addition,
            place: Place::Nowhere,
        }
    }

    /// An error that is about all of it, with the place where it was read.
    pub fn errors(&self, message: impl Into<String>, remedy: &str) -> SceneErrors {
        SceneErrors::new(vec![SceneError {
            place: self.place.clone(),
            key: ADDITION.into(),
            value: None,
            message: message.into(),
            remedy: Some(remedy.into()),
        }])
    }

    /// Its part of a list of additions, paths relative to a folder.
    pub fn to_toml(&self, folder: &Path) -> String {
        let list = |names: Vec<&str>| {
            let names: Vec<String> = names.into_iter().map(text_of).collect();
            names.join(", ")
        };
        let bodies = list(self.addition.bodies().collect());
        let materials = list(self.addition.materials().collect());
        format!(
            "\n[[{ADDITION}]]\nfirst_frame = {}\nfirst_id = {}\nparticles = {}\nbodies = [{bodies}]\n\
             materials = [{materials}]\n\n{}",
            self.first_frame,
            self.first_id,
            self.particles,
            self.addition.to_toml(folder),
        )
    }
}

/// A list of additions as TOML, paths relative to `folder`: [`Scene::recorded_additions`] reads it again there. More
/// are added to it by their [texts](RecordedAddition::to_toml).
pub fn additions_text(additions: &[RecordedAddition], folder: &Path) -> String {
    let texts = additions.iter().map(|added| added.to_toml(folder));
    HEADING.to_owned() + &texts.collect::<String>()
}

impl Scene {
    /// Reads the list of what was added to a world of this scene while it was recorded.
    ///
    /// * `name`, `folder` — what messages call it, and where relative paths in it start
    ///
    /// # Errors
    /// Everything that is wrong with it, with the line.
    pub fn recorded_additions(
        &self,
        text: &str,
        (name, folder): (&str, &Path),
    ) -> Result<Vec<RecordedAddition>, SceneErrors> {
        let mut base = self.base_of_additions(&[], folder);
        let mut root = read_more(&mut base.document, text.into(), (name, folder), &Disk);
        let list = root.remove(ADDITION);
        let mut tables = Written::take(&mut root, &mut base);
        for (key, entry) in &root {
            let message = "this is not part of a list of additions";
            base.fail(key, &entry.key, message, REMEDY);
        }
        let mut additions: Vec<RecordedAddition> = Vec::new();
        for (number, node) in items(list, ADDITION, &mut base).into_iter().enumerate() {
            let key = format!("{ADDITION}[{number}]");
            let Some(header) = Header::read(&node, &key, &mut base) else {
                continue;
            };
            if additions
                .last()
                .is_some_and(|last| last.first_frame > header.numbers[0])
            {
                let message = "this frame comes before that of the addition above";
                base.fail(&format!("{key}.first_frame"), &node.origin, message, REMEDY);
            }
            let own = tables.named_by(&header, &key, &mut base);
            additions.extend(base.next_addition(self, own, &header, &node.origin)?);
        }
        tables.check_all_taken(&mut base);
        match base.document.errors.is_empty() {
            true => Ok(additions),
            false => Err(SceneErrors::new(base.document.errors)),
        }
    }
}

impl Base {
    /// Lays the tables of an addition on what there is, which the next one is laid on. `None` if anything is wrong
    /// so far: what follows from that is not told.
    fn next_addition(
        &mut self,
        scene: &Scene,
        own: Table,
        header: &Header,
        origin: &Origin,
    ) -> Result<Option<RecordedAddition>, SceneErrors> {
        self.document.root.remove(BODY);
        self.materials.clear();
        scene.add_tables(self, own);
        if !self.document.errors.is_empty() {
            return Ok(None);
        }
        let addition = self.clone().finish()?;
        self.bodies.extend(addition.bodies().map(str::to_owned));
        let [first_frame, first_id, particles] = header.numbers;
        Ok(Some(RecordedAddition {
            place: self.document.sources.place(origin),
            ..RecordedAddition::new(addition, first_frame, first_id, particles)
        }))
    }
}

/// What an addition says beside its tables.
struct Header {
    /// First frame, first id, particles.
    numbers: [u32; 3],
    /// Names of bodies and of materials, with their places.
    bodies: Vec<(String, Origin)>,
    materials: Vec<(String, Origin)>,
}

impl Header {
    fn read(node: &Node, key: &str, base: &mut Base) -> Option<Self> {
        let Data::Table(table) = &node.data else {
            base.fail(key, &node.origin, "this is not a table", REMEDY);
            return None;
        };
        for (name, entry) in table
            .iter()
            .filter(|(name, _)| !KEYS.contains(&name.as_str()))
        {
            let message = "an addition has no such key";
            base.fail(&format!("{key}.{name}"), &entry.key, message, REMEDY);
        }
        let mut number = |name: &str, least: u32| {
            let entry = table.get(name);
            let value = entry.and_then(|entry| match entry.node.data {
                Data::Integer(value) => u32::try_from(value).ok(),
                _ => None,
            });
            let value = value.filter(|value| *value >= least);
            if value.is_none() {
                let origin = entry.map_or(&node.origin, |entry| &entry.node.origin);
                let message = format!("this must be a whole number from {least} on");
                base.fail(&format!("{key}.{name}"), origin, &message, REMEDY);
            }
            value
        };
        let numbers = [number(KEYS[0], 1), number(KEYS[1], 0), number(KEYS[2], 0)];
        let bodies = names(table, (key, KEYS[3]), node, base);
        let materials = names(table, (key, KEYS[4]), node, base);
        let [Some(first_frame), Some(first_id), Some(particles)] = numbers else {
            return None;
        };
        Some(Self {
            numbers: [first_frame, first_id, particles],
            bodies: bodies?,
            materials: materials?,
        })
    }
}

/// The texts of a list.
fn names(
    table: &Table,
    (key, name): (&str, &str),
    node: &Node,
    base: &mut Base,
) -> Option<Vec<(String, Origin)>> {
    let entry = table.get(name);
    let texts = entry.and_then(|entry| match &entry.node.data {
        Data::List(items) => items.iter().map(text).collect(),
        _ => None,
    });
    if texts.is_none() {
        let origin = entry.map_or(&node.origin, |entry| &entry.node.origin);
        base.fail(
            &format!("{key}.{name}"),
            origin,
            "this must be a list of names",
            REMEDY,
        );
    }
    texts
}

fn text(node: &Node) -> Option<(String, Origin)> {
    match &node.data {
        Data::Text(text) => Some((text.clone(), node.origin.clone())),
        _ => None,
    }
}

/// The items of a list of tables; none if it is not there.
fn items(entry: Option<Entry>, key: &str, base: &mut Base) -> Vec<Node> {
    match entry.map(|entry| entry.node) {
        None => Vec::new(),
        Some(Node {
            data: Data::List(items),
            ..
        }) => items,
        Some(node) => {
            base.fail(key, &node.origin, "this is not a list of tables", REMEDY);
            Vec::new()
        }
    }
}

/// The bodies and materials of all additions, until these take them.
struct Written {
    bodies: Vec<Node>,
    materials: Table,
}

impl Written {
    fn take(root: &mut Table, base: &mut Base) -> Self {
        let bodies = items(root.remove(BODY), BODY, base);
        let materials = match root.remove(MATERIAL).map(|entry| entry.node) {
            None => Table::new(),
            Some(Node {
                data: Data::Table(materials),
                ..
            }) => materials,
            Some(node) => {
                base.fail(MATERIAL, &node.origin, "this is not a table", REMEDY);
                Table::new()
            }
        };
        Self { bodies, materials }
    }

    /// The tables that an addition names.
    fn named_by(&mut self, header: &Header, key: &str, base: &mut Base) -> Table {
        let mut bodies = Vec::new();
        for (name, origin) in &header.bodies {
            match self.bodies.iter().position(|body| body.name() == Some(name)) {
                Some(place) => bodies.push(self.bodies.remove(place)),
                None => base.fail(
                    &format!("{key}.bodies"),
                    origin,
                    &format!("there is no [[{BODY}]] \"{name}\" in this file that no addition above names"),
                    REMEDY,
                ),
            }
        }
        let mut materials = Table::new();
        for (name, origin) in &header.materials {
            match self.materials.remove(name) {
                Some(entry) => drop(materials.insert(name.clone(), entry)),
                None => base.fail(
                    &format!("{key}.materials"),
                    origin,
                    &format!(
                        "there is no [{MATERIAL}.{name}] in this file that no addition above names"
                    ),
                    REMEDY,
                ),
            }
        }
        let mut own = Table::new();
        let tables = [
            (BODY, Data::List(bodies)),
            (MATERIAL, Data::Table(materials)),
        ];
        for (name, data) in tables {
            let is_empty = match &data {
                Data::List(list) => list.is_empty(),
                Data::Table(table) => table.is_empty(),
                _ => true,
            };
            if !is_empty {
                let origin = Origin::Whole;
                let node = Node {
                    data,
                    origin: origin.clone(),
                };
                own.insert(name.into(), Entry { key: origin, node });
            }
        }
        own
    }

    /// Tells of bodies and materials that belong to no addition.
    fn check_all_taken(self, base: &mut Base) {
        for body in &self.bodies {
            let key = format!("{BODY}.{}", body.name().unwrap_or_default());
            base.fail(&key, &body.origin, "no addition names this body", REMEDY);
        }
        for (name, entry) in &self.materials {
            let message = "no addition names this material";
            base.fail(&format!("{MATERIAL}.{name}"), &entry.key, message, REMEDY);
        }
    }
}
