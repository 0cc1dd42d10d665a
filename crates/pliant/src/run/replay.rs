//! Inputs of a window, replayed by a run.

use std::collections::HashSet;
use std::path::Path;

use pliant_core::world::{ChangeError, World};
use pliant_interaction::{HandError, Input, InputLog, Replay};
use pliant_io::{content_hash, read_text};
use pliant_scene::SceneErrors;
use pliant_view::Measurements;

use super::{RunError, measurements_of};
use crate::interaction::{ChangedScene, InteractiveScene, Source};
use crate::prepare::Prepared;

/// A scene and the inputs that act on it between its frames.
pub struct SceneReplay {
    scene: InteractiveScene,
    replay: Replay,
}

/// Why an input cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The scene is wrong with it.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// The scene cannot go on with it.
    #[error("{change}: {reason}")]
    Change {
        /// What was to change.
        change: String,
        /// Why it cannot.
        reason: ChangeError,
    },
    /// The tables that the run writes would have other columns.
    #[error("{0}: it changes the probes, whose table has its columns from the first frame on")]
    Columns(String),
    /// A probe cannot be measured with it.
    #[error(transparent)]
    Probe(Box<RunError>),
    /// A particle that is held is not there.
    #[error(
        "there is no particle {0}: bodies, their spacing and seed have to be as they were when this was done"
    )]
    Particle(u32),
    /// The hand cannot do it.
    #[error(transparent)]
    Hand(#[from] HandError),
}

impl SceneReplay {
    /// Reads the scene of a log, and tells what is being done.
    ///
    /// * `source` — the scene, with its values at the start
    /// * `file` — the file of the log, which a resumed run compares
    ///
    /// # Errors
    /// Everything that is wrong with the scene; if the file is gone.
    pub fn read(
        source: Source,
        (file, log): (&Path, InputLog),
        watch: &(dyn Fn(&str) + Sync),
    ) -> Result<(Self, Prepared), RunError> {
        let (scene, mut prepared) = InteractiveScene::read(source, watch)?;
        let hash = content_hash(read_text(file)?.as_bytes());
        prepared
            .file_hashes
            .insert(file.display().to_string(), hash);
        let replay = Replay::of(log);
        Ok((Self { scene, replay }, prepared))
    }

    /// True once no input is left.
    pub(super) fn is_over(&self) -> bool {
        self.replay.is_over()
    }

    /// Applies the inputs that are due after the frame that a world has reached.
    pub(super) fn act(
        &mut self,
        world: &mut World,
        measurements: &mut Measurements,
    ) -> Result<(), RunError> {
        let frame = world.state.frame;
        while let Some(input) = self.replay.next_after(frame) {
            let applied = check_particles(&input, world)
                .and_then(|()| self.apply(&input, world, measurements));
            applied.map_err(|why| RunError::replay(frame, why))?;
        }
        Ok(())
    }

    /// Makes of the constants of a world at its start those that a checkpoint of a frame was written with.
    pub(super) fn catch_up(
        &mut self,
        checkpoint: u32,
        world: &mut World,
        measurements: &mut Measurements,
    ) -> Result<(), RunError> {
        // What is due after the frame of the checkpoint comes with the next one. Particles that are held may come
        // with the checkpoint only.
        for frame in 1..checkpoint {
            while let Some(input) = self.replay.next_after(frame) {
                let applied = self.apply(&input, world, measurements);
                applied.map_err(|why| RunError::replay(frame, why))?;
            }
        }
        Ok(())
    }

    fn apply(
        &mut self,
        input: &Input,
        world: &mut World,
        measurements: &mut Measurements,
    ) -> Result<(), ReplayError> {
        match self.scene.read_for(input)? {
            Some(changed) => self.change_to(changed, world, measurements),
            None => Ok(self.scene.act(input, world)?),
        }
    }

    fn change_to(
        &mut self,
        changed: ChangedScene,
        world: &mut World,
        measurements: &mut Measurements,
    ) -> Result<(), ReplayError> {
        let (prepared, change, kept) = changed.split();
        let setup = prepared.built.setup;
        let measured = measurements_of(&setup, &prepared.scene)
            .map_err(|why| ReplayError::Probe(Box::new(why)))?;
        if measured.layout().probes_names() != measurements.layout().probes_names() {
            return Err(ReplayError::Columns(change));
        }
        let changed = world.change(|current| *current = setup);
        changed.map_err(|reason| ReplayError::Change { change, reason })?;
        *measurements = measured;
        self.scene.accept(kept);
        Ok(())
    }
}

/// Whether a world has the particles that are held: others are there with another spacing.
fn check_particles(input: &Input, world: &World) -> Result<(), ReplayError> {
    let Input::Grab { particles, .. } = input else {
        return Ok(());
    };
    let there: HashSet<u32> = world.state.particles.id.iter().copied().collect();
    match particles.iter().find(|id| !there.contains(id)) {
        Some(&id) => Err(ReplayError::Particle(id)),
        None => Ok(()),
    }
}
