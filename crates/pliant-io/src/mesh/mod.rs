//! Triangle meshes from files: OBJ, STL, PLY, glTF, USD.
//!
//! Whatever the format, the mesh that comes out has finite vertices, indices in range, no vertex
//! twice and none unused, and no triangle with a corner twice: formats that repeat corners (STL) or
//! split them at seams (OBJ, glTF) give the connected surface that was meant. Texture coordinates are
//! kept beside it, with the mesh as it was written. Units are those that
//! USD files tell, of others metres. Whether the surface is closed is the business of `pliant-geometry`.

mod error;
mod gltf;
mod obj;
pub(crate) mod ply;
mod skinning;
mod stl;
mod texture;
mod transform;
mod usd;
mod weld;

use std::path::Path;

use pliant_geometry::{MeshSeries, TexturedMesh, TriangleMesh};
use pliant_parameters::{Disk, Files};

pub use error::{MeshFileError, MeshProblem};
pub(crate) use usd::{Keyframes, Told, keyframes};

use crate::beside::{Beside, read_from};
use texture::Written;

/// A mesh format: a row of the registry.
#[derive(Clone, Copy, Debug)]
pub struct MeshFormat {
    /// Name for people.
    pub name: &'static str,
    /// Extensions of its files, lower case, without dot.
    pub extensions: &'static [&'static str],
    /// Its files say which axis is up: whatever it is, y is up in the mesh.
    is_y_up: bool,
    /// Reads raw vertices and triangles from bytes, and from files beside them.
    read: fn(&[u8], &Beside<'_>) -> Result<Written, MeshProblem>,
    /// Reads the frames of an animation, from its start to its end, and their rate [1/s]; `None` where there are none.
    read_animation: Option<ReadAnimation>,
}

type ReadAnimation =
    fn(&[u8], &Beside<'_>, &Sampling<'_>) -> Result<(Vec<TriangleMesh>, f64), MeshProblem>;

/// Which frames of an animation are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Sampling<'a> {
    /// Name of the animation; the first if none is given.
    pub animation: Option<&'a str>,
    /// About so many frames a second [1/s], > 0; the first and the last are those of its ends.
    pub rate: f64,
}

/// The formats that can be read.
pub const FORMATS: &[MeshFormat] = &[
    obj::FORMAT,
    stl::FORMAT,
    ply::FORMAT,
    gltf::FORMAT,
    usd::FORMAT,
];

/// Whether the format of a file says which axis is up, so that y is up in its mesh.
pub fn is_y_up(path: &Path) -> bool {
    MeshFile::of(path).is_ok_and(|file| file.format.is_y_up)
}

/// Reads the mesh of a file, its format told by the extension, upper or lower case.
///
/// # Errors
/// If the extension is none of [`FORMATS`], the file or one it refers to cannot be read, or its
/// content is not a triangle mesh with finite coordinates.
pub fn read(path: &Path) -> Result<TriangleMesh, MeshFileError> {
    read_with(path, &Disk)
}

/// The same, of a file that comes from elsewhere than the disk.
///
/// # Errors
/// As for [`read`].
pub fn read_with(path: &Path, files: &dyn Files) -> Result<TriangleMesh, MeshFileError> {
    read_textured_with(path, files).map(|read| read.mesh)
}

/// A mesh that was read.
#[derive(Debug)]
pub struct ReadMesh {
    /// The connected surface.
    pub mesh: TriangleMesh,
    /// The mesh as it is written, with texture coordinates, if it has some.
    pub textured: Option<TexturedMesh>,
    /// Why parts of it are without the texture coordinates that the file has for them: what is wrong, and where.
    pub texture_damage: Option<String>,
}

/// The same, with texture coordinates. A mesh is of use without them, should they be damaged.
///
/// # Errors
/// As for [`read`].
pub fn read_textured_with(path: &Path, files: &dyn Files) -> Result<ReadMesh, MeshFileError> {
    let file = MeshFile::of(path)?;
    let mut written = file.read(files)?;
    let welded = weld::weld_with_origins(&written.textured.mesh);
    let (mesh, _) = welded.map_err(|problem| file.unusable(problem))?;
    written.keep_finite();
    Ok(ReadMesh {
        mesh,
        texture_damage: written.damage.take(),
        textured: written.with_uv(),
    })
}

/// Reads a mesh that moves, from a file for each frame. Which vertices are one is told by the first.
///
/// # Errors
/// As for [`read`], and if the triangles of a file are not those of the first.
pub fn read_series_with(paths: &[&Path], files: &dyn Files) -> Result<MeshSeries, MeshFileError> {
    let mut joined = JoinedFrames::default();
    for path in paths {
        let file = MeshFile::of(path)?;
        let mesh = file.read(files)?.textured.mesh;
        let added = joined.add(mesh, paths[0]);
        added.map_err(|problem| file.unusable(problem))?;
    }
    Ok(joined.series)
}

/// Reads the animation of a file, its frames with their rate [1/s]. Which vertices are one is told by the first.
///
/// # Errors
/// As for [`read`], and if its format has no animations, it has none, or another mesh in some frame.
pub fn read_animation_with(
    path: &Path,
    files: &dyn Files,
    wanted: &Sampling<'_>,
) -> Result<(MeshSeries, f64), MeshFileError> {
    let file = MeshFile::of(path)?;
    let unusable = |problem| file.unusable(problem);
    let Some(read_animation) = file.format.read_animation else {
        return Err(unusable(MeshProblem::NoAnimations));
    };
    let bytes = read_from(files, path)?;
    let beside = Beside { path, files };
    let (meshes, rate) = read_animation(&bytes, &beside, wanted).map_err(unusable)?;
    let mut joined = JoinedFrames::default();
    for mesh in meshes {
        joined.add(mesh, path).map_err(unusable)?;
    }
    Ok((joined.series, rate))
}

/// Frames of one mesh, whose vertices are joined as in the first.
#[derive(Default)]
struct JoinedFrames {
    series: MeshSeries,
    /// The first as it was written, and for each vertex that is left the first that it stands for.
    first: Option<(TriangleMesh, Vec<u32>)>,
}

impl JoinedFrames {
    /// Takes another frame. `first` is the file of the first one.
    fn add(&mut self, mesh: TriangleMesh, first: &Path) -> Result<(), MeshProblem> {
        let Some((before, origins)) = &self.first else {
            let (welded, origins) = weld::weld_with_origins(&mesh)?;
            self.series.places.push(welded.vertices.clone());
            self.series.mesh = welded;
            self.first = Some((mesh, origins));
            return Ok(());
        };
        let is_same = mesh.triangles == before.triangles;
        if !is_same || mesh.vertices.len() != before.vertices.len() {
            return Err(MeshProblem::OtherTriangles {
                first: first.to_owned(),
                of_first: [before.vertices.len(), before.triangles.len()],
                own: [mesh.vertices.len(), mesh.triangles.len()],
            });
        }
        self.series.places.push(weld::gathered(&mesh, origins)?);
        Ok(())
    }
}

/// A file whose format is known.
struct MeshFile<'a> {
    path: &'a Path,
    format: &'static MeshFormat,
}

impl<'a> MeshFile<'a> {
    fn of(path: &'a Path) -> Result<Self, MeshFileError> {
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let lower = extension.to_lowercase();
        let format = FORMATS
            .iter()
            .find(|format| format.extensions.contains(&lower.as_str()))
            .ok_or_else(|| MeshFileError::UnknownFormat {
                path: path.to_owned(),
                extension: extension.into_owned(),
            })?;
        Ok(Self { path, format })
    }

    /// The mesh as it is written.
    fn read(&self, files: &dyn Files) -> Result<Written, MeshFileError> {
        let bytes = read_from(files, self.path)?;
        let beside = Beside {
            path: self.path,
            files,
        };
        (self.format.read)(&bytes, &beside).map_err(|problem| self.unusable(problem))
    }

    fn unusable(&self, problem: MeshProblem) -> MeshFileError {
        MeshFileError::Unusable {
            path: self.path.to_owned(),
            format: self.format.name,
            problem,
        }
    }
}

/// The triangles of a polygon as a fan about its first corner: exact for convex polygons.
fn fan(corners: &[u32]) -> impl Iterator<Item = [u32; 3]> + '_ {
    let others = corners.get(1..).unwrap_or_default();
    others
        .windows(2)
        .map(move |pair| [corners[0], pair[0], pair[1]])
}

#[cfg(test)]
mod tests;
