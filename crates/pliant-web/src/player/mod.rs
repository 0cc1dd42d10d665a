//! A scene that is opened, stepped, touched and seen.

use pliant_core::measure::FrameBuffers;
use pliant_core::parallel::Pool;
use pliant_core::step::{CpuStepper, FrameInProgress, StepError, Stepper, substep_length};
use pliant_core::world::{State, World};
use pliant_interaction::{Hand, HandError, Input, InputLog, LogError, Replay, TimedInput};
use pliant_io::StateHash;
use pliant_math::DVec3;
use pliant_render::{Coloring, RenderError};
use pliant_scene::{Estimate, Overrides, Scene};
use pliant_view::SceneFacts;

use crate::opened::{Opened, RefusedChange};
use crate::show::Show;
use crate::{Opening, facts};

/// A scene that is stepped on the threads of a pool, with the bits of the command on any number of them.
pub struct Player {
    /// What it was opened from, with the values that were set since.
    opening: Opening,
    /// The same as it started.
    first: Opening,
    opened: Opened,
    facts: SceneFacts,
    world: World,
    pool: Pool,
    stepper: Box<dyn Stepper>,
    frame: Option<FrameInProgress>,
    touches: Touches,
    show: Show,
    substeps: u64,
    /// True after a step has failed: the state is then half-way.
    is_broken: bool,
}

/// What is done to the scene.
#[derive(Default)]
struct Touches {
    hand: Hand,
    /// What was done since the start.
    log: Vec<TimedInput>,
    /// What is done again.
    replay: Replay,
}

/// Why a scene cannot be opened, stepped or touched.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// The scene is wrong, or cannot be changed so.
    #[error(transparent)]
    Scene(#[from] RefusedChange),
    /// The simulation cannot go on.
    #[error(transparent)]
    Step(#[from] Box<StepError>),
    /// It could not go on before.
    #[error("a step has failed before, and the state is half-way: restart the scene")]
    Broken,
    /// Something that is done between frames only.
    #[error("a frame is not done yet: advance to its end first")]
    WithinFrame,
    /// Colours show what the scene does not have.
    #[error(transparent)]
    Picture(#[from] RenderError),
    /// A column that the scene does not have.
    #[error("there is no column `{0}`")]
    Column(String),
    /// The hand cannot do it.
    #[error(transparent)]
    Hand(#[from] HandError),
    /// A text that is no log of inputs.
    #[error("this is no file of inputs: {0}")]
    Log(#[from] LogError),
}

impl Player {
    /// Opens a scene.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with file, line and key.
    pub fn open(opening: Opening, pool: Pool) -> Result<Self, PlayerError> {
        let (opened, world) = pool.run(|| {
            let (opened, setup) = opening.read()?;
            Ok::<_, RefusedChange>((opened, World::new(setup)))
        })?;
        let facts = facts_of(&opening, &opened, &world);
        Ok(Self {
            first: opening.clone(),
            show: Show::new(facts.coloring.clone()),
            opening,
            opened,
            facts,
            world,
            stepper: Box::new(CpuStepper::on(pool.clone())),
            pool,
            frame: None,
            touches: Touches::default(),
            substeps: 0,
            is_broken: false,
        })
    }

    /// What is allowed in the scene but probably not meant.
    pub fn warnings(&self) -> &[String] {
        &self.opened.warnings
    }

    /// What the scene file says.
    pub fn scene(&self) -> &Scene {
        &self.opened.scene
    }

    /// What it takes to run it.
    pub fn estimate(&self) -> &Estimate {
        &self.opened.estimate
    }

    /// What is known of it for pictures.
    pub fn facts(&self) -> &SceneFacts {
        &self.facts
    }

    /// The world as it is.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Simulated time [s].
    pub fn time(&self) -> f64 {
        self.world.state.time
    }

    /// Substeps since the start; those of frames that were done again are counted each time.
    pub fn substeps(&self) -> u64 {
        self.substeps
    }

    /// Whether no frame is half done.
    pub fn is_between_frames(&self) -> bool {
        self.frame.is_none()
    }

    /// Advances by one substep of the length that the materials and speeds of the moment admit, outside of frames:
    /// nothing is done again with a shorter one if it gains energy.
    ///
    /// # Errors
    /// If a frame is half done, or the simulation cannot go on. [`Self::restart`] it then.
    pub fn substep(&mut self) -> Result<(), PlayerError> {
        self.check_sound()?;
        self.check_between_frames()?;
        let dt = substep_length(&self.world.setup, &self.world.state);
        let stepped = self.stepper.substep(&mut self.world, dt);
        self.is_broken = stepped.is_err();
        self.substeps += 1;
        stepped.map(|_| ()).map_err(|e| Box::new(e).into())
    }

    /// Advances by one substep of the frame that it is in, which is done as `pliant run` does it; true once it is
    /// done. What is to be done again before a frame is done at its start.
    ///
    /// # Errors
    /// If the simulation cannot go on, or an input cannot be done again. [`Self::restart`] it then.
    pub fn advance(&mut self) -> Result<bool, PlayerError> {
        self.check_sound()?;
        if self.frame.is_none() {
            while let Some(input) = self.touches.replay.next_after(self.world.state.frame) {
                self.apply(input)?;
            }
        }
        let advanced = self.advance_frame();
        self.is_broken = advanced.is_err();
        advanced.map_err(|e| Box::new(e).into())
    }

    fn advance_frame(&mut self) -> Result<bool, StepError> {
        let (world, stepper) = (&mut self.world, self.stepper.as_mut());
        let frame = self
            .frame
            .get_or_insert_with(|| FrameInProgress::start(world, stepper));
        self.substeps += u64::from(frame.substep(world, stepper)?.is_some());
        let Some(report) = frame.conclude(world, stepper)? else {
            return Ok(false);
        };
        self.frame = None;
        let measurements = &self.opened.measurements;
        self.show.frame_done(report, &self.world, measurements);
        Ok(true)
    }

    /// Advances to the end of the frame, in the substeps that it takes, as `pliant run` does.
    ///
    /// # Errors
    /// As for [`Self::advance`].
    pub fn frame(&mut self) -> Result<(), PlayerError> {
        while !self.advance()? {}
        Ok(())
    }

    /// Puts it back to its start, with the values that were set and nothing else done to it.
    pub fn restart(&mut self) {
        // A hand that holds something is in the world, so that it can leave.
        let _ = self.touches.hand.leave(&mut self.world);
        self.touches = Touches::default();
        self.frame = None;
        self.world.state = State::initial(&self.world.setup);
        self.first.clone_from(&self.opening);
        self.stepper.forget();
        self.show.start();
        self.substeps = 0;
        self.is_broken = false;
    }

    /// Does something before the next frame, and notes it.
    ///
    /// # Errors
    /// If a frame is half done, or it cannot be done; nothing has changed then.
    pub fn apply(&mut self, input: Input) -> Result<(), PlayerError> {
        self.check_between_frames()?;
        match &input {
            Input::Set { assignment } => {
                let opening = Opening {
                    overrides: self.opening.overrides.with_value(assignment),
                    ..self.opening.clone()
                };
                self.change_to(opening, assignment)?;
            }
            Input::Scene { text } => {
                let opening = Opening {
                    text: text.clone(),
                    ..self.opening.clone()
                };
                self.change_to(opening, "the scene file has changed")?;
            }
            _ => self.touches.hand.apply(&input, &mut self.world)?,
        }
        let frame = self.world.state.frame;
        self.touches.log.push(TimedInput { frame, input });
        Ok(())
    }

    /// Goes on with the constants of another reading of the scene.
    fn change_to(&mut self, opening: Opening, change: &str) -> Result<(), RefusedChange> {
        let (opened, mut setup) = self.pool.run(|| opening.read())?;
        self.touches.hand.take_over(&mut setup);
        let changed = self.world.change(|own| *own = setup);
        changed.map_err(|reason| RefusedChange::NeedsRestart {
            change: change.to_owned(),
            reason,
        })?;
        (self.opening, self.opened) = (opening, opened);
        // Cameras and ranges of colours stay those of the start.
        self.facts.entries = self.opened.scene.entries();
        Ok(())
    }

    /// Takes hold of what is near a point [m]; tells whether the hand holds something then.
    ///
    /// # Errors
    /// As for [`Self::apply`].
    pub fn grab(&mut self, point: DVec3) -> Result<bool, PlayerError> {
        if let Some(input) = Hand::grab_at(&self.world, point) {
            self.apply(input)?;
        }
        Ok(self.touches.hand.is_holding())
    }

    /// Whether the hand holds something.
    pub fn is_holding(&self) -> bool {
        self.touches.hand.is_holding()
    }

    /// Everything that was done since the start.
    pub fn log(&self) -> InputLog {
        let Overrides { detail, set, .. } = self.first.overrides.clone();
        InputLog {
            scene: self.opening.path.clone(),
            detail,
            set,
            inputs: self.touches.log.clone(),
        }
    }

    /// Starts again with the values that a log starts with, and does what it says.
    ///
    /// # Errors
    /// Everything that is wrong with the scene with those values; everything goes on as it was then.
    pub fn replay(&mut self, log: InputLog) -> Result<(), PlayerError> {
        let start = Opening {
            overrides: Overrides {
                detail: log.detail.clone(),
                set: log.set.clone(),
                ..Overrides::default()
            },
            ..self.first.clone()
        };
        if start == self.opening {
            self.restart();
        } else {
            let opened = Self::open(start, self.pool.clone())?;
            // What is shown of it stays.
            let show = std::mem::replace(&mut self.show, Show::new(Coloring::Body));
            *self = Self { show, ..opened };
            self.show.start();
        }
        self.touches.replay = Replay::of(log);
        Ok(())
    }

    /// Colours particles by "body", "material", "fragment" or a quantity of the scene, from the next picture on.
    pub fn color_by(&mut self, name: &str) {
        let known = self.facts.colorings.iter();
        let mut known = known.filter(|coloring| facts::name_of(coloring) == name);
        let coloring = known.next().cloned().unwrap_or(match name {
            "body" => Coloring::Body,
            "material" => Coloring::Material,
            // The next picture says that there is none of this name.
            name => Coloring::Quantity {
                name: name.to_owned(),
                range: None,
                color_map: pliant_view::color_map_of(name),
            },
        });
        self.show.color(coloring);
    }

    /// The moment as it is now, in the bytes of [`pliant_view::PageColumns`].
    ///
    /// # Errors
    /// If colours show a quantity that the world does not have; they are those of bodies from then on.
    pub fn picture(&mut self) -> Result<&[u8], PlayerError> {
        Ok(self.show.picture(&self.world, &self.facts)?)
    }

    /// The bytes of the last picture.
    pub fn picture_bytes(&self) -> &[u8] {
        self.show.bytes()
    }

    /// Measures these columns of `probes.csv` and `stats.csv` now and after each frame.
    ///
    /// # Errors
    /// If there is no column of a name; the same as before are measured then.
    pub fn plot(&mut self, columns: Vec<String>) -> Result<(), PlayerError> {
        let plotted = self
            .show
            .plot(columns, &self.world, &self.opened.measurements);
        plotted.map_err(PlayerError::Column)
    }

    /// Takes what was measured since the last time: of each moment its time [s] and a value of each column.
    pub fn take_rows(&mut self) -> Vec<f64> {
        self.show.take_rows()
    }

    /// Hashes of the state: equal to those that `pliant fingerprint` prints after as many substeps.
    pub fn hash(&self) -> StateHash {
        StateHash::of(&self.world.state)
    }

    fn check_sound(&self) -> Result<(), PlayerError> {
        match self.is_broken {
            true => Err(PlayerError::Broken),
            false => Ok(()),
        }
    }

    fn check_between_frames(&self) -> Result<(), PlayerError> {
        match self.frame {
            Some(_) => Err(PlayerError::WithinFrame),
            None => Ok(()),
        }
    }
}

fn facts_of(opening: &Opening, opened: &Opened, world: &World) -> SceneFacts {
    let mut buffers = FrameBuffers::default();
    buffers.update(world);
    let name = opening.path.file_stem().unwrap_or_default();
    let of = (&opened.scene, &*world.setup);
    let layout = opened.measurements.layout();
    SceneFacts::of(&name.to_string_lossy(), of, layout, &buffers.frame())
}

#[cfg(test)]
mod tests;
