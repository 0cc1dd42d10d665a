//! The output folder of a run.

use std::path::{Path, PathBuf};
use std::{fs, io};

use pliant_io::export::{EXPORTERS, SeriesPlace, frame_files, surface_files};
use pliant_io::{FileError, NumberedFiles, remove_file, remove_partial_files};

use super::RunError;
use super::lock::LOCK_NAME;
use super::manifest::Manifest;
use crate::new_folder;

/// Names that films can have.
pub const FILM_NAMES: [&str; 3] = ["film.mp4", "film.png", "film.gif"];

/// The folder of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFolder {
    root: PathBuf,
}

impl OutputFolder {
    /// Names the folder; touches nothing.
    pub fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The scene with every default written out.
    pub fn scene(&self) -> PathBuf {
        self.root.join("scene.toml")
    }

    /// What was added to the scene while it was recorded; without additions there is no such file.
    pub fn additions(&self) -> PathBuf {
        self.root.join("additions.toml")
    }

    /// What is known about the run.
    pub fn manifest(&self) -> PathBuf {
        self.root.join("run.json")
    }

    /// Statistics, a row a frame.
    pub fn stats(&self) -> PathBuf {
        self.root.join("stats.csv")
    }

    /// Probes, a row a frame.
    pub fn probes(&self) -> PathBuf {
        self.root.join("probes.csv")
    }

    /// The report.
    pub fn report(&self) -> PathBuf {
        self.root.join("report.html")
    }

    /// Particle frames.
    pub fn particles(&self) -> PathBuf {
        self.root.join("particles")
    }

    /// Surfaces that bodies carry.
    pub fn surface(&self) -> PathBuf {
        self.root.join("surface")
    }

    /// Surfaces made of loose particles.
    pub fn mesh(&self) -> PathBuf {
        self.root.join("mesh")
    }

    /// Pictures and the film.
    pub fn preview(&self) -> PathBuf {
        self.root.join("preview")
    }

    /// The pictures.
    pub fn pictures(&self) -> NumberedFiles {
        NumberedFiles::new(&self.preview(), "", "png")
    }

    /// Checkpoints.
    pub fn checkpoints(&self) -> PathBuf {
        self.root.join("checkpoints")
    }

    /// The newest film there is.
    pub fn film(&self) -> Option<PathBuf> {
        let films = FILM_NAMES.iter().map(|name| self.preview().join(name));
        films.into_iter().find(|film| film.is_file())
    }

    /// Checks that it can be written into: it does not exist, is empty, or holds a run of Pliant.
    ///
    /// # Errors
    /// [`RunError::ForeignFolder`] if it holds something else, [`RunError::Damaged`] if that may be a run.
    pub fn check_own(&self) -> Result<(), RunError> {
        new_folder::check(&self.root)?;
        if self.is_empty()? {
            return Ok(());
        }
        let path = self.manifest();
        match Manifest::read(&path) {
            Ok(_) => Ok(()),
            Err(FileError::Missing { .. }) => Err(RunError::ForeignFolder(self.root.clone())),
            Err(error) => Err(RunError::Damaged {
                why: reason(error),
                path,
                remedy: "remove its folder, or name another one with --out",
            }),
        }
    }

    /// Makes the folder ready for a new run, which [`check_own`](Self::check_own) has allowed: an older
    /// run in it is removed. Files that no run of Pliant leaves stay.
    ///
    /// # Errors
    /// A file that cannot be written or removed.
    pub fn claim(&self, manifest: &Manifest) -> Result<(), RunError> {
        // First of all, so that a run that is killed here is known as one.
        manifest.write(&self.manifest())?;
        self.sweep()?;
        self.cut(0)?;
        for file in [self.scene(), self.additions(), self.stats(), self.probes()] {
            remove_file(&file)?;
        }
        for index in EXPORTERS.iter().filter_map(|exporter| exporter.index) {
            index.remove(&SeriesPlace::particles(&self.particles()))?;
            index.remove(&SeriesPlace::surfaces(&self.surface()))?;
            index.remove(&SeriesPlace::meshes(&self.mesh()))?;
        }
        pliant_io::checkpoint::files(&self.checkpoints()).remove_after(0)?;
        Ok(())
    }

    /// Removes what came after a frame, and what is made when a run ends: film and report.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub fn cut(&self, last_frame: u32) -> Result<(), FileError> {
        for exporter in EXPORTERS {
            frame_files(&self.particles(), exporter).remove_after(last_frame)?;
            surface_files(&self.surface(), exporter).remove_after(last_frame)?;
            let meshes = SeriesPlace::meshes(&self.mesh());
            meshes.files(exporter).remove_after(last_frame)?;
        }
        self.pictures().remove_after(last_frame)?;
        for film in FILM_NAMES {
            remove_file(&self.preview().join(film))?;
        }
        remove_file(&self.report())
    }

    /// Removes the hidden files of a run that was killed.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub fn sweep(&self) -> Result<(), FileError> {
        let rooms = [
            self.particles(),
            self.surface(),
            self.mesh(),
            self.preview(),
            self.checkpoints(),
        ];
        remove_partial_files(&self.root)?;
        rooms.iter().try_for_each(|room| remove_partial_files(room))
    }

    /// True if a run of Pliant is or was written here.
    pub fn holds_run(&self) -> bool {
        Manifest::read(&self.manifest()).is_ok()
    }

    /// True if it does not exist or holds nothing but what a killed program left hidden.
    fn is_empty(&self) -> Result<bool, FileError> {
        let entries = match fs::read_dir(&self.root) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(true),
            entries => entries.map_err(|e| FileError::new(&self.root, "list", e))?,
        };
        let is_visible = |e: io::Result<fs::DirEntry>| {
            e.is_ok_and(|e| {
                let name = e.file_name();
                name != LOCK_NAME && !name.to_string_lossy().starts_with(".partial-")
            })
        };
        Ok(!entries.into_iter().any(is_visible))
    }
}

/// Why a file cannot be read, without its name.
fn reason(error: FileError) -> String {
    match error {
        FileError::System { source, .. } => source.to_string(),
        other => other.to_string(),
    }
}
