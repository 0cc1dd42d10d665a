//! A scene that runs, and what is done to it between its frames.

use std::path::{Path, PathBuf};

use pliant_core::parallel::Pool;
use pliant_core::step::{FrameReport, Watch};
use pliant_core::world::ChangeError;
use pliant_interaction::{Hand, HandError, Input, InputLog, TimedInput};
use pliant_math::DVec3;
use pliant_scene::{Overrides, Scene, SceneErrors};

use crate::prepare::{Prepared, scene_name};
use crate::{Simulation, SimulationError};

/// Where a scene comes from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// The scene file.
    pub path: PathBuf,
    /// What replaces its values.
    pub overrides: Overrides,
}

/// Why something cannot be done to a scene that runs.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// The scene cannot be opened, stepped or changed.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// A change that needs a new start.
    #[error("{change}: {reason}")]
    NeedsRestart {
        /// What was to change.
        change: String,
        /// Why it cannot.
        reason: ChangeError,
    },
    /// The hand cannot do it.
    #[error("an input after frame {frame} cannot be done: {source}")]
    Input {
        /// The frame.
        frame: u32,
        /// Why.
        source: HandError,
    },
}

impl From<SceneErrors> for LiveError {
    fn from(errors: SceneErrors) -> Self {
        Self::Simulation(errors.into())
    }
}

/// A scene that runs, with a hand in it and a log of everything that was done to it.
pub struct Interactive {
    source: Source,
    /// The text of the scene file when it was read.
    text: String,
    pool: Pool,
    simulation: Simulation,
    hand: Hand,
    log: Vec<TimedInput>,
    /// The overrides at the start: `source` has those of inputs too.
    first_overrides: Overrides,
}

impl Interactive {
    /// Opens a scene file on the threads of a pool.
    ///
    /// # Errors
    /// Everything that is wrong with the scene.
    pub fn open(source: Source, pool: Pool) -> Result<Self, LiveError> {
        let text = read_text(&source.path)?;
        let prepared = prepare(&text, &source, &source.overrides)?;
        Ok(Self {
            simulation: Simulation::on(prepared, pool.clone())?,
            first_overrides: source.overrides.clone(),
            source,
            text,
            pool,
            hand: Hand::default(),
            log: Vec::new(),
        })
    }

    /// The simulation as it is.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// The same, to be measured.
    pub fn simulation_mut(&mut self) -> &mut Simulation {
        &mut self.simulation
    }

    /// Where the scene comes from, with the values that were set since.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Whether the hand holds something.
    pub fn is_holding(&self) -> bool {
        self.hand.is_holding()
    }

    /// Everything that was done since the start.
    pub fn log(&self) -> InputLog {
        let Overrides { detail, set, .. } = self.first_overrides.clone();
        InputLog {
            scene: self.source.path.clone(),
            detail,
            set,
            inputs: self.log.clone(),
        }
    }

    /// Advances by a frame, as `pliant run` does.
    ///
    /// # Errors
    /// If the simulation cannot go on, or `watch` broke the frame off, which leaves everything as it was.
    pub fn step(&mut self, watch: Watch<'_>) -> Result<&FrameReport, LiveError> {
        Ok(self.simulation.step_while(watch)?)
    }

    /// Does something before the next frame, and notes it.
    ///
    /// # Errors
    /// If it cannot be done; nothing has changed then.
    pub fn apply(&mut self, input: Input) -> Result<(), LiveError> {
        match &input {
            Input::Set { assignment } => self.set(assignment)?,
            Input::Scene { text } => self.take_text(text)?,
            by_hand => {
                let done = self.hand.apply(by_hand, self.simulation.world_mut());
                done.map_err(|source| self.not_done(source))?;
            }
        }
        let frame = self.simulation.frame_number();
        self.log.push(TimedInput { frame, input });
        Ok(())
    }

    /// The input that takes hold of what is near a point [m]; `None` where nothing is that can be held.
    pub fn grab_at(&self, point: DVec3) -> Option<Input> {
        Hand::grab_at(self.simulation.world(), point)
    }

    /// Starts again with the values that were set, and with an empty log.
    ///
    /// # Errors
    /// If the hand cannot let go, which is a defect.
    pub fn restart(&mut self) -> Result<(), LiveError> {
        let freed = self.hand.let_go(self.simulation.world_mut());
        freed.map_err(|source| self.not_done(source))?;
        self.simulation.reset();
        self.log.clear();
        self.first_overrides = self.source.overrides.clone();
        Ok(())
    }

    /// Starts again with another value: for what cannot change while the scene runs.
    ///
    /// # Errors
    /// If the scene is wrong with it; everything goes on as it was then.
    pub fn restart_with(&mut self, assignment: &str) -> Result<(), LiveError> {
        let mut source = self.source.clone();
        source.overrides.set.push(assignment.to_owned());
        *self = Self::open(source, self.pool.clone())?;
        Ok(())
    }

    /// Reads the scene file again. What can change while it runs does; otherwise it starts again. True if it did.
    ///
    /// # Errors
    /// Everything that is wrong with the scene; everything goes on as it was then.
    pub fn reload(&mut self) -> Result<bool, LiveError> {
        let text = read_text(&self.source.path)?;
        match self.apply(Input::Scene { text }) {
            Ok(()) => Ok(false),
            Err(LiveError::NeedsRestart { .. }) => {
                *self = Self::open(self.source.clone(), self.pool.clone())?;
                Ok(true)
            }
            Err(error) => Err(error),
        }
    }

    /// The text of the scene as it runs.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn set(&mut self, assignment: &str) -> Result<(), LiveError> {
        let mut overrides = self.source.overrides.clone();
        let key = |a: &str| a.split('=').next().unwrap_or(a).trim().to_owned();
        overrides.set.retain(|other| key(other) != key(assignment));
        overrides.set.push(assignment.to_owned());
        let prepared = prepare(&self.text, &self.source, &overrides)?;
        self.change_to(prepared, assignment)?;
        self.source.overrides = overrides;
        Ok(())
    }

    fn take_text(&mut self, text: &str) -> Result<(), LiveError> {
        let prepared = prepare(text, &self.source, &self.source.overrides)?;
        self.change_to(prepared, "the scene file has changed")?;
        text.clone_into(&mut self.text);
        Ok(())
    }

    fn change_to(&mut self, mut prepared: Prepared, change: &str) -> Result<(), LiveError> {
        self.hand.take_over(&mut prepared.built.setup);
        match self.simulation.change_to(prepared) {
            Err(SimulationError::Change(reason)) => Err(LiveError::NeedsRestart {
                change: change.to_owned(),
                reason,
            }),
            changed => Ok(changed?),
        }
    }

    fn not_done(&self, source: HandError) -> LiveError {
        let frame = self.simulation.frame_number();
        LiveError::Input { frame, source }
    }
}

fn read_text(path: &Path) -> Result<String, SceneErrors> {
    let name = path.display().to_string();
    std::fs::read_to_string(path).map_err(|why| SceneErrors::unreadable(&name, &why.to_string()))
}

/// The world of a text that stands for the file of a source, with the hand in it.
fn prepare(text: &str, source: &Source, overrides: &Overrides) -> Result<Prepared, SceneErrors> {
    let path = &source.path;
    let file = path.display().to_string();
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let scene = Scene::parse(text, &file, folder, overrides)?;
    Prepared::beside(
        scene,
        &scene_name(path),
        &file,
        &[Hand::collider()],
        &|_| (),
    )
}
