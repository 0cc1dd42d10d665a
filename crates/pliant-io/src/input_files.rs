//! The meshes, particles and tetrahedra that a scene names.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::{self, Debug, Display};
use std::path::Path;
use std::sync::Arc;

use pliant_core::parallel;
use pliant_geometry::{
    Loop, MeshSeries, MeshSource, Samples, TetrahedralMesh, TexturedMesh, TriangleMesh,
    VectorSamples,
};
use pliant_parameters::{Disk, Files, Problem};

use crate::beside::read_from;
use crate::{FileError, content_hash, mesh, particles, tetrahedra};

/// Meshes, particles and tetrahedra from files, each read once. Long work on them runs on the threads of the pool
/// that it is called in.
pub struct InputFiles<'a> {
    files: &'a dyn Files,
    watch: &'a (dyn Fn(&str) + Sync),
    meshes: RefCell<BTreeMap<String, Arc<TriangleMesh>>>,
    textured: RefCell<BTreeMap<String, Arc<TexturedMesh>>>,
    texture_damages: RefCell<BTreeMap<String, String>>,
    particles: RefCell<BTreeMap<String, Arc<Samples>>>,
    tetrahedra: RefCell<BTreeMap<String, Arc<TetrahedralMesh>>>,
    hashes: RefCell<BTreeMap<String, u64>>,
}

impl Default for InputFiles<'_> {
    /// Of the disk, and nobody is told.
    fn default() -> Self {
        Self::watched(&Disk, &|_| ())
    }
}

impl Debug for InputFiles<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hashes = &self.hashes.borrow();
        f.debug_struct("InputFiles")
            .field("hashes", hashes)
            .finish()
    }
}

impl<'a> InputFiles<'a> {
    /// Of a place where files come from; `watch` is told what is being done: "reading a.obj".
    pub fn watched(files: &'a dyn Files, watch: &'a (dyn Fn(&str) + Sync)) -> Self {
        Self {
            files,
            watch,
            meshes: RefCell::default(),
            textured: RefCell::default(),
            texture_damages: RefCell::default(),
            particles: RefCell::default(),
            tetrahedra: RefCell::default(),
            hashes: RefCell::default(),
        }
    }

    /// Hashes of the files read so far, by path.
    pub fn hashes(&self) -> BTreeMap<String, u64> {
        self.hashes.borrow().clone()
    }

    /// The meshes read so far, by path.
    pub fn meshes(&self) -> BTreeMap<String, Arc<TriangleMesh>> {
        self.meshes.borrow().clone()
    }

    /// What a file holds, read only the first time.
    fn read_once<T, E: Display>(
        &self,
        known: &RefCell<BTreeMap<String, Arc<T>>>,
        file: &str,
        read: impl Fn(&Path, &dyn Files) -> Result<T, E>,
    ) -> Result<Arc<T>, Problem> {
        if let Some(content) = known.borrow().get(file) {
            return Ok(Arc::clone(content));
        }
        self.report_progress(&format!("reading {file}"));
        let path = Path::new(file);
        let content = Arc::new(read(path, self.files).map_err(|e| problem(&e))?);
        let hash = self.hash(path).map_err(|e| problem(&e))?;
        self.hashes.borrow_mut().insert(file.to_owned(), hash);
        known
            .borrow_mut()
            .insert(file.to_owned(), Arc::clone(&content));
        Ok(content)
    }

    /// Takes note of the files of a mesh that moves.
    fn keep_series(&self, files: &[String], series: &MeshSeries) -> Result<(), Problem> {
        for file in files {
            let hash = self.hash(Path::new(file)).map_err(|e| problem(&e))?;
            self.hashes.borrow_mut().insert(file.clone(), hash);
        }
        let mesh = Arc::new(series.mesh.clone());
        self.meshes.borrow_mut().insert(files[0].clone(), mesh);
        Ok(())
    }

    fn hash(&self, path: &Path) -> Result<u64, FileError> {
        Ok(content_hash(&read_from(self.files, path)?))
    }
}

fn problem(error: &dyn Display) -> Problem {
    Problem {
        key: Some("file".into()),
        message: error.to_string(),
        remedy: None,
    }
}

impl MeshSource for InputFiles<'_> {
    fn mesh(&self, file: &str) -> Result<Arc<TriangleMesh>, Problem> {
        self.read_once(&self.meshes, file, |path, files| {
            let read = mesh::read_textured_with(path, files)?;
            if let Some(textured) = read.textured {
                let mut known = self.textured.borrow_mut();
                known.insert(file.to_owned(), Arc::new(textured));
            }
            if let Some(damage) = read.texture_damage {
                let mut known = self.texture_damages.borrow_mut();
                known.insert(file.to_owned(), damage);
            }
            Ok::<_, mesh::MeshFileError>(read.mesh)
        })
    }

    /// Known once [`Self::mesh`] has read the file.
    fn textured(&self, file: &str) -> Option<Arc<TexturedMesh>> {
        self.textured.borrow().get(file).cloned()
    }

    /// Known once [`Self::mesh`] has read the file.
    fn texture_damage(&self, file: &str) -> Option<String> {
        self.texture_damages.borrow().get(file).cloned()
    }

    fn is_y_up(&self, file: &str) -> bool {
        mesh::is_y_up(Path::new(file))
    }

    fn series(&self, files: &[String]) -> Result<MeshSeries, Problem> {
        let (first, last) = (&files[0], &files[files.len() - 1]);
        self.report_progress(&format!("reading {first} to {last}"));
        let paths: Vec<&Path> = files.iter().map(Path::new).collect();
        let series = mesh::read_series_with(&paths, self.files).map_err(|e| problem(&e))?;
        self.keep_series(files, &series)?;
        Ok(series)
    }

    fn animation(
        &self,
        file: &str,
        name: Option<&str>,
        rate: f64,
    ) -> Result<(MeshSeries, f64), Problem> {
        self.report_progress(&format!("reading {file}"));
        let wanted = mesh::Sampling {
            animation: name,
            rate,
        };
        let animation = mesh::read_animation_with(Path::new(file), self.files, &wanted);
        let (series, rate) = animation.map_err(|e| problem(&e))?;
        self.keep_series(&[file.to_owned()], &series)?;
        Ok((series, rate))
    }

    fn particles(&self, file: &str) -> Result<Arc<Samples>, Problem> {
        self.read_once(&self.particles, file, particles::read_with)
    }

    fn vectors(&self, file: &str, array: &str) -> Result<VectorSamples, Problem> {
        self.report_progress(&format!("reading {file}"));
        let path = Path::new(file);
        let read = particles::read_vectors_with(path, array, self.files);
        let vectors = read.map_err(|e| problem(&e))?;
        let hash = self.hash(path).map_err(|e| problem(&e))?;
        self.hashes.borrow_mut().insert(file.to_owned(), hash);
        Ok(vectors)
    }

    fn tetrahedra(&self, file: &str) -> Result<Arc<TetrahedralMesh>, Problem> {
        self.read_once(&self.tetrahedra, file, tetrahedra::read_with)
    }

    fn report_progress(&self, doing: &str) {
        (self.watch)(doing);
    }

    fn work(&self) -> Loop {
        |count, piece| parallel::for_indices(count, piece)
    }
}
