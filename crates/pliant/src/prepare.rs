//! From a scene file to a world ready to run: the scene read, its files read, its bodies filled.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use pliant_core::parallel;
use pliant_geometry::{Loop, MeshSource, Samples, TetrahedralMesh, TriangleMesh};
use pliant_io::{file_hash, mesh, particles, tetrahedra};
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
    /// Hashes of the mesh, particle and tetrahedra files it names, by path.
    pub file_hashes: BTreeMap<String, u64>,
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
        let meshes = InputFiles::default();
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
            file_hashes: meshes.hashes(),
            seconds: start.elapsed().as_secs_f64(),
        })
    }
}

/// Meshes, particles and tetrahedra from files, each read once.
#[derive(Debug, Default)]
pub struct InputFiles {
    meshes: RefCell<BTreeMap<String, Arc<TriangleMesh>>>,
    particles: RefCell<BTreeMap<String, Arc<Samples>>>,
    tetrahedra: RefCell<BTreeMap<String, Arc<TetrahedralMesh>>>,
    hashes: RefCell<BTreeMap<String, u64>>,
}

impl InputFiles {
    /// Hashes of the files read so far, by path.
    pub fn hashes(&self) -> BTreeMap<String, u64> {
        self.hashes.borrow().clone()
    }

    /// What a file holds, read only the first time.
    fn read_once<T, E: Display>(
        &self,
        known: &RefCell<BTreeMap<String, Arc<T>>>,
        file: &str,
        read: impl Fn(&Path) -> Result<T, E>,
    ) -> Result<Arc<T>, Problem> {
        if let Some(content) = known.borrow().get(file) {
            return Ok(Arc::clone(content));
        }
        let path = Path::new(file);
        let problem = |message: String| Problem {
            key: Some("file".into()),
            message,
            remedy: None,
        };
        let content = Arc::new(read(path).map_err(|e| problem(e.to_string()))?);
        let hash = file_hash(path).map_err(|e| problem(e.to_string()))?;
        self.hashes.borrow_mut().insert(file.to_owned(), hash);
        known
            .borrow_mut()
            .insert(file.to_owned(), Arc::clone(&content));
        Ok(content)
    }
}

impl MeshSource for InputFiles {
    fn mesh(&self, file: &str) -> Result<Arc<TriangleMesh>, Problem> {
        self.read_once(&self.meshes, file, mesh::read)
    }

    fn particles(&self, file: &str) -> Result<Arc<Samples>, Problem> {
        self.read_once(&self.particles, file, particles::read)
    }

    fn tetrahedra(&self, file: &str) -> Result<Arc<TetrahedralMesh>, Problem> {
        self.read_once(&self.tetrahedra, file, tetrahedra::read)
    }

    fn work(&self) -> Loop {
        |count, piece| parallel::for_indices(count, piece)
    }
}
