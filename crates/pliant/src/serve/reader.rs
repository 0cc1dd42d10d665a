//! The frames of a run, read as they are asked for.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use pliant_render::SurfaceCache;
use serde_json::Value;

use super::{Frames, ServeError, columns, told_of};
use crate::additions::{RunScene, RunWorld};
use crate::live::{SceneFacts, Snapshot, facts_of_run};
use crate::recorded::{Recorded, chosen_files};
use crate::run::OutputFolder;

/// A run.
pub(super) struct RunReader {
    folder: OutputFolder,
    facts: SceneFacts,
    /// One request after the other reads with it.
    scenery: Mutex<Scenery>,
}

/// What the files of frames do not hold.
struct Scenery {
    world: RunWorld,
    walls: SurfaceCache,
}

impl RunReader {
    /// Opens the folder of a run, which may go on.
    pub(super) fn open(folder: &Path) -> Result<Self, ServeError> {
        let shown = folder.display();
        let folder = OutputFolder::new(folder);
        let run = RunScene::read(&folder).map_err(|errors| {
            ServeError::Run(format!("`{shown}` holds no run of Pliant: {errors}"))
        })?;
        let name = shown.to_string();
        let facts = facts_of_run(&name, &run.scene, &run.whole()).map_err(ServeError::Run)?;
        chosen_files(&folder, None)?;
        let world = run.world;
        let walls = SurfaceCache::default();
        Ok(Self {
            folder,
            facts,
            scenery: Mutex::new(Scenery { world, walls }),
        })
    }
}

impl Frames for RunReader {
    fn told(&self) -> Value {
        let files = chosen_files(&self.folder, None).unwrap_or_default();
        let frames: Vec<u32> = files.iter().map(|(number, _)| *number).collect();
        told_of(&self.facts, &frames)
    }

    fn frame(&self, number: u32) -> Result<Vec<u8>, String> {
        let files = chosen_files(&self.folder, Some([number; 2]));
        let files = files.map_err(|error| error.to_string())?;
        let scenery = self.scenery.lock();
        let mut scenery = scenery.unwrap_or_else(PoisonError::into_inner);
        let Scenery { world, walls } = &mut *scenery;
        let mut recorded = Recorded::of(world);
        let read = recorded.read(&self.folder, &files[0].1);
        read.map_err(|error| error.to_string())?;
        let frame = recorded.frame().map_err(|error| error.to_string())?;
        let surface = recorded.surface().map_err(|error| error.to_string())?;
        let shown = Snapshot::of_frame(&frame, surface.as_ref(), &self.facts.coloring);
        let shown = shown.map_err(|error| error.to_string())?;
        let bounds = self.facts.bounds;
        let reach = (bounds.extent().max_element(), bounds.center());
        Ok(columns::of(&shown, walls, reach))
    }
}
