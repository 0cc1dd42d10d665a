//! From a scene file to a world ready to run: the scene read, its files read, its bodies filled.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use pliant_core::boundaries::Collider;
use pliant_core::world::Setup;
use pliant_geometry::TriangleMesh;
use pliant_io::InputFiles;
use pliant_parameters::Disk;
use pliant_scene::{BuildWith, Built, Overrides, Scene, SceneErrors};

use crate::machine::available_memory;

/// A scene with the world it describes.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The file's name without folder and extension.
    pub name: String,
    /// The scene file as it was given.
    pub file: String,
    /// What it says.
    pub scene: Scene,
    /// The world it describes.
    pub built: Built,
    /// Hashes of the mesh, particle and tetrahedra files it names, by path.
    pub file_hashes: BTreeMap<String, u64>,
    /// The meshes among them, as the files hold them.
    pub meshes: BTreeMap<String, Arc<TriangleMesh>>,
    /// Wall time it took to prepare it [s].
    pub seconds: f64,
}

impl Prepared {
    /// Reads a scene file and builds its world.
    ///
    /// # Errors
    /// Everything that is wrong with the scene.
    pub fn read(path: &Path, overrides: &Overrides) -> Result<Self, SceneErrors> {
        Self::read_watched(path, overrides, &|_| ())
    }

    /// As [`read`](Self::read), and tells what is being done: "filling body.column ...".
    ///
    /// # Errors
    /// Everything that is wrong with the scene.
    pub fn read_watched(
        path: &Path,
        overrides: &Overrides,
        watch: &(dyn Fn(&str) + Sync),
    ) -> Result<Self, SceneErrors> {
        let start = Instant::now();
        watch("reading the scene");
        let scene = read_scene(path, overrides)?;
        let file = match is_standard_input(path) {
            true => STANDARD_INPUT.into(),
            false => path.display().to_string(),
        };
        let prepared = Self::of(scene, &scene_name(path), &file, watch)?;
        Ok(Self {
            seconds: start.elapsed().as_secs_f64(),
            ..prepared
        })
    }

    /// Builds the world of a scene that was read, and tells what is being done.
    ///
    /// * `name`, `file` — see the fields of the same names
    ///
    /// # Errors
    /// Everything that is wrong with the scene.
    pub fn of(
        scene: Scene,
        name: &str,
        file: &str,
        watch: &(dyn Fn(&str) + Sync),
    ) -> Result<Self, SceneErrors> {
        Self::beside(scene, name, file, &[], watch)
    }

    /// The same with further colliders after those of the scene.
    ///
    /// # Errors
    /// Everything that is wrong with the scene.
    pub fn beside(
        scene: Scene,
        name: &str,
        file: &str,
        colliders: &[Collider],
        watch: &(dyn Fn(&str) + Sync),
    ) -> Result<Self, SceneErrors> {
        let start = Instant::now();
        let meshes = InputFiles::watched(&Disk, watch);
        let with = BuildWith {
            meshes: &meshes,
            memory: available_memory(),
        };
        let built = scene.build_beside(with, colliders)?;
        Ok(Self {
            name: name.to_owned(),
            file: file.to_owned(),
            scene,
            built,
            file_hashes: meshes.hashes(),
            meshes: meshes.meshes(),
            seconds: start.elapsed().as_secs_f64(),
        })
    }
}

/// What is known of a scene beside the world that it describes.
#[derive(Clone, Debug)]
pub(crate) struct Provenance {
    /// What it says.
    pub scene: Scene,
    /// See [`Prepared::file`].
    pub file: String,
    /// See [`Prepared::file_hashes`].
    pub file_hashes: BTreeMap<String, u64>,
    /// See [`Prepared::seconds`].
    pub seconds: f64,
    /// What is allowed but probably not meant.
    pub warnings: Vec<String>,
    /// Particles at the start, by body.
    pub particles: BTreeMap<String, u64>,
}

impl Prepared {
    /// The constants of the world, and what is known beside them.
    pub(crate) fn split(self) -> (Provenance, Setup) {
        let Built {
            setup,
            warnings,
            estimate,
        } = self.built;
        let bodies = estimate.bodies.into_iter();
        let provenance = Provenance {
            scene: self.scene,
            file: self.file,
            file_hashes: self.file_hashes,
            seconds: self.seconds,
            warnings: warnings.iter().map(ToString::to_string).collect(),
            particles: bodies.map(|b| (b.name, b.particle_count)).collect(),
        };
        (provenance, setup)
    }
}

/// How messages call the scene that comes from the standard input.
const STANDARD_INPUT: &str = "standard input";

/// True for `-`, which stands for the standard input where a scene file is named.
pub fn is_standard_input(scene: &Path) -> bool {
    scene == Path::new("-")
}

/// The name of a scene file without folder and extension, `stdin` for the standard input.
pub fn scene_name(scene: &Path) -> String {
    match is_standard_input(scene) {
        true => "stdin".into(),
        false => {
            let stem = scene.file_stem().unwrap_or_default();
            stem.to_string_lossy().into_owned()
        }
    }
}

/// Reads a scene file, or the standard input for `-`, with paths relative to the current folder.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_scene(path: &Path, overrides: &Overrides) -> Result<Scene, SceneErrors> {
    if !is_standard_input(path) {
        return Scene::read(path, overrides);
    }
    // It can be read once, and a scene is read as often as it takes.
    static TEXT: OnceLock<Result<String, String>> = OnceLock::new();
    let read = || std::io::read_to_string(std::io::stdin()).map_err(|e| e.to_string());
    match TEXT.get_or_init(read) {
        Ok(text) => Scene::parse(text.as_str(), STANDARD_INPUT, Path::new("."), overrides),
        Err(why) => Err(SceneErrors::unreadable(STANDARD_INPUT, why)),
    }
}
