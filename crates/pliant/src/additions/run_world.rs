//! The world of a run whose frames do not all have the same bodies.

use std::sync::Arc;

use pliant_core::world::{Setup, State, World};
use pliant_scene::{RecordedAddition, Scene, SceneErrors};

use super::{Extent, NotAdded, add_to, read_additions};
use crate::run::OutputFolder;

/// What helps if a file that a body was made of is another one now.
const OTHER_FILES: &str = "bodies of files are as many particles as these say: bring back the files that it was made of, or record the run anew";

/// The world of a run, with the bodies that there are in the frame that was asked for last.
#[derive(Clone, Debug)]
pub struct RunWorld {
    world: World,
    /// With the bodies of all frames.
    whole: Arc<Setup>,
    /// The first frame with so much, numbers increasing; the first is 0.
    stages: Vec<(u32, Extent)>,
    /// The place in `stages` of what `world` has.
    stage: usize,
    recorded: Option<RecordedIn>,
}

/// Where additions were read.
#[derive(Clone, Debug)]
struct RecordedIn {
    folder: OutputFolder,
    scene: Scene,
    /// What the file said.
    text: String,
}

impl RunWorld {
    /// Of a run to which nothing was added.
    pub fn unchanged(setup: impl Into<Arc<Setup>>) -> Self {
        let setup = setup.into();
        let extent = Extent::of(&setup);
        Self {
            world: World {
                state: State::default(),
                setup: Arc::clone(&setup),
            },
            whole: setup,
            stages: vec![(0, extent)],
            stage: 0,
            recorded: None,
        }
    }

    /// Of the run in a folder, whose scene has a setup.
    ///
    /// # Errors
    /// If the file that tells what was added is damaged, or does not fit.
    pub fn read(folder: &OutputFolder, scene: &Scene, setup: Setup) -> Result<Self, SceneErrors> {
        let (additions, text) = read_additions(folder, scene)?;
        let mut own = Self::grown(Arc::new(setup), &additions)?;
        own.recorded = Some(RecordedIn {
            folder: folder.clone(),
            scene: scene.clone(),
            text,
        });
        Ok(own)
    }

    /// Of a run with additions.
    ///
    /// # Errors
    /// If one does not fit what there is before it.
    pub fn grown(setup: Arc<Setup>, additions: &[RecordedAddition]) -> Result<Self, SceneErrors> {
        let mut own = Self::unchanged(setup);
        let mut world = own.world.clone();
        world.state = State::empty(&world.setup);
        for added in additions {
            add(&mut world, added)?;
            let extent = Extent::of(&world.setup);
            match own.stages.last_mut() {
                Some((first, last)) if *first == added.first_frame => *last = extent,
                _ => own.stages.push((added.first_frame, extent)),
            }
        }
        own.whole = world.setup;
        Ok(own)
    }

    /// The constants with the bodies of all frames.
    pub fn whole(&self) -> &Arc<Setup> {
        &self.whole
    }

    /// Whether anything was added.
    pub fn is_grown(&self) -> bool {
        self.stages.len() > 1
    }

    /// How many bodies there are in the first frame.
    pub fn bodies_at_start(&self) -> usize {
        self.stages[self.stage_of(1)].1.bodies
    }

    /// The constants with the bodies of the first frame.
    pub fn start(&self) -> Arc<Setup> {
        self.setup_of(self.stage_of(1))
    }

    /// The world with the bodies of a frame.
    pub fn at(&mut self, frame: u32) -> &mut World {
        let stage = self.stage_of(frame);
        if stage != self.stage {
            self.world.setup = self.setup_of(stage);
            self.stage = stage;
        }
        &mut self.world
    }

    /// Reads what was added once more if a frame has other bodies than are known in it: a run may go on.
    ///
    /// # Errors
    /// If it is damaged now.
    pub fn see(&mut self, frame: u32, bodies: &[String]) -> Result<(), SceneErrors> {
        let setup = &self.at(frame).setup;
        let is_known = setup.bodies.iter().map(|body| &body.name).eq(bodies);
        let Some(recorded) = self.recorded.as_ref().filter(|_| !is_known) else {
            return Ok(());
        };
        let (additions, text) = read_additions(&recorded.folder, &recorded.scene)?;
        if text == recorded.text {
            return Ok(());
        }
        let scene_alone = self.setup_of(0);
        let recorded = RecordedIn {
            text,
            ..recorded.clone()
        };
        *self = Self::grown(scene_alone, &additions)?;
        self.recorded = Some(recorded);
        Ok(())
    }

    fn setup_of(&self, stage: usize) -> Arc<Setup> {
        match stage + 1 == self.stages.len() {
            true => Arc::clone(&self.whole),
            false => Arc::new(self.stages[stage].1.cut(&self.whole)),
        }
    }

    fn stage_of(&self, frame: u32) -> usize {
        let later = self.stages.partition_point(|(first, _)| *first <= frame);
        later.saturating_sub(1)
    }
}

fn add(world: &mut World, added: &RecordedAddition) -> Result<(), SceneErrors> {
    let last = world.setup.numbered().last();
    let free = last.map_or(0, |b| b.first_id + b.body.particles.position.len() as u32);
    if added.first_id < free {
        let message = format!(
            "its particles have ids from {} on, which others have",
            added.first_id
        );
        return Err(added.errors(message, OTHER_FILES));
    }
    world.state.next_id = added.first_id;
    let added_to = add_to(world, &added.addition);
    added_to.map_err(|error| match error {
        NotAdded::Scene(errors) => errors,
        NotAdded::World(error) => added.errors(error.to_string(), OTHER_FILES),
    })?;
    let found = world.state.next_id - added.first_id;
    // Constants alone are wanted, and what was removed from the run takes no room.
    world.state = State::empty(&world.setup);
    match found == added.particles {
        true => Ok(()),
        false => {
            let message = format!("its bodies have {found} particles, not {}", added.particles);
            Err(added.errors(message, OTHER_FILES))
        }
    }
}
