//! A world in a program of one's own: built, stepped, pushed, read, saved and put back.
//!
//! | what | where |
//! | --- | --- |
//! | opening and stepping | this page |
//! | reading particles, probes, statistics | `reading` |
//! | pictures | `picture` |
//! | moving and driving what is in it | `acting` |
//! | giving particles positions and velocities | `motion` |
//! | adding, removing, attaching, releasing | `editing` |
//! | a folder as `pliant run` leaves it | `recording` |
//! | what can go wrong | [`SimulationError`] |

mod acting;
mod editing;
mod edits;
mod error;
mod motion;
mod picture;
mod reading;
mod recording;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use pliant_core::measure::FrameBuffers;
use pliant_core::parallel::Pool;
use pliant_core::step::{
    FrameReport, StepError, StepReport, Stepper, Watch, advance_frame, advance_frame_while,
};
use pliant_core::world::{Setup, SnapshotError, State, World};
use pliant_scene::{Overrides, Scene};
use pliant_view::Measurements;

use crate::backend;
use crate::prepare::{Prepared, Provenance};
use crate::run::measurements_of;

use edits::{Edits, Start};
use picture::UsualLook;

pub use editing::AttachTo;
pub use error::SimulationError;
pub use motion::EditedParticles;
pub use picture::PictureLook;
pub use recording::Recording;

/// A scene that a program steps, with the bits of `pliant run`.
///
/// ```
/// use pliant::Simulation;
///
/// let mut simulation = Simulation::from_text(
///     r#"
///     scene.duration = 0.5
///     [material.rubber]
///     preset = "rubber"
///     [[body]]
///     name = "block"
///     material = "rubber"
///     shape = { box = { size = [0.1, 0.1, 0.1] } }
///     position = [0.0, 1.0, 0.0]
///     spacing = 0.05
///     "#,
/// )?;
/// while simulation.time() < 0.3 {
///     simulation.step()?;
/// }
/// let frame = simulation.frame();
/// let mean = frame.position.iter().map(|x| x.y).sum::<f64>() / frame.position.len() as f64;
/// let fallen = 1.0 - 0.5 * 9.81 * frame.time * frame.time;
/// assert!((mean - fallen).abs() < 0.02);
/// # Ok::<(), pliant::SimulationError>(())
/// ```
pub struct Simulation {
    provenance: Provenance,
    /// What edits change, as it is at the start.
    start: Start,
    /// What was added and attached since.
    edits: Edits,
    world: World,
    pool: Pool,
    stepper: Box<dyn Stepper>,
    measurements: Measurements,
    /// Of the last frame.
    report: FrameReport,
    buffers: FrameBuffers,
    /// Found with the first picture.
    usual_look: Option<Box<UsualLook>>,
    /// True after a step has failed: the state is then half-way.
    is_broken: bool,
}

impl Simulation {
    /// Of a scene file, on one thread a core.
    ///
    /// # Errors
    /// Everything that is wrong with the scene, each with file, line and key.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, SimulationError> {
        let prepared = Prepared::read(path.as_ref(), &Overrides::default())?;
        Self::new(prepared, 0)
    }

    /// Of the text of a scene, on one thread a core. Paths in it start from the current folder.
    ///
    /// # Errors
    /// As for [`Self::open`].
    pub fn from_text(text: &str) -> Result<Self, SimulationError> {
        let scene = Scene::parse(text, "scene text", Path::new("."), &Overrides::default())?;
        Self::new(Prepared::of(scene, "scene", "scene text", &|_| ())?, 0)
    }

    /// Of a scene that was read, or [made in code](Scene::builder), on one thread a core.
    ///
    /// # Errors
    /// What its values say together and that cannot be, each with its key; a probe that cannot be measured.
    pub fn of(scene: Scene) -> Result<Self, SimulationError> {
        Self::new(Prepared::of(scene, "scene", "scene", &|_| ())?, 0)
    }

    /// Of a scene that was read with overrides, on so many threads; 0 takes one a core. The bits do not depend on
    /// their number.
    ///
    /// # Errors
    /// If a probe cannot be measured or there are no threads.
    pub fn new(prepared: Prepared, threads: usize) -> Result<Self, SimulationError> {
        Self::on(prepared, Pool::new(threads)?)
    }

    /// The same on the threads of a pool that others may share.
    ///
    /// # Errors
    /// If a probe cannot be measured.
    pub fn on(prepared: Prepared, pool: Pool) -> Result<Self, SimulationError> {
        let (provenance, setup) = prepared.split();
        let world = World::new(setup);
        let measurements = measurements_of(&world.setup, &provenance.scene)?;
        let stepper = backend::stepper(&pool);
        Ok(Self {
            start: Start::of(&world.setup),
            edits: Edits::default(),
            provenance,
            world,
            pool,
            stepper,
            measurements,
            report: FrameReport::default(),
            buffers: FrameBuffers::default(),
            usual_look: None,
            is_broken: false,
        })
    }

    /// Simulated time [s].
    pub fn time(&self) -> f64 {
        self.world.state.time
    }

    /// Number of the last frame reached; 1 is the initial state.
    pub fn frame_number(&self) -> u32 {
        self.world.state.frame
    }

    /// What the scene file says: duration, frame rate, ...
    pub fn scene(&self) -> &Scene {
        &self.provenance.scene
    }

    /// All constants: bodies, materials, colliders, settings.
    pub fn setup(&self) -> &Setup {
        &self.world.setup
    }

    /// The world: its constants and what moves.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world, for a hand between two frames.
    pub(crate) fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// Goes on on the threads of another pool; the bits are the same.
    pub fn move_to(&mut self, pool: Pool) {
        self.stepper = backend::stepper(&pool);
        self.pool = pool;
    }

    /// Advances by one frame, 1/`scene.frame_rate` [s], in the substeps that it takes.
    ///
    /// # Errors
    /// If the simulation cannot go on. Put it back with [`Self::restore`] or [`Self::reset`] then.
    pub fn step(&mut self) -> Result<&FrameReport, SimulationError> {
        self.check_sound()?;
        let stepped = advance_frame(&mut self.world, self.stepper.as_mut(), &mut |_| ());
        self.stepped(stepped)
    }

    /// The same, and tells after each substep how far it has come. If `watch` breaks it off, the simulation is
    /// as it was before the frame.
    ///
    /// # Errors
    /// As for [`Self::step`]; [`SimulationError::BrokenOff`].
    pub fn step_while(&mut self, watch: Watch<'_>) -> Result<&FrameReport, SimulationError> {
        self.check_sound()?;
        match advance_frame_while(&mut self.world, self.stepper.as_mut(), watch).transpose() {
            Some(stepped) => self.stepped(stepped),
            None => Err(SimulationError::BrokenOff),
        }
    }

    fn stepped(
        &mut self,
        stepped: Result<FrameReport, StepError>,
    ) -> Result<&FrameReport, SimulationError> {
        self.is_broken = stepped.is_err();
        self.report = stepped.map_err(Box::new)?;
        Ok(&self.report)
    }

    /// Advances by one substep of a length [s] > 0 of your own choice, outside of frames: nothing is done again
    /// with a shorter one if it gains energy.
    ///
    /// # Errors
    /// If the length is not such a number, or the simulation cannot go on.
    pub fn substep(&mut self, dt: f64) -> Result<StepReport, SimulationError> {
        self.check_sound()?;
        if !(dt > 0.0 && dt.is_finite()) {
            return Err(SimulationError::StepLength(dt));
        }
        let stepped = self.stepper.substep(&mut self.world, dt);
        self.is_broken = stepped.is_err();
        Ok(stepped.map_err(Box::new)?)
    }

    /// The whole state as bytes: equal states give equal bytes, and what goes on from them has the same bits. They
    /// hold what was added and attached too, but not what [`Self::change`] has changed.
    pub fn save(&self) -> Vec<u8> {
        self.edits.with_state(self.world.state.to_bytes())
    }

    /// Puts it back to a state that [`Self::save`] wrote, of this scene, with the bodies and attachments that it had.
    ///
    /// # Errors
    /// If the bytes hold no state of it; it stays as it is then.
    pub fn restore(&mut self, saved: &[u8]) -> Result<(), SimulationError> {
        let (edits, saved) = Edits::split(saved).map_err(SnapshotError::new)?;
        let setup = match edits == self.edits {
            true => Arc::clone(&self.world.setup),
            false => self.setup_with(&edits)?,
        };
        let state = State::from_bytes(saved, &setup)?;
        (self.world.setup, self.edits) = (setup, edits);
        self.put_back(state);
        Ok(())
    }

    /// Puts it back to its start, without what was added and with the attachments of the scene.
    pub fn reset(&mut self) {
        if self.edits != Edits::default() {
            self.world.setup = Arc::new(self.start.undone(&self.world.setup));
            self.edits = Edits::default();
        }
        let start = State::initial(&self.world.setup);
        self.put_back(start);
    }

    fn put_back(&mut self, state: State) {
        self.world.state = state;
        self.went_back();
    }

    /// Forgets what belongs to a state that was put away.
    fn went_back(&mut self) {
        self.stepper.forget();
        self.buffers = FrameBuffers::default();
        self.report = FrameReport::default();
        self.is_broken = false;
    }

    fn check_sound(&self) -> Result<(), SimulationError> {
        match self.is_broken {
            true => Err(SimulationError::Broken),
            false => Ok(()),
        }
    }
}
