//! The scene file of a world that is acted on.

use std::path::{Path, PathBuf};

use pliant_interaction::{Hand, InputLog};
use pliant_scene::{Overrides, Scene, SceneErrors};

use crate::prepare::{Prepared, scene_name};

/// Where a scene comes from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// The scene file.
    pub path: PathBuf,
    /// What replaces its values.
    pub overrides: Overrides,
}

impl Source {
    /// The scene of a log, with the values that it started with.
    pub fn of(log: &InputLog) -> Self {
        Self {
            path: log.scene.clone(),
            overrides: Overrides {
                detail: log.detail.clone(),
                set: log.set.clone(),
                ..Overrides::default()
            },
        }
    }

    /// The text of the file.
    pub(super) fn read_text(&self) -> Result<String, SceneErrors> {
        let name = self.path.display().to_string();
        std::fs::read_to_string(&self.path)
            .map_err(|why| SceneErrors::unreadable(&name, &why.to_string()))
    }

    /// The world of a text that stands for the file, with the hand in it.
    pub(super) fn prepare(
        &self,
        text: &str,
        overrides: &Overrides,
        watch: &(dyn Fn(&str) + Sync),
    ) -> Result<Prepared, SceneErrors> {
        let file = self.path.display().to_string();
        let folder = match self.path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let scene = Scene::parse(text, &file, folder, overrides)?;
        let name = scene_name(&self.path);
        Prepared::beside(scene, &name, &file, &[Hand::collider()], watch)
    }
}
