//! A scene that runs, and what is done to it between its frames.

use pliant_core::parallel::Pool;
use pliant_core::step::{FrameReport, Watch};
use pliant_core::world::ChangeError;
use pliant_interaction::{Hand, HandError, Input, InputLog, TimedInput};
use pliant_math::DVec3;
use pliant_scene::{Overrides, SceneErrors};

use crate::interaction::{ChangedScene, InteractiveScene, Source};
use crate::{Simulation, SimulationError};

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
    scene: InteractiveScene,
    pool: Pool,
    simulation: Simulation,
    log: Vec<TimedInput>,
    /// The overrides at the start: the scene has those of inputs too.
    first_overrides: Overrides,
}

impl Interactive {
    /// Opens a scene file on the threads of a pool.
    ///
    /// # Errors
    /// Everything that is wrong with the scene.
    pub fn open(source: Source, pool: Pool) -> Result<Self, LiveError> {
        let first_overrides = source.overrides.clone();
        let (scene, prepared) = InteractiveScene::read(source, &|_| ())?;
        Ok(Self {
            scene,
            simulation: Simulation::on(prepared, pool.clone())?,
            pool,
            log: Vec::new(),
            first_overrides,
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
        self.scene.source()
    }

    /// Whether the hand holds something.
    pub fn is_holding(&self) -> bool {
        self.scene.hand().is_holding()
    }

    /// Everything that was done since the start.
    pub fn log(&self) -> InputLog {
        let Overrides { detail, set, .. } = self.first_overrides.clone();
        InputLog {
            scene: self.source().path.clone(),
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
        match self.scene.read_for(&input)? {
            Some(changed) => self.change_to(changed)?,
            None => {
                let done = self.scene.act(&input, self.simulation.world_mut());
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
        let freed = self.scene.withdraw_hand(self.simulation.world_mut());
        freed.map_err(|source| self.not_done(source))?;
        self.simulation.reset();
        self.log.clear();
        self.first_overrides = self.source().overrides.clone();
        Ok(())
    }

    /// Starts again with another value: for what cannot change while the scene runs.
    ///
    /// # Errors
    /// If the scene is wrong with it; everything goes on as it was then.
    pub fn restart_with(&mut self, assignment: &str) -> Result<(), LiveError> {
        let mut source = self.source().clone();
        source.overrides.set.push(assignment.to_owned());
        *self = Self::open(source, self.pool.clone())?;
        Ok(())
    }

    /// Reads the scene file again. What can change while it runs does; otherwise it starts again. True if it did.
    ///
    /// # Errors
    /// Everything that is wrong with the scene; everything goes on as it was then.
    pub fn reload(&mut self) -> Result<bool, LiveError> {
        let text = self.scene.text_of_file()?;
        match self.apply(Input::Scene { text }) {
            Ok(()) => Ok(false),
            Err(LiveError::NeedsRestart { .. }) => {
                *self = Self::open(self.source().clone(), self.pool.clone())?;
                Ok(true)
            }
            Err(error) => Err(error),
        }
    }

    /// The text of the scene as it runs.
    pub fn text(&self) -> &str {
        self.scene.text()
    }

    fn change_to(&mut self, changed: ChangedScene) -> Result<(), LiveError> {
        let (prepared, change, kept) = changed.split();
        match self.simulation.change_to(prepared) {
            Err(SimulationError::Change(reason)) => {
                return Err(LiveError::NeedsRestart { change, reason });
            }
            changed => changed?,
        }
        self.scene.accept(kept);
        Ok(())
    }

    fn not_done(&self, source: HandError) -> LiveError {
        let frame = self.simulation.frame_number();
        LiveError::Input { frame, source }
    }
}
