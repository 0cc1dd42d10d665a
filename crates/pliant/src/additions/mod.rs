//! Bodies that a program added to a scene while it recorded it: the file of a run's folder that tells them, and the
//! world with them.
//!
//! | what | where |
//! |---|---|
//! | the file `additions.toml` | this page |
//! | the bodies that there are in each frame | [`RunWorld`] |
//! | a run as its folder tells it | `RunScene` |

mod extent;
mod run_scene;
mod run_world;

use pliant_core::world::{AddError, World};
use pliant_io::{FileError, InputFiles, read_text, remove_file, write_bytes};
use pliant_parameters::Disk;
use pliant_scene::{
    BuildWith, RecordedAddition, Scene, SceneAddition, SceneErrors, additions_text,
};

use crate::machine::available_memory;
use crate::run::OutputFolder;

pub(crate) use extent::Extent;
pub(crate) use run_scene::RunScene;
pub use run_world::RunWorld;

/// Why nothing can be added to a world.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotAdded {
    /// The tables cannot be built.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// The world cannot take them.
    #[error(transparent)]
    World(#[from] AddError),
}

/// Adds what was read to a world.
pub(crate) fn add_to(world: &mut World, addition: &SceneAddition) -> Result<(), NotAdded> {
    let meshes = InputFiles::watched(&Disk, &|_| ());
    let with = BuildWith {
        meshes: &meshes,
        memory: available_memory(),
    };
    let built = addition.build(&world.setup, with)?;
    Ok(world.add(built)?)
}

/// What the folder of a run tells of additions to its scene, and the text of its file; nothing if it has no such
/// file.
///
/// # Errors
/// If the file cannot be read, or is damaged.
pub(crate) fn read_additions(
    folder: &OutputFolder,
    scene: &Scene,
) -> Result<(Vec<RecordedAddition>, String), SceneErrors> {
    let path = folder.additions();
    let name = path.display().to_string();
    let text = match read_text(&path) {
        Ok(text) => text,
        Err(FileError::Missing { .. }) => return Ok(Default::default()),
        Err(error) => return Err(SceneErrors::unreadable(&name, &error.to_string())),
    };
    let additions = scene.recorded_additions(&text, (&name, folder.root()))?;
    Ok((additions, text))
}

/// The list of what is added to a run while it is recorded, as it stands in its folder.
#[derive(Clone, Debug)]
pub(crate) struct AdditionsFile {
    folder: OutputFolder,
    text: String,
}

impl AdditionsFile {
    /// Begins it, whole or not at all; without additions there is no file.
    ///
    /// # Errors
    /// If it cannot be written or removed.
    pub fn create(
        folder: &OutputFolder,
        additions: &[RecordedAddition],
    ) -> Result<Self, FileError> {
        let own = Self {
            folder: folder.clone(),
            text: additions_text(additions, folder.root()),
        };
        match additions {
            [] => remove_file(&folder.additions())?,
            _ => write_bytes(&folder.additions(), own.text.as_bytes())?,
        }
        Ok(own)
    }

    /// Adds to it.
    ///
    /// # Errors
    /// If it cannot be written; it stays as it is then.
    pub fn add(&mut self, additions: &[RecordedAddition]) -> Result<(), FileError> {
        let root = self.folder.root();
        let new = additions.iter().map(|added| added.to_toml(root));
        let text = self.text.clone() + &new.collect::<String>();
        write_bytes(&self.folder.additions(), text.as_bytes())?;
        self.text = text;
        Ok(())
    }
}

/// The scene of a run's folder as text, with what was added behind it.
///
/// # Errors
/// If a file cannot be read.
pub(crate) fn whole_text(folder: &OutputFolder) -> Result<String, FileError> {
    let scene = read_text(&folder.scene())?;
    match read_text(&folder.additions()) {
        Ok(additions) => Ok(format!("{scene}\n{additions}")),
        Err(FileError::Missing { .. }) => Ok(scene),
        Err(error) => Err(error),
    }
}
