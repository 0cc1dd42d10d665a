//! The scenes that come with the program, embedded in it.

use std::path::Path;

use pliant_scene::{Overrides, Scene, SceneErrors};

include!(concat!(env!("OUT_DIR"), "/bundled_scenes.rs"));

/// A scene that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BundledScene {
    /// Folder and name: `xpbi/hourglass`.
    pub name: &'static str,
    /// The file's text.
    pub text: &'static str,
}

impl BundledScene {
    /// The scene, read as if it stood in the current folder.
    ///
    /// # Errors
    /// What is wrong with it, for a scene that needs files which are not here.
    pub fn read(&self) -> Result<Scene, SceneErrors> {
        let name = format!("{}.toml", self.name);
        Scene::parse(self.text, &name, Path::new("."), &Overrides::default())
    }
}

/// All bundled scenes, by name.
pub fn bundled_scenes() -> impl Iterator<Item = BundledScene> {
    SCENES.iter().map(|&(name, text)| BundledScene { name, text })
}

/// The bundled scene of a name: `xpbi/hourglass`, or `hourglass` where only one ends so.
pub fn bundled_scene(name: &str) -> Option<BundledScene> {
    let name = name.strip_suffix(".toml").unwrap_or(name);
    let exact = bundled_scenes().find(|scene| scene.name == name);
    exact.or_else(|| {
        let ends_so = |scene: &BundledScene| scene.name.rsplit('/').next() == Some(name);
        let mut found = bundled_scenes().filter(ends_so);
        found.next().filter(|_| found.next().is_none())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bundled_scenes_are_found_by_their_whole_and_their_last_name() {
        for scene in bundled_scenes() {
            assert_eq!(bundled_scene(scene.name), Some(scene));
            let last = scene.name.rsplit('/').next().unwrap_or_default();
            assert!(bundled_scene(last).is_none_or(|found| found.name.ends_with(last)));
        }
        assert_eq!(bundled_scene("no-such-scene"), None);
    }
}
