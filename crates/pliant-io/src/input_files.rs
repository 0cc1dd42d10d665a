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

use crate::noted_files::NotedFiles;
use crate::{mesh, particles, tetrahedra};

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

    /// Hashes of the files read so far, and of those that they refer to, by path.
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
        let content = Arc::new(self.noting(|files| read(Path::new(file), files))?);
        known
            .borrow_mut()
            .insert(file.to_owned(), Arc::clone(&content));
        Ok(content)
    }

    /// What is read of files, all of which are taken note of.
    fn noting<T, E: Display>(
        &self,
        read: impl FnOnce(&dyn Files) -> Result<T, E>,
    ) -> Result<T, Problem> {
        let noted = NotedFiles::of(self.files);
        let content = read(&noted).map_err(|e| problem(&e))?;
        self.hashes.borrow_mut().extend(noted.hashes());
        Ok(content)
    }

    /// Keeps the mesh of one that moves.
    fn keep_series(&self, file: &str, series: &MeshSeries) {
        let mesh = Arc::new(series.mesh.clone());
        self.meshes.borrow_mut().insert(file.to_owned(), mesh);
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
        let series = self.noting(|files| mesh::read_series_with(&paths, files))?;
        self.keep_series(first, &series);
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
        let read = |files: &dyn Files| mesh::read_animation_with(Path::new(file), files, &wanted);
        let (series, rate) = self.noting(read)?;
        self.keep_series(file, &series);
        Ok((series, rate))
    }

    fn particles(&self, file: &str) -> Result<Arc<Samples>, Problem> {
        self.read_once(&self.particles, file, particles::read_with)
    }

    fn vectors(&self, file: &str, array: &str) -> Result<VectorSamples, Problem> {
        self.report_progress(&format!("reading {file}"));
        self.noting(|files| particles::read_vectors_with(Path::new(file), array, files))
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const TRIANGLE: &str = "int[] faceVertexCounts = [3]\n int[] faceVertexIndices = [0, 1, 2]\n \
                            point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]";

    /// Names of the files that were read with a mesh, and their hashes.
    fn read(folder: &Path, name: &str) -> BTreeMap<String, u64> {
        let path = folder.join(name).display().to_string();
        let files = InputFiles::default();
        files.mesh(&path).unwrap();
        let of_folder = |path: String| {
            let path = Path::new(&path).strip_prefix(folder).unwrap();
            path.display().to_string()
        };
        let hashes = files.hashes().into_iter();
        hashes.map(|(path, hash)| (of_folder(path), hash)).collect()
    }

    #[test]
    fn files_that_a_usd_file_takes_from_are_hashed_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            fs::write(folder.path().join(name), format!("#usda 1.0\n{text}\n")).unwrap();
        };
        write(
            "a.usda",
            "(\n subLayers = [@layer.usda@]\n)\n\
             def \"a\" (references = @part.usda@</part>) {}\ndef \"b\" (payload = @load.usda@</load>) {}",
        );
        write("layer.usda", "over \"a\" {}");
        write("part.usda", &format!("def Mesh \"part\" {{ {TRIANGLE} }}"));
        write("load.usda", &format!("def Mesh \"load\" {{ {TRIANGLE} }}"));
        write("other.usda", "");
        let before = read(folder.path(), "a.usda");
        let names: Vec<&str> = before.keys().map(String::as_str).collect();
        assert_eq!(names, ["a.usda", "layer.usda", "load.usda", "part.usda"]);
        for name in ["layer.usda", "load.usda", "part.usda"] {
            let path = folder.path().join(name);
            let text = fs::read_to_string(&path).unwrap();
            fs::write(&path, format!("{text}# changed\n")).unwrap();
            let after = read(folder.path(), "a.usda");
            let changed = after.iter().filter(|(name, hash)| before[*name] != **hash);
            assert_eq!(changed.map(|(name, _)| name).collect::<Vec<_>>(), [name]);
            fs::write(&path, text).unwrap();
        }
    }

    #[test]
    fn clips_that_a_usd_file_has_values_from_are_hashed_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            fs::write(folder.path().join(name), format!("#usda 1.0\n{text}\n")).unwrap();
        };
        let clip = "over \"m\" { point3f[] points.timeSamples = { 0: [(0, 0, 0), (1, 0, 0), (0, 1, 0)] } }";
        write(
            "a.usda",
            "def Mesh \"a\" (clips = { dictionary default = {\n asset manifestAssetPath = @manifest.usda@\n \
             asset[] assetPaths = [@clip.usda@]\n double2[] active = [(0, 0)]\n string primPath = \"/m\"\n } }) \
             {\n int[] faceVertexCounts = [3]\n int[] faceVertexIndices = [0, 1, 2]\n }",
        );
        write("manifest.usda", "over \"m\" { point3f[] points }");
        write("clip.usda", clip);
        let before = read(folder.path(), "a.usda");
        let names: Vec<&str> = before.keys().map(String::as_str).collect();
        assert_eq!(names, ["a.usda", "clip.usda", "manifest.usda"]);
        write("clip.usda", &clip.replace("(0, 1, 0)", "(0, 2, 0)"));
        let after = read(folder.path(), "a.usda");
        assert_ne!(before["clip.usda"], after["clip.usda"]);
    }
}
