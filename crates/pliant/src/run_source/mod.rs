//! Where the frames of a run come from: who shows a run knows nothing else of it.
//!
//! | source | where |
//! | --- | --- |
//! | the folder of a run, finished or not | [`FolderRun`] |
//! | a simulation in this program, while it goes on | [`LiveRun`] |
//! | a server of either, by HTTP | [`AddressRun`] |
//!
//! What a server sends and [`AddressRun`] reads is in [`wire`]. Both ways lead to the same numbers: a test compares them.

mod address;
mod folder;
mod moments;
mod particle;
mod place;
pub(crate) mod wire;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::live::{Painted, SceneFacts, Snapshot};
use address::AddressRun;
pub(crate) use folder::FolderRun;
pub(crate) use moments::{LiveRun, Moments};
pub(crate) use particle::Particle;
pub use place::{BadAddress, RunAddress, RunPlace};

/// The frames of a run.
pub(crate) trait RunSource: Send {
    /// What is known of its scene.
    fn facts(&self) -> Arc<SceneFacts>;

    /// The frames that there are now: a run may go on.
    ///
    /// # Errors
    /// If it cannot be listed any more.
    fn list(&mut self) -> Result<Listing, ReadError>;

    /// Columns of what was measured, each with a value a frame that is written.
    ///
    /// # Errors
    /// If they cannot be read.
    fn tables(&mut self) -> Result<Tables, ReadError>;

    /// What is to be seen in the frame of a number.
    ///
    /// # Errors
    /// [`ReadError::Coloring`] if it has nothing of what colours are to show, another one if it cannot be read.
    fn snapshot(&mut self, number: u32, painted: &Painted) -> Result<Snapshot, ReadError>;

    /// The particle of a stable id in the frame of a number; `None` if it is not in that frame.
    ///
    /// # Errors
    /// If the frame cannot be read.
    fn particle(&mut self, number: u32, id: u32) -> Result<Option<Particle>, ReadError>;
}

/// Columns of tables: names and values.
pub(crate) type Tables = Vec<(String, Vec<f64>)>;

/// The frames that there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Listing {
    /// Their numbers, increasing.
    pub frames: Vec<u32>,
    /// Their times [s].
    pub times: Vec<f64>,
    /// Whether a program that goes on adds to them.
    pub is_live: bool,
}

/// Why something of a run cannot be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum ReadError {
    /// The frame has nothing of what colours are to show; it can be seen in others.
    #[error("{0}")]
    Coloring(String),
    /// It cannot be read at all.
    #[error("{0}")]
    Failed(String),
}

impl ReadError {
    /// An error that everything is.
    pub fn failed(why: impl std::fmt::Display) -> Self {
        Self::Failed(why.to_string())
    }
}

impl RunPlace {
    /// Opens the run there.
    ///
    /// * `is_given_up` — once it is true, nothing is waited for any more
    pub(crate) fn open(
        &self,
        is_given_up: Arc<AtomicBool>,
    ) -> Result<Box<dyn RunSource>, ReadError> {
        Ok(match self {
            Self::Folder(folder) => Box::new(FolderRun::open(folder)?),
            Self::Address(address) => Box::new(AddressRun::open(address.clone(), is_given_up)?),
        })
    }
}
