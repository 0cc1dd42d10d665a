//! Errors that end a run.

use std::path::PathBuf;

use pliant_core::parallel::PoolError;
use pliant_core::step::StepError;
use pliant_core::world::SnapshotError;
use pliant_io::export::CollectionError;
use pliant_io::{FileError, TableError};
use pliant_render::RenderError;
use pliant_scene::SceneErrors;
use pliant_view::MeasurementError;

use super::replay::ReplayError;
use crate::new_folder::NoFolder;
use crate::particle_surface::UnknownSurface;
use crate::recorded::RecordedError;

/// Why a run did not start or did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The scene is wrong.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// The folder holds something else.
    #[error(
        "the folder `{}` holds files but no run of Pliant, and is left alone; name another one with --out", .0.display()
    )]
    ForeignFolder(PathBuf),
    /// The folder cannot be created.
    #[error("{0}; name another one with --out")]
    NoFolder(#[from] NoFolder),
    /// Another process writes into the folder.
    #[error(
        "a run is going on in `{}`: {holder}; wait until it has ended, or name another folder with --out",
        folder.display()
    )]
    Busy {
        /// The folder.
        folder: PathBuf,
        /// Who writes into it.
        holder: String,
    },
    /// What the folder's run wrote cannot be read.
    #[error("`{}` is damaged: {why}; {remedy}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
        /// What helps.
        remedy: &'static str,
    },
    /// The scene is not the one that the folder's checkpoints belong to.
    #[error(
        "cannot resume `{}`: the scene has changed since ({changes}); undo that, or run without --resume to start anew",
        folder.display()
    )]
    OtherScene {
        /// The folder.
        folder: PathBuf,
        /// What has changed.
        changes: String,
    },
    /// The folder's checkpoint is of a program that did what its scene does not tell.
    #[error(
        "cannot resume `{}`: it was recorded by a program that added bodies or attached particles between frames, which its scene.toml does not tell; go on with `Simulation::resume` of that program, or run without --resume to start anew",
        .0.display()
    )]
    OfProgram(PathBuf),
    /// A probe cannot be measured.
    #[error(transparent)]
    Probe(#[from] MeasurementError),
    /// There is nothing that a surface could be around.
    #[error("surface[{number}]: {why}")]
    Surface {
        /// Its place among the tables `[[surface]]`.
        number: usize,
        /// What is wrong.
        why: UnknownSurface,
    },
    /// The simulation cannot go on.
    #[error("{error}\nThe last good frame is {last_frame}.")]
    Step {
        /// Where and why.
        error: Box<StepError>,
        /// The last frame that is complete.
        last_frame: u32,
    },
    /// What was done in a window cannot be done again.
    #[error("what was done after frame {frame} cannot be done again: {why}")]
    Replay {
        /// The frame.
        frame: u32,
        /// Why.
        why: Box<ReplayError>,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A table cannot be read or written.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The list of particle files cannot be read or written.
    #[error(transparent)]
    Collection(#[from] CollectionError),
    /// A checkpoint holds no state.
    #[error("the newest checkpoint cannot be used: {0}; run without --resume to start anew")]
    Snapshot(#[from] SnapshotError),
    /// The folder's files are fewer than its newest checkpoint says.
    #[error(
        "cannot resume: `{}` has {found} rows where the newest checkpoint is of frame {frame}; run without --resume to start anew",
        path.display()
    )]
    MissingRows {
        /// The table.
        path: PathBuf,
        /// Rows it has.
        found: usize,
        /// Frame of the checkpoint.
        frame: u32,
    },
    /// No threads.
    #[error(transparent)]
    Threads(#[from] PoolError),
    /// No picture.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// Frames that a new format is to have cannot be read back.
    #[error(transparent)]
    Recorded(#[from] RecordedError),
    /// A picture could not be encoded.
    #[error(transparent)]
    Picture(#[from] pliant_render::picture::PictureError),
    /// What makes the pictures stopped.
    #[error("the thread that makes pictures stopped unexpectedly")]
    PicturesStopped,
}

impl RunError {
    /// An input after a frame cannot be replayed.
    pub(super) fn replay(frame: u32, why: ReplayError) -> Self {
        let why = Box::new(why);
        Self::Replay { frame, why }
    }

    /// The exit status of the command: 2 if the scene or the arguments are wrong, 1 otherwise.
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Scene(_)
            | Self::ForeignFolder(_)
            | Self::NoFolder(_)
            | Self::Busy { .. }
            | Self::Damaged { .. }
            | Self::OtherScene { .. }
            | Self::OfProgram(_)
            | Self::Probe { .. }
            | Self::Surface { .. }
            | Self::Replay { .. } => 2,
            _ => 1,
        }
    }

    /// True if a file or folder could not be written while the run went on.
    pub fn is_about_files(&self) -> bool {
        matches!(self, Self::File(_) | Self::Table(_) | Self::Collection(_))
    }

    /// True if the run had begun, so that there is a report.
    pub fn has_report(&self) -> bool {
        matches!(
            self,
            Self::Step { .. } | Self::Render(_) | Self::Picture(_) | Self::PicturesStopped
        )
    }
}
