//! What a scene is read from, so that it can be read again with other values.

use std::path::{Path, PathBuf};

use pliant::core::parallel::Pool;
use pliant::prepare::{Prepared, scene_name};
use pliant::scene::{Overrides, Scene, SceneErrors};

/// Where the text of a scene is.
#[derive(Clone, Debug)]
enum Text {
    /// In a file.
    File(PathBuf),
    /// Here; its name in messages, and the folder that paths in it start from.
    Given {
        text: String,
        name: String,
        folder: PathBuf,
    },
}

/// A scene that can be read, with what replaces values of it.
#[derive(Clone, Debug)]
pub struct Source {
    text: Text,
    overrides: Overrides,
}

impl Source {
    /// A scene file.
    pub fn file(path: PathBuf, overrides: Overrides) -> Self {
        let text = Text::File(path);
        Self { text, overrides }
    }

    /// The text of a scene.
    ///
    /// * `name` — stands for its file in messages
    /// * `folder` — where relative paths in it start
    pub fn text(text: String, (name, folder): (String, PathBuf), overrides: Overrides) -> Self {
        let text = Text::Given { text, name, folder };
        Self { text, overrides }
    }

    /// The same with further values, as `--set` takes them.
    pub fn with(&self, assignments: Vec<String>) -> Self {
        let mut changed = self.clone();
        changed.overrides.set.extend(assignments);
        changed
    }

    /// Reads the scene and builds its world on the threads of a pool.
    pub fn prepare(&self, pool: &Pool) -> Result<Prepared, SceneErrors> {
        pool.run(|| match &self.text {
            Text::File(path) => {
                let scene = Scene::read(path, &self.overrides)?;
                let file = path.display().to_string();
                Prepared::of(scene, &scene_name(path), &file, &|_| ())
            }
            Text::Given { text, name, folder } => {
                let scene = Scene::parse(text.as_str(), name, folder, &self.overrides)?;
                Prepared::of(scene, &scene_name(Path::new(name)), name, &|_| ())
            }
        })
    }
}
