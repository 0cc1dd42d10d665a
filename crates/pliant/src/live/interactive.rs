//! A scene that runs, and what is done to it between its frames.

use std::path::{Path, PathBuf};

use pliant_core::boundaries::Blade;
use pliant_core::parallel::Pool;
use pliant_core::step::{FrameReport, Watch};
use pliant_core::world::ChangeError;
use pliant_math::{DVec3, Pose};
use pliant_scene::{Overrides, Scene, SceneErrors};

use super::hand::{self, HAND, Held};
use super::input::{Input, InputLog, TimedInput};
use crate::prepare::{Prepared, scene_name};
use crate::{Simulation, SimulationError};

/// Particles within so many spacings of a point are taken hold of.
const HAND_REACH: f64 = 2.5;
/// Angular frequency [rad/s] with which a held body as a whole swings on the springs.
const HAND_FREQUENCY: f64 = 25.0;
/// A hand that holds little of much swings as if it held all of at most so many times that.
const MOST_CARRIED: f64 = 60.0;

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
    /// An input that names what is not there.
    #[error("an input after frame {frame} cannot be done: {message}")]
    Input {
        /// The frame.
        frame: u32,
        /// Why.
        message: String,
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
    held: Option<Held>,
    /// The last cut; it acts only at its time.
    blade: Option<Blade>,
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
            held: None,
            blade: None,
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
        self.held.is_some()
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
            Input::Grab {
                particles,
                local,
                at,
                stiffness,
            } => {
                let held = Held {
                    particles: particles.clone(),
                    local: local.iter().map(|&x| DVec3::from_array(x)).collect(),
                    stiffness: *stiffness,
                };
                self.check_held(&held)?;
                self.grab(held, DVec3::from_array(*at))?;
            }
            Input::Move { to } => self.move_hand(DVec3::from_array(*to), self.frame_length())?,
            Input::Release {} => self.hold(None)?,
            Input::Cut { corners } => self.cut(corners.map(DVec3::from_array))?,
            Input::Set { assignment } => self.set(assignment)?,
            Input::Scene { text } => self.take_text(text)?,
        }
        let frame = self.simulation.frame_number();
        self.log.push(TimedInput { frame, input });
        Ok(())
    }

    /// The input that takes hold of what is near a point [m]; `None` where nothing is that can be held. Rigid bodies
    /// cannot: springs pull particles.
    ///
    /// The springs are as stiff as it takes to carry the body of the nearest particle.
    pub fn grab_at(&self, point: DVec3) -> Option<Input> {
        let particles = self.simulation.particles();
        let bodies = &self.simulation.setup().bodies;
        let distance = |i: usize| particles.position[i].distance_squared(point);
        let is_rigid = |i: usize| bodies[particles.body[i] as usize].method.is_rigid();
        let free =
            (0..particles.len()).filter(|&i| particles.inverse_mass[i] > 0.0 && !is_rigid(i));
        let nearest = free.min_by(|&a, &b| distance(a).total_cmp(&distance(b)))?;
        let body = particles.body[nearest];
        let spacing = bodies[body as usize].spacing;
        let reach = (HAND_REACH * spacing).max(1.01 * distance(nearest).sqrt());
        let of_body = (0..particles.len())
            .filter(|&i| particles.body[i] == body && particles.inverse_mass[i] > 0.0);
        let (mut all, mut held) = (0.0, Vec::new());
        for i in of_body {
            all += f64::from(particles.mass[i]);
            if distance(i) <= reach * reach {
                held.push(i);
            }
        }
        held.sort_unstable_by_key(|&i| particles.id[i]);
        let carried: f64 = held.iter().map(|&i| f64::from(particles.mass[i])).sum();
        Some(Input::Grab {
            particles: held.iter().map(|&i| particles.id[i]).collect(),
            local: held
                .iter()
                .map(|&i| (particles.position[i] - point).to_array())
                .collect(),
            at: point.to_array(),
            stiffness: all.min(MOST_CARRIED * carried) * HAND_FREQUENCY * HAND_FREQUENCY,
        })
    }

    /// Starts again with the values that were set, and with an empty log.
    ///
    /// # Errors
    /// If the hand cannot let go, which is a defect.
    pub fn restart(&mut self) -> Result<(), LiveError> {
        self.hold(None)?;
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
        let setup = &mut prepared.built.setup;
        hand::hold(setup, self.held.as_ref());
        if let Some(blade) = &self.blade {
            hand::cut(setup, blade);
        }
        match self.simulation.change_to(prepared) {
            Err(SimulationError::Change(reason)) => Err(LiveError::NeedsRestart {
                change: change.to_owned(),
                reason,
            }),
            changed => Ok(changed?),
        }
    }

    fn check_held(&self, held: &Held) -> Result<(), LiveError> {
        let is_sound = held.particles.len() == held.local.len()
            && held.local.iter().all(|x| x.is_finite())
            && held.stiffness > 0.0
            && held.stiffness.is_finite();
        match is_sound {
            true => Ok(()),
            false => Err(LiveError::Input {
                frame: self.simulation.frame_number(),
                message: "`grab` wants a place for each particle and a stiffness above 0"
                    .to_owned(),
            }),
        }
    }

    fn grab(&mut self, held: Held, at: DVec3) -> Result<(), LiveError> {
        // At once: nothing hangs on it yet.
        self.simulation.put(HAND, at_rest(at))?;
        self.hold(Some(held))
    }

    fn hold(&mut self, held: Option<Held>) -> Result<(), LiveError> {
        self.simulation
            .change(|setup| hand::hold(setup, held.as_ref()))?;
        self.held = held;
        Ok(())
    }

    fn cut(&mut self, corners: [DVec3; 4]) -> Result<(), LiveError> {
        let bodies = &self.simulation.setup().bodies;
        let can_be_cut = bodies.iter().any(|body| body.method.can_be_cut());
        if !(can_be_cut && corners.iter().all(|corner| corner.is_finite())) {
            return Err(LiveError::Input {
                frame: self.simulation.frame_number(),
                message: "there is nothing to cut: no body of the scene is of `strain-energy`"
                    .to_owned(),
            });
        }
        let blade = hand::blade(corners, self.simulation.time());
        self.simulation.change(|setup| hand::cut(setup, &blade))?;
        self.blade = Some(blade);
        Ok(())
    }

    fn move_hand(&mut self, to: DVec3, duration: f64) -> Result<(), LiveError> {
        Ok(self.simulation.drive_to(HAND, at_rest(to), duration)?)
    }

    fn frame_length(&self) -> f64 {
        1.0 / self.simulation.setup().frame_rate
    }
}

fn at_rest(translation: DVec3) -> Pose {
    Pose {
        translation,
        ..Pose::IDENTITY
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
    Prepared::beside(scene, &scene_name(path), &file, &[hand::hand()], &|_| ())
}
