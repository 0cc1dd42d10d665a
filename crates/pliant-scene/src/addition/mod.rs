//! What is added to a world that has started: bodies and their materials, read by the rules of a scene.

mod recorded;

use std::path::Path;
use std::sync::Arc;

use pliant_core::boundaries::Collider;
use pliant_core::world::{Addition, Body, Material, Setup};
use pliant_parameters::{Disk, Value};
use pliant_rigid::grown;

use crate::build::{BuildWith, Built};
use crate::check::Tables;
use crate::code::SceneBuilder;
use crate::document::{
    Data, Document, Entry, Node, Overrides, Table, read_document, read_more, root_of,
};
use crate::problems::{Origin, SceneError, SceneErrors};
use crate::scene::Scene;

pub use recorded::{RecordedAddition, additions_text};

/// Tables of a scene that decide how bodies are made.
const KEPT: &[&str] = &["scene", "solver", "material"];

/// Bodies and materials for a world that has started; made by [`Scene::addition`].
#[derive(Clone, Debug)]
pub struct SceneAddition {
    /// A scene of nothing but them.
    scene: Scene,
    /// Names of the materials that are new.
    materials: Vec<String>,
}

impl Scene {
    /// Reads what a program adds to a running world of this scene: tables `body` and `material`.
    ///
    /// * `earlier` — what was added before, as [`SceneAddition::text`] tells it
    ///
    /// # Errors
    /// Everything that is wrong with it; other tables; names that are taken.
    pub fn addition(
        &self,
        earlier: &[String],
        builder: &SceneBuilder,
    ) -> Result<SceneAddition, SceneErrors> {
        let mut base = self.base_of_additions(earlier, builder.folder());
        let own = root_of(builder, &base.document.sources);
        match own {
            Ok(own) => self.add_tables(&mut base, own),
            Err(errors) => base.document.errors.extend(errors),
        }
        base.finish()
    }

    /// The same from a text in TOML.
    ///
    /// * `name`, `folder` — what messages call it, and where relative paths in it start
    ///
    /// # Errors
    /// As for [`Self::addition`], with the line.
    pub fn addition_of_text(
        &self,
        earlier: &[String],
        text: &str,
        (name, folder): (&str, &Path),
    ) -> Result<SceneAddition, SceneErrors> {
        let mut base = self.base_of_additions(earlier, folder);
        let own = read_more(&mut base.document, text.into(), (name, folder), &Disk);
        self.add_tables(&mut base, own);
        base.finish()
    }

    /// The settings and the materials that there are, and the names of the bodies.
    fn base_of_additions(&self, earlier: &[String], folder: &Path) -> Base {
        let kept = self.tables.iter().filter(|(name, _)| KEPT.contains(name));
        let kept: Tables = kept.map(|(name, items)| (*name, items.clone())).collect();
        let mut text = crate::print::print(&kept, folder);
        for addition in earlier {
            text.push('\n');
            text.push_str(addition);
        }
        let nothing = Overrides::default();
        let mut document = read_document(text, "scene", folder, &nothing, &Disk);
        let mut bodies: Vec<String> = self.tables["body"]
            .iter()
            .map(|body| body.text("name").to_owned())
            .collect();
        if let Some(before) = document.root.remove("body")
            && let Data::List(items) = &before.node.data
        {
            bodies.extend(items.iter().filter_map(Node::name).map(str::to_owned));
        }
        Base {
            document,
            bodies,
            materials: Vec::new(),
        }
    }

    /// Lays the tables of an addition on what there is.
    fn add_tables(&self, base: &mut Base, own: Table) {
        for (key, entry) in own {
            match key.as_str() {
                "body" => {
                    base.check_names(&entry);
                    base.document.root.insert(key, entry);
                }
                "material" => base.add_materials(entry),
                _ => {
                    let message = "this cannot be added to a world that has started";
                    let remedy = "add tables `body`, and `material` for them";
                    base.fail(&key, &entry.key, message, remedy);
                }
            }
        }
    }
}

/// Paths in the text of an addition start here.
const ROOT: &str = "/";

/// What an addition is laid on.
#[derive(Clone)]
struct Base {
    document: Document,
    /// Names of the bodies that there are.
    bodies: Vec<String>,
    /// Names of the materials that are new.
    materials: Vec<String>,
}

impl Base {
    fn check_names(&mut self, bodies: &Entry) {
        let Data::List(items) = &bodies.node.data else {
            return;
        };
        for node in items {
            let name = node.name().unwrap_or_default();
            if self.bodies.iter().any(|known| known == name) {
                let key = format!("body.{name}.name");
                let message = "there is a body of this name already";
                self.fail(&key, &node.origin, message, "take another name");
            }
        }
    }

    fn add_materials(&mut self, own: Entry) {
        let Data::Table(own) = own.node.data else {
            self.document.root.insert("material".into(), own);
            return;
        };
        for (name, entry) in own {
            let root = &mut self.document.root;
            let Some(Data::Table(known)) = root.get_mut("material").map(|e| &mut e.node.data)
            else {
                continue;
            };
            if known.contains_key(&name) {
                let message = "there is a material of this name already";
                let remedy =
                    "name it from the body without a table of its own, or take another name";
                self.fail(&format!("material.{name}"), &entry.key, message, remedy);
            } else {
                known.insert(name.clone(), entry);
                self.materials.push(name);
            }
        }
    }

    fn fail(&mut self, key: &str, origin: &Origin, message: &str, remedy: &str) {
        self.document.errors.push(SceneError {
            place: self.document.sources.place(origin),
            key: key.into(),
            value: None,
            message: message.into(),
            remedy: Some(remedy.into()),
        });
    }

    fn finish(self) -> Result<SceneAddition, SceneErrors> {
        Ok(SceneAddition {
            scene: Scene::of_document(self.document, &Disk)?,
            materials: self.materials,
        })
    }
}

impl SceneAddition {
    /// Its tables as TOML with every default written out; paths in it are absolute.
    pub fn text(&self) -> String {
        self.to_toml(Path::new(ROOT))
    }

    /// The same with paths relative to a folder.
    pub fn to_toml(&self, folder: &Path) -> String {
        let is_new = |name: &Value| matches!(name, Value::Text(t) if self.materials.contains(t));
        let of_scene = self.scene.tables["material"].iter();
        let new = of_scene.filter(|m| m.get("name").is_some_and(is_new));
        let mut own = Tables::new();
        own.insert("body", self.scene.tables["body"].clone());
        own.insert("material", new.cloned().collect());
        crate::print::print(&own, folder)
    }

    /// The names of its bodies, in their order.
    pub fn bodies(&self) -> impl Iterator<Item = &str> {
        self.scene.tables["body"]
            .iter()
            .map(|body| body.text("name"))
    }

    /// The names of its materials, in their order.
    pub fn materials(&self) -> impl Iterator<Item = &str> {
        self.materials.iter().map(String::as_str)
    }

    /// Builds what is added to a world with a setup, which is that of the scene with all earlier additions.
    ///
    /// # Errors
    /// As for [`Scene::build`].
    pub fn build(&self, setup: &Setup, with: BuildWith<'_>) -> Result<Addition, SceneErrors> {
        let Built { setup: own, .. } = self.scene.build(with)?;
        let is_new = |m: &&Material| self.materials.contains(&m.name);
        let materials: Vec<Material> = own.materials.iter().filter(is_new).cloned().collect();
        let all = || setup.materials.iter().chain(&materials);
        let number = |body: &Body| {
            let name = &own.materials[body.material as usize].name;
            let place = all().position(|material| material.name == *name);
            place.map(|place| place as u32)
        };
        let mut bodies = own.bodies.clone();
        for body in &mut bodies {
            // The setup has the materials of its scene; one that was made otherwise keeps the number.
            body.material = number(body).unwrap_or(body.material);
        }
        let first_rigid = own.first_rigid();
        let colliders: Vec<Collider> = own.colliders[first_rigid..].to_vec();
        Ok(Addition {
            materials,
            bodies,
            colliders,
            engine: |before, setup| grown(before, setup) as Arc<_>,
        })
    }
}
