//! A run as its folder tells it.

use pliant_core::world::World;
use pliant_scene::{Overrides, Scene, SceneErrors};

use super::RunWorld;
use crate::prepare::Prepared;
use crate::run::OutputFolder;

/// The scene of a run, and the world with what was added to it.
pub(crate) struct RunScene {
    /// The scene.
    pub scene: Scene,
    /// The bodies of each frame.
    pub world: RunWorld,
}

impl RunScene {
    /// Reads `scene.toml` and `additions.toml` of a folder.
    ///
    /// # Errors
    /// Everything that is wrong with them, with file and line.
    pub fn read(folder: &OutputFolder) -> Result<Self, SceneErrors> {
        let prepared = Prepared::read(&folder.scene(), &Overrides::default())?;
        let world = RunWorld::read(folder, &prepared.scene, prepared.built.setup)?;
        Ok(Self {
            scene: prepared.scene,
            world,
        })
    }

    /// The world at the first frame.
    pub fn start(&self) -> World {
        World::new(self.world.start())
    }

    /// The world at the first frame, with the bodies of all frames as they come.
    pub fn whole(&self) -> World {
        World::new(self.world.whole().clone())
    }
}
