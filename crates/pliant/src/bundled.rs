//! The scenes that come with the program, embedded in it.

use std::collections::BTreeMap;

use toml::{Table, Value};

include!(concat!(env!("OUT_DIR"), "/bundled_scenes.rs"));

/// A scene that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BundledScene {
    /// Folder and name: `xpbi/hourglass`.
    pub name: &'static str,
    /// Its file: `xpbi/hourglass.toml`.
    pub file: &'static str,
    /// The file's text.
    pub text: &'static str,
}

impl BundledScene {
    /// A text of its table `[scene]`, `title` or `source`, its own or that of a scene it includes;
    /// empty if it is not there.
    pub fn describe(&self, key: &str) -> String {
        let table = self.table();
        let text = table
            .get("scene")
            .and_then(|scene| scene.get(key))
            .and_then(Value::as_str);
        match text {
            Some(text) => text.to_owned(),
            None => {
                let included = self.included();
                included
                    .last()
                    .map_or(String::new(), |scene| scene.describe(key))
            }
        }
    }

    /// The files beside it that it needs, included scenes and meshes: path relative to the scene,
    /// and content.
    pub fn files(&self) -> BTreeMap<&'static str, &'static [u8]> {
        let folder = self.folder();
        let beside = FILES
            .iter()
            .filter_map(|(path, bytes)| Some((path.strip_prefix(folder)?, *bytes)));
        let mut files: BTreeMap<_, _> = beside.filter(|(path, _)| self.names(path)).collect();
        for scene in self.included() {
            files.extend(scene.files());
            files.insert(&scene.file[folder.len()..], scene.text.as_bytes());
        }
        files
    }

    /// Whether its text names a file, or numbered files of which it is one: `#` stands for a digit.
    fn names(&self, path: &str) -> bool {
        let is_digit = |c: char| c.is_ascii_digit();
        let is_named = |text: &str| {
            let mut pairs = text.chars().zip(path.chars());
            text.len() == path.len() && pairs.all(|(a, b)| a == b || a == '#' && is_digit(b))
        };
        self.text.split('"').any(is_named)
    }

    /// The bundled scenes of the same folder that it is laid over.
    fn included(&self) -> Vec<Self> {
        let table = self.table();
        let list = table.get("include").and_then(Value::as_array);
        let names = list.into_iter().flatten().filter_map(Value::as_str);
        let found = names.filter_map(|name| {
            let file = format!("{}{name}", self.folder());
            bundled_scenes().find(|scene| scene.file == file)
        });
        found.collect()
    }

    fn table(&self) -> Table {
        self.text.parse().unwrap_or_default()
    }

    /// `xpbi/`, or empty.
    fn folder(&self) -> &'static str {
        self.name.rfind('/').map_or("", |end| &self.name[..=end])
    }
}

/// All bundled scenes, by name.
pub fn bundled_scenes() -> impl Iterator<Item = BundledScene> {
    SCENES.iter().map(|&(file, text)| BundledScene {
        name: file.strip_suffix(".toml").unwrap_or(file),
        file,
        text,
    })
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
    fn bundled_scenes_are_found_by_full_and_by_last_name() {
        for scene in bundled_scenes() {
            assert_eq!(bundled_scene(scene.name), Some(scene));
            let last = scene.name.rsplit('/').next().unwrap_or_default();
            assert!(bundled_scene(last).is_none_or(|found| found.name.ends_with(last)));
        }
        assert_eq!(bundled_scene("no-such-scene"), None);
    }

    #[test]
    fn numbered_files_come_with_their_scene() {
        let dancer = bundled_scene("cloth/dancer").expect("bundled");
        let files = dancer.files();
        assert_eq!(files.len(), 20);
        assert!(files.contains_key("meshes/dancer.07.ply"));
    }

    #[test]
    fn every_bundled_scene_has_a_title_and_the_files_it_needs() {
        for scene in bundled_scenes() {
            assert!(!scene.describe("title").is_empty(), "{}", scene.name);
            let files = scene.files();
            let needs = |line: &&str| line.starts_with("include") || line.contains("file = \"");
            for line in scene
                .text
                .lines()
                .filter(|line| !line.starts_with('#'))
                .filter(needs)
            {
                let named = files.keys().any(|path| {
                    let digits = |c: char| if c.is_ascii_digit() { '#' } else { c };
                    let numbered: String = path.chars().map(digits).collect();
                    line.contains(&format!("\"{path}\""))
                        || line.contains(&format!("\"{numbered}\""))
                });
                assert!(named, "{}: {line}", scene.name);
            }
        }
    }
}
