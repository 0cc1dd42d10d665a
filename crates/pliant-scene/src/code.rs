//! Scenes made in code: the same tables, keys and checks as those of a file.

use std::path::{Path, PathBuf};

use pliant_math::DVec3;
use pliant_parameters::Disk;

use crate::document::document_of;
use crate::problems::SceneErrors;
use crate::scene::Scene;

/// A value of a table; made by `into` from numbers, truth values, texts, vectors, lists and [`SceneTable`]s.
#[derive(Clone, Debug, PartialEq)]
pub enum SceneValue {
    /// A number.
    Number(f64),
    /// A whole number, which is taken where a number is asked for too.
    Integer(i64),
    /// True or false.
    Flag(bool),
    /// A text: a name, a word, a path.
    Text(String),
    /// A list, or a vector.
    List(Vec<SceneValue>),
    /// A table.
    Table(SceneTable),
}

/// A table in code: values at addresses below it, set in order.
///
/// Addresses are those of `--set`: keys joined by dots. The keys, units and ranges are those of the scene
/// reference; they are checked by [`SceneBuilder::build`].
///
/// ```
/// use pliant_scene::SceneTable;
///
/// let ball = SceneTable::new()
///     .with("name", "ball")
///     .with("material", "rubber")
///     .with("shape.sphere.radius", 0.05)
///     .with("position", [0.0, 0.5, 0.0])
///     .with("spacing", 0.01);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneTable {
    pub(crate) values: Vec<(String, SceneValue)>,
}

/// A scene that is put together in code; see [`Scene::builder`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneBuilder {
    pub(crate) root: SceneTable,
    /// Tables of lists, such as `body`, in order.
    pub(crate) items: Vec<(String, SceneTable)>,
    folder: PathBuf,
}

impl SceneTable {
    /// A table without values.
    pub fn new() -> Self {
        Self::default()
    }

    /// With a value at an address below this table; it replaces one that was there.
    pub fn with(mut self, address: impl Into<String>, value: impl Into<SceneValue>) -> Self {
        self.values.push((address.into(), value.into()));
        self
    }
}

impl SceneBuilder {
    /// With a value at an address: `scene.duration`, `material.rubber.preset`; it replaces one that was there.
    pub fn with(mut self, address: impl Into<String>, value: impl Into<SceneValue>) -> Self {
        self.root = self.root.with(address, value);
        self
    }

    /// With a further table in a list: `body`, `collider`, `probe`, ...
    pub fn add(mut self, list: impl Into<String>, item: SceneTable) -> Self {
        self.items.push((list.into(), item));
        self
    }

    /// Relative paths of files in it start from this folder; without, from the current one.
    pub fn in_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = folder.into();
        self
    }

    /// Checks it, and fills in defaults.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with the address of its key: `body.ball.spacing`, `expect[2].range`.
    pub fn build(&self) -> Result<Scene, SceneErrors> {
        Scene::of_document(document_of(self), &Disk)
    }

    /// Where relative paths start.
    pub(crate) fn folder(&self) -> &Path {
        match self.folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => &self.folder,
        }
    }
}

impl Scene {
    /// A scene that is put together in code rather than read: the same keys, checks and messages as in a file.
    ///
    /// ```
    /// use pliant_scene::{Scene, SceneTable};
    ///
    /// let builder = Scene::builder()
    ///     .with("scene.duration", 0.5)
    ///     .with("material.rubber.preset", "rubber")
    ///     .add(
    ///         "body",
    ///         SceneTable::new()
    ///             .with("name", "ball")
    ///             .with("material", "rubber")
    ///             .with("shape.sphere.radius", 0.05)
    ///             .with("spacing", 0.01),
    ///     );
    /// assert_eq!(builder.build()?.duration(), 0.5);
    ///
    /// let wrong = builder.with("body[0].spacing", -0.01).build().map(|_| ());
    /// let said = wrong.expect_err("no negative spacing").to_string();
    /// assert!(said.starts_with("error: body.ball.spacing = -0.01"), "{said}");
    /// # Ok::<(), pliant_scene::SceneErrors>(())
    /// ```
    pub fn builder() -> SceneBuilder {
        SceneBuilder::default()
    }
}

impl From<f64> for SceneValue {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<i64> for SceneValue {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<i32> for SceneValue {
    fn from(value: i32) -> Self {
        Self::Integer(value.into())
    }
}

impl From<u32> for SceneValue {
    fn from(value: u32) -> Self {
        Self::Integer(value.into())
    }
}

impl From<bool> for SceneValue {
    fn from(value: bool) -> Self {
        Self::Flag(value)
    }
}

impl From<&str> for SceneValue {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for SceneValue {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl From<SceneTable> for SceneValue {
    fn from(value: SceneTable) -> Self {
        Self::Table(value)
    }
}

impl From<DVec3> for SceneValue {
    fn from(value: DVec3) -> Self {
        value.to_array().into()
    }
}

impl<T: Into<SceneValue>> From<Vec<T>> for SceneValue {
    fn from(value: Vec<T>) -> Self {
        Self::List(value.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<SceneValue>, const N: usize> From<[T; N]> for SceneValue {
    fn from(value: [T; N]) -> Self {
        Self::List(value.into_iter().map(Into::into).collect())
    }
}
