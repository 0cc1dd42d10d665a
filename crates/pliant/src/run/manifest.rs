//! `run.json`: the data needed to reproduce a run.

use std::collections::BTreeMap;
use std::path::Path;

use pliant_io::{FileError, read_bytes, write_bytes};
use serde::{Deserialize, Serialize};

use crate::machine::Machine;

/// The value of `program`, by which a folder is known as one of Pliant's.
const PROGRAM: &str = "pliant";

/// What is known about a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Always "pliant".
    pub program: String,
    /// Version of the program.
    pub version: String,
    /// How far the run has come.
    pub status: Status,
    /// The scene file as it was given.
    pub scene_file: String,
    /// Hash of everything in the scene that decides the numbers, as 16 hexadecimal digits.
    pub scene_hash: String,
    /// Hashes of the mesh and particle files, by path.
    pub input_files: BTreeMap<String, String>,
    /// What computes.
    pub backend: String,
    /// Threads of the simulation.
    pub threads: usize,
    /// The machine.
    pub machine: Machine,
    /// Frames, the initial one included, that the run shall have.
    pub frames_planned: u32,
    /// The last frame that is complete.
    pub frames_done: u32,
    /// Simulated time of that frame [s].
    pub simulated_time: f64,
    /// Particles at the start, by body.
    pub particles_at_start: BTreeMap<String, u64>,
    /// Particles in the last frame.
    pub particles: usize,
    /// Particles removed because they left the bounds.
    pub particles_removed: u64,
    /// Where the wall time went.
    pub timings: Timings,
    /// Frames of the run that the pictures leave room for: those planned when the first picture was
    /// made, so that a run that grows keeps its camera; 0 if not known.
    #[serde(default)]
    pub pictured_frames: u32,
    /// The film, relative to the folder.
    pub film: Option<String>,
    /// Frames from whose checkpoints the run was resumed.
    pub resumed_from: Vec<u32>,
    /// What was allowed but is probably not meant, or did not work.
    pub warnings: Vec<String>,
}

/// Where the wall time of a run went [s].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timings {
    /// Everything between start and end, all sessions of a resumed run together.
    pub total: f64,
    /// Preparing the scene: meshes, particles.
    pub preparation: f64,
    /// The simulation.
    pub simulation: f64,
    /// The simulation by stage.
    pub stages: BTreeMap<String, f64>,
    /// Substeps taken.
    pub substeps: u64,
}

/// How far a run has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "state", content = "reason")]
pub enum Status {
    /// It runs, or was killed.
    Running,
    /// It came to its end.
    Done,
    /// It ended early because nothing moved any more.
    Still,
    /// Somebody stopped it.
    Interrupted,
    /// It could not go on, and why.
    Failed(String),
}

impl Manifest {
    /// Frames that the camera and the colours of the pictures are made for.
    pub fn frames_to_picture(&self) -> u32 {
        match self.pictured_frames {
            0 => self.frames_planned,
            known => known,
        }
    }

    /// The name of this program in `program`.
    pub fn program() -> String {
        PROGRAM.to_owned()
    }

    /// Writes it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), FileError> {
        let mut text = serde_json::to_string_pretty(self)
            .map_err(|e| FileError::new(path, "write", e.into()))?;
        text.push('\n');
        write_bytes(path, text.as_bytes())
    }

    /// Reads one that [`write`](Self::write) wrote.
    ///
    /// # Errors
    /// If the file cannot be read or is none of Pliant's.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let bytes = read_bytes(path)?;
        let unusable = |why: String| FileError::new(path, "read", std::io::Error::other(why));
        let manifest: Self = serde_json::from_slice(&bytes)
            .map_err(|e| unusable(format!("not a run of Pliant: {e}")))?;
        match manifest.program.as_str() {
            PROGRAM => Ok(manifest),
            other => Err(unusable(format!("written by {other}, not by Pliant"))),
        }
    }
}
