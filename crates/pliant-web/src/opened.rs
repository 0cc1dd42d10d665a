//! A scene that is open: its text and its files, and the world that they make.

use std::path::{Path, PathBuf};

use pliant_core::world::{ChangeError, Setup};
use pliant_interaction::Hand;
use pliant_io::InputFiles;
use pliant_scene::{BuildWith, Built, Estimate, Overrides, Scene, SceneErrors};
use pliant_view::{MeasurementError, Measurements};

use crate::MemoryFiles;

/// Memory that particles may take [bytes]: a quarter of what a module can address.
const MEMORY: u64 = 1 << 30;

/// What a scene is opened from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Opening {
    /// The scene file, from whose folder the files that it names are looked for.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// Files that it may name.
    pub files: MemoryFiles,
    /// What replaces its values.
    pub overrides: Overrides,
    /// Whether there is a hand in it, which changes no motion as long as it does nothing.
    pub has_hand: bool,
}

/// What was read of it.
pub(crate) struct Opened {
    pub scene: Scene,
    pub estimate: Estimate,
    pub warnings: Vec<String>,
    pub measurements: Measurements,
}

/// Why a change is not made.
#[derive(Debug, thiserror::Error)]
pub enum RefusedChange {
    /// The scene is wrong with it.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// A probe cannot be measured then.
    #[error(transparent)]
    Probe(#[from] MeasurementError),
    /// Particles were made with what it changes.
    #[error("{change}: {reason}")]
    NeedsRestart {
        /// What was to change.
        change: String,
        /// Why it cannot.
        reason: ChangeError,
    },
}

impl Opening {
    /// Reads the scene and makes its world.
    ///
    /// # Errors
    /// Everything that is wrong with the scene.
    pub(crate) fn read(&self) -> Result<(Opened, Setup), RefusedChange> {
        // From the root, where the files in memory are, wherever the program runs.
        let folder = Path::new("/").join(self.path.parent().unwrap_or(Path::new("")));
        let name = self.path.display().to_string();
        let scene = Scene::parse_with(&self.text, &name, &folder, &self.overrides, &self.files)?;
        let meshes = InputFiles::watched(&self.files, &|_| ());
        let with = BuildWith {
            meshes: &meshes,
            memory: MEMORY,
        };
        let hand = Hand::collider();
        let beside = if self.has_hand { &[hand][..] } else { &[] };
        let Built {
            setup,
            warnings,
            estimate,
        } = scene.build_beside(with, beside)?;
        let measurements = Measurements::new(&setup, &scene, &meshes)?;
        let warnings = warnings.iter().map(ToString::to_string).collect();
        let opened = Opened {
            scene,
            estimate,
            warnings,
            measurements,
        };
        Ok((opened, setup))
    }
}
