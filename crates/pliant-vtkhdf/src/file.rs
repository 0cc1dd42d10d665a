//! The file.

use std::path::{Path, PathBuf};

use pliant_core::measure::Frame;
use pliant_io::{FileError, PendingFile};
use rust_hdf5::{H5File, H5Group, Hdf5Error};

use crate::cells::Cells;
use crate::columns::Columns;
use crate::steps::Steps;
use crate::triangles::TriangleColumns;

/// Why there is no file.
#[derive(Debug, thiserror::Error)]
pub enum VtkhdfError {
    /// It cannot be written.
    #[error("`{}` cannot be written: {source}; is there space left?", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Hdf5Error,
    },
    /// It cannot be given its name.
    #[error(transparent)]
    File(#[from] FileError),
}

/// A file that frames are added to; it appears under its name when it is finished.
pub struct VtkhdfFile {
    path: PathBuf,
    content: Content,
    // After what is written into it, so that it is closed before it is removed.
    pending: PendingFile,
}

/// What is in it.
struct Content {
    file: H5File,
    root: H5Group,
    /// Names of quantities that the first frame may lack.
    later: Vec<&'static str>,
    /// Made for the first frame.
    columns: Option<Columns>,
    /// Vertices, lines, polygons, strips.
    cells: [Cells; 4],
    triangles: TriangleColumns,
    steps: Steps,
}

impl VtkhdfFile {
    /// Begins a file that will be named `path`, in a folder that exists.
    ///
    /// * `later` — names of quantities that the first frame may lack
    ///
    /// # Errors
    /// If nothing can be written there.
    pub fn create(path: &Path, later: &[&'static str]) -> Result<Self, VtkhdfError> {
        let pending = PendingFile::new(path);
        let content =
            Content::create(pending.temporary(), later).map_err(|source| failed(path, source))?;
        Ok(Self {
            path: path.to_owned(),
            content,
            pending,
        })
    }

    /// Adds a frame, later than those before.
    ///
    /// * `has_vertices` — whether its points are particles, each a cell; not so those of a surface
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, frame: &Frame<'_>, has_vertices: bool) -> Result<(), VtkhdfError> {
        let added = self.content.add(frame, has_vertices);
        added.map_err(|source| failed(&self.path, source))
    }

    /// Ends the file, which gets its name.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> Result<PathBuf, VtkhdfError> {
        let finished = self.content.finish();
        finished.map_err(|source| failed(&self.path, source))?;
        self.pending.commit()?;
        Ok(self.path)
    }
}

impl Content {
    fn create(path: &Path, later: &[&'static str]) -> rust_hdf5::Result<Self> {
        let file = H5File::create(path)?;
        let root = file.create_group("VTKHDF")?;
        root.set_attr_array_numeric("Version", &[2_i64, 0])?;
        root.set_attr_string("Type", "PolyData")?;
        let cells = |name| Cells::new(&root, name);
        Ok(Self {
            cells: [
                cells("Vertices")?,
                cells("Lines")?,
                cells("Polygons")?,
                cells("Strips")?,
            ],
            triangles: TriangleColumns::default(),
            root,
            later: later.to_vec(),
            columns: None,
            steps: Steps::default(),
            file,
        })
    }

    fn add(&mut self, frame: &Frame<'_>, has_vertices: bool) -> rust_hdf5::Result<()> {
        let columns = match &mut self.columns {
            Some(columns) => columns,
            none => none.insert(Columns::new(&self.root, frame.quantities, &self.later)?),
        };
        columns.add(frame)?;
        let points = frame.particle_count();
        let [vertices, lines, polygons, strips] = &mut self.cells;
        let of_vertices = if has_vertices { points } else { 0 };
        vertices.add(0..of_vertices as u32, 1)?;
        self.triangles.add(&self.root, frame, of_vertices)?;
        polygons.add(frame.triangles.as_flattened().iter().copied(), 3)?;
        for unused in [lines, strips] {
            unused.add(std::iter::empty(), 1)?;
        }
        self.steps.add(frame.time, points);
        Ok(())
    }

    fn finish(self) -> rust_hdf5::Result<()> {
        for cells in &self.cells {
            cells.finish()?;
        }
        let names = self.columns.as_ref().map_or_else(Vec::new, Columns::names);
        let of_triangles = self.triangles.names();
        self.steps
            .write(&self.root, &self.cells, [&names, &of_triangles])?;
        self.file.close()
    }
}

fn failed(path: &Path, source: Hdf5Error) -> VtkhdfError {
    let path = path.to_owned();
    VtkhdfError::Write { path, source }
}
