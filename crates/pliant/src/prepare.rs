//! From a scene file to a world ready to run: the scene read, its meshes fetched, its bodies filled.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use pliant_core::parallel;
use pliant_geometry::{Loop, MeshSource, TriangleMesh};
use pliant_io::{file_hash, mesh};
use pliant_parameters::Problem;
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
    /// Hashes of the mesh files it names, by path.
    pub mesh_hashes: BTreeMap<String, u64>,
    /// Wall time it took to prepare it [s].
    pub seconds: f64,
}

impl Prepared {
    /// Reads a scene file and builds its world.
    ///
    /// # Errors
    /// Everything that is wrong with the scene.
    pub fn read(path: &Path, overrides: &Overrides) -> Result<Self, SceneErrors> {
        let start = Instant::now();
        let scene = Scene::read(path, overrides)?;
        let meshes = MeshFiles::default();
        let built = scene.build(BuildWith {
            meshes: &meshes,
            memory: available_memory(),
        })?;
        Ok(Self {
            name: path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            file: path.display().to_string(),
            scene,
            built,
            mesh_hashes: meshes.hashes(),
            seconds: start.elapsed().as_secs_f64(),
        })
    }
}

/// Meshes from files, each read once.
#[derive(Debug, Default)]
pub struct MeshFiles {
    read: RefCell<BTreeMap<String, (Arc<TriangleMesh>, u64)>>,
}

impl MeshFiles {
    /// Hashes of the files read so far, by path.
    pub fn hashes(&self) -> BTreeMap<String, u64> {
        let read = self.read.borrow();
        read.iter()
            .map(|(file, (_, hash))| (file.clone(), *hash))
            .collect()
    }
}

impl MeshSource for MeshFiles {
    fn mesh(&self, file: &str) -> Result<Arc<TriangleMesh>, Problem> {
        if let Some((mesh, _)) = self.read.borrow().get(file) {
            return Ok(Arc::clone(mesh));
        }
        let path = Path::new(file);
        let problem = |message: String| Problem {
            key: Some("file".into()),
            message,
            remedy: None,
        };
        let mesh = Arc::new(mesh::read(path).map_err(|e| problem(e.to_string()))?);
        let hash = file_hash(path).map_err(|e| problem(e.to_string()))?;
        let mut read = self.read.borrow_mut();
        read.insert(file.to_owned(), (Arc::clone(&mesh), hash));
        Ok(mesh)
    }

    fn work(&self) -> Loop {
        |count, piece| parallel::for_indices(count, piece)
    }
}
