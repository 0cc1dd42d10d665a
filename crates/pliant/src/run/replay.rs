//! What was done to a scene in a window, done again by a run.

use std::collections::HashSet;
use std::path::Path;

use pliant_core::world::{ChangeError, World};
use pliant_interaction::{HandError, Input, InputLog, Replay};
use pliant_io::{content_hash, read_text};
use pliant_scene::SceneErrors;

use super::RunError;
use super::measurements::Measurements;
use crate::interaction::{ActedOn, Reading, Source};
use crate::prepare::Prepared;

/// A scene and what is to be done to it between its frames.
pub struct Replayed {
    scene: ActedOn,
    replay: Replay,
}

/// Why something that was done cannot be done again.
#[derive(Debug, thiserror::Error)]
pub enum NotDone {
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

impl Replayed {
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
        let (scene, mut prepared) = ActedOn::read(source, watch)?;
        let hash = content_hash(read_text(file)?.as_bytes());
        prepared
            .file_hashes
            .insert(file.display().to_string(), hash);
        let replay = Replay::of(log);
        Ok((Self { scene, replay }, prepared))
    }

    /// True once everything was done.
    pub(super) fn is_over(&self) -> bool {
        self.replay.is_over()
    }

    /// Does what is due after the frame that a world has reached.
    pub(super) fn act(
        &mut self,
        world: &mut World,
        measurements: &mut Measurements,
    ) -> Result<(), RunError> {
        let frame = world.state.frame;
        while let Some(input) = self.replay.next_after(frame) {
            let done = check_particles(&input, world)
                .and_then(|()| self.apply(&input, world, measurements));
            done.map_err(|why| RunError::not_done(frame, why))?;
        }
        Ok(())
    }

    /// Makes of the constants of a world at its start those that a checkpoint of a frame was written with.
    pub(super) fn catch_up(
        &mut self,
        frame: u32,
        world: &mut World,
        measurements: &mut Measurements,
    ) -> Result<(), RunError> {
        // What is due after the frame of the checkpoint comes with the next one. Particles that are held may come
        // with the checkpoint only.
        while let Some(input) = self.replay.next_after(frame.saturating_sub(1)) {
            let done = self.apply(&input, world, measurements);
            done.map_err(|why| RunError::not_done(frame, why))?;
        }
        Ok(())
    }

    fn apply(
        &mut self,
        input: &Input,
        world: &mut World,
        measurements: &mut Measurements,
    ) -> Result<(), NotDone> {
        match self.scene.read_for(input)? {
            Some(reading) => self.change_to(reading, world, measurements),
            None => Ok(self.scene.act(input, world)?),
        }
    }

    fn change_to(
        &mut self,
        reading: Reading,
        world: &mut World,
        measurements: &mut Measurements,
    ) -> Result<(), NotDone> {
        let (prepared, change, kept) = reading.split();
        let setup = prepared.built.setup;
        let measured = Measurements::new(&setup, &prepared.scene)
            .map_err(|why| NotDone::Probe(Box::new(why)))?;
        if measured.layout().probes_names() != measurements.layout().probes_names() {
            return Err(NotDone::Columns(change));
        }
        let changed = world.change(|current| *current = setup);
        changed.map_err(|reason| NotDone::Change { change, reason })?;
        *measurements = measured;
        self.scene.accept(kept);
        Ok(())
    }
}

/// Whether a world has the particles that are held: others are there with another spacing.
fn check_particles(input: &Input, world: &World) -> Result<(), NotDone> {
    let Input::Grab { particles, .. } = input else {
        return Ok(());
    };
    let there: HashSet<u32> = world.state.particles.id.iter().copied().collect();
    match particles.iter().find(|id| !there.contains(id)) {
        Some(&id) => Err(NotDone::Particle(id)),
        None => Ok(()),
    }
}
