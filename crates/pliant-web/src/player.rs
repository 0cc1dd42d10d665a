//! A scene that is opened, stepped, touched and seen.

use std::path::{Path, PathBuf};

use pliant_core::measure::{FrameBuffers, Wanted};
use pliant_core::parallel::PoolError;
use pliant_core::step::{CpuStepper, FrameInProgress, StepError, Stepper, substep_length};
use pliant_core::world::{State, World};
use pliant_interaction::{Hand, HandError, Input, InputLog, LogError, Replay, TimedInput};
use pliant_io::{InputFiles, StateHash};
use pliant_math::DVec3;
use pliant_parameters::Files;
use pliant_scene::{BuildWith, Built, Estimate, Overrides, Scene, SceneErrors};

use crate::View;

/// Memory that particles may take [bytes]: a quarter of what a module can address.
const MEMORY: u64 = 1 << 30;

/// A scene that is stepped on one thread, with the bits of the command on any number of them.
pub struct Player {
    path: PathBuf,
    scene: Scene,
    estimate: Estimate,
    world: World,
    stepper: CpuStepper,
    frame: Option<FrameInProgress>,
    touches: Touches,
    buffers: FrameBuffers,
    view: View,
    substeps: u64,
    warnings: Vec<String>,
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
    /// The scene is wrong.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// No threads.
    #[error(transparent)]
    Threads(#[from] PoolError),
    /// The simulation cannot go on.
    #[error(transparent)]
    Step(#[from] Box<StepError>),
    /// It could not go on before.
    #[error("a step has failed before, and the state is half-way: restart the scene")]
    Broken,
    /// Something that is done between frames only.
    #[error("a frame is not done yet: advance to its end first")]
    WithinFrame,
    /// The hand cannot do it.
    #[error(transparent)]
    Hand(#[from] HandError),
    /// A text that is no log of inputs.
    #[error("this is no file of inputs: {0}")]
    Log(#[from] LogError),
}

impl Player {
    /// Of the text of a scene file `path`, from whose folder the files that it names are looked for in `files`.
    ///
    /// # Errors
    /// Everything that is wrong with the scene, each with file, line and key.
    pub fn open(text: &str, path: &Path, files: &dyn Files) -> Result<Self, PlayerError> {
        Self::open_with(text, path, files, false)
    }

    /// The same with a hand in the scene, which changes no motion as long as it does nothing.
    ///
    /// # Errors
    /// As for [`Self::open`].
    pub fn open_to_touch(text: &str, path: &Path, files: &dyn Files) -> Result<Self, PlayerError> {
        Self::open_with(text, path, files, true)
    }

    fn open_with(
        text: &str,
        path: &Path,
        files: &dyn Files,
        has_hand: bool,
    ) -> Result<Self, PlayerError> {
        // From the root, where the files in memory are, wherever the program runs.
        let folder = Path::new("/").join(path.parent().unwrap_or(Path::new("")));
        let name = path.display().to_string();
        let scene = Scene::parse_with(text, &name, &folder, &Overrides::default(), files)?;
        let with = BuildWith {
            meshes: &InputFiles::watched(files, &|_| ()),
            memory: MEMORY,
        };
        let hand = Hand::collider();
        let beside = if has_hand { &[hand][..] } else { &[] };
        let Built {
            setup,
            warnings,
            estimate,
        } = scene.build_beside(with, beside)?;
        Ok(Self {
            path: path.to_owned(),
            scene,
            estimate,
            world: World::new(setup),
            stepper: CpuStepper::new(1)?,
            frame: None,
            touches: Touches::default(),
            buffers: FrameBuffers::default(),
            view: View::default(),
            substeps: 0,
            warnings: warnings.iter().map(ToString::to_string).collect(),
            is_broken: false,
        })
    }

    /// What is allowed in the scene but probably not meant.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// What the scene file says.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// What it takes to run it.
    pub fn estimate(&self) -> &Estimate {
        &self.estimate
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
        let (world, stepper) = (&mut self.world, &mut self.stepper);
        let frame = self
            .frame
            .get_or_insert_with(|| FrameInProgress::start(world, stepper));
        self.substeps += u64::from(frame.substep(world, stepper)?.is_some());
        let is_done = frame.conclude(world, stepper)?.is_some();
        if is_done {
            self.frame = None;
        }
        Ok(is_done)
    }

    /// Advances to the end of the frame, in the substeps that it takes, as `pliant run` does.
    ///
    /// # Errors
    /// As for [`Self::advance`].
    pub fn frame(&mut self) -> Result<(), PlayerError> {
        while !self.advance()? {}
        Ok(())
    }

    /// Puts it back to its start, with nothing done to it.
    pub fn restart(&mut self) {
        // A hand that holds something is in the world, so that it can let go.
        let _ = self.touches.hand.let_go(&mut self.world);
        self.touches = Touches::default();
        self.frame = None;
        self.world.state = State::initial(&self.world.setup);
        self.stepper.forget();
        self.substeps = 0;
        self.is_broken = false;
    }

    /// Does something before the next frame, and notes it.
    ///
    /// # Errors
    /// If a frame is half done, or it cannot be done; nothing has changed then.
    pub fn apply(&mut self, input: Input) -> Result<(), PlayerError> {
        self.check_between_frames()?;
        let Touches { hand, log, .. } = &mut self.touches;
        hand.apply(&input, &mut self.world)?;
        let frame = self.world.state.frame;
        log.push(TimedInput { frame, input });
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
        InputLog {
            scene: self.path.clone(),
            inputs: self.touches.log.clone(),
            ..InputLog::default()
        }
    }

    /// Starts again, and does what a log says.
    pub fn replay(&mut self, log: InputLog) {
        self.restart();
        self.touches.replay = Replay::of(log);
    }

    /// What [`Self::update_view`] saw last; nothing before.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The particles and walls as they are now.
    pub fn update_view(&mut self) -> &View {
        self.buffers.update_wanted(&self.world, Wanted::MOTION);
        self.view.update(&self.buffers.frame());
        &self.view
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemoryFiles;

    const SAND: &str = r##"
        scene = { duration = 1.0 }
        material.sand = { law = "drucker-prager", density = 1600.0, youngs_modulus = 3.5e5, friction_angle = 30.0 }
        [[body]]
        name = "ball"
        material = "sand"
        shape = { sphere = { radius = 0.03 } }
        position = [0.0, 0.1, 0.0]
        spacing = 0.01
        color = "#ff8000"
    "##;

    fn open(text: &str, files: &MemoryFiles) -> Result<Player, PlayerError> {
        Player::open(text, Path::new("scenes/own.toml"), files)
    }

    #[test]
    fn a_ball_falls_and_starts_again_with_the_same_bits() {
        let mut player = open(SAND, &MemoryFiles::default()).expect("a sound scene");
        let start = player.hash();
        let before = player.update_view().clone();
        for _ in 0..3 {
            player.frame().expect("sound");
        }
        let frames = (player.hash(), player.substeps());
        assert!(frames.1 >= 3 && player.time() > 0.0);
        let after = player.update_view().clone();
        assert_eq!(after.colors[0], [255, 128, 0, 255]);
        assert_eq!(after.bodies, before.bodies);
        assert!(
            after
                .spheres
                .iter()
                .zip(&before.spheres)
                .all(|(a, b)| a[1] < b[1] && a[3] == b[3])
        );
        player.restart();
        assert_eq!((player.hash(), player.substeps()), (start, 0));
        for _ in 0..3 {
            player.frame().expect("sound");
        }
        assert_eq!((player.hash(), player.substeps()), frames);
    }

    #[test]
    fn substeps_move_it_without_frames() {
        let mut player = open(SAND, &MemoryFiles::default()).expect("a sound scene");
        player.substep().expect("sound");
        let once = player.time();
        player.substep().expect("sound");
        assert!(once > 0.0 && player.time() > 1.5 * once);
        assert_eq!(player.substeps(), 2);
    }

    #[test]
    fn a_mesh_comes_from_memory_and_a_missing_one_is_told_with_its_place() {
        let text = SAND.replace(
            "sphere = { radius = 0.03 }",
            "mesh = { file = \"tetrahedron.obj\" }",
        );
        let missing = open(&text, &MemoryFiles::default()).err().expect("no file");
        let message = missing.to_string();
        for part in [
            "scenes/own.toml:7",
            "body.ball.shape",
            "there is no file",
            "tetrahedron.obj",
        ] {
            assert!(message.contains(part), "'{part}' is not in\n{message}");
        }
        let mut files = MemoryFiles::default();
        let mesh = "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
        files.add(Path::new("scenes/tetrahedron.obj"), mesh.into());
        let mut player = open(&text, &files).expect("a sound scene");
        assert!(player.update_view().spheres.len() > 100);
    }

    const RUBBER: &str = r##"
        scene = { duration = 1.0 }
        material.rubber.preset = "rubber"
        [[body]]
        name = "block"
        material = "rubber"
        shape = { box = { size = [0.1, 0.1, 0.1] } }
        position = [0.0, 0.2, 0.0]
        spacing = 0.02
    "##;

    fn touch(text: &str) -> Player {
        Player::open_to_touch(text, Path::new("own.toml"), &MemoryFiles::default()).expect("sound")
    }

    #[test]
    fn a_hand_that_does_nothing_changes_no_motion() {
        let mut plain = open(SAND, &MemoryFiles::default()).expect("a sound scene");
        let mut touched = touch(SAND);
        for _ in 0..3 {
            plain.frame().expect("sound");
            touched.frame().expect("sound");
        }
        assert_eq!(plain.hash().motion, touched.hash().motion);
    }

    #[test]
    fn what_was_done_is_done_again_from_its_text_to_the_same_bits() {
        let mut player = touch(RUBBER);
        player.frame().expect("sound");
        assert!(player.grab(DVec3::new(0.0, 0.2, 0.0)).expect("sound"));
        for step in 0..3 {
            let to = [0.05 * f64::from(step), 0.3, 0.0];
            player.apply(Input::Move { to }).expect("sound");
            player.frame().expect("sound");
        }
        player.apply(Input::Release {}).expect("sound");
        let corner = |y: f64, z: f64| [0.003, y, z];
        let corners = [
            corner(-1.0, -1.0),
            corner(1.0, -1.0),
            corner(1.0, 1.0),
            corner(-1.0, 1.0),
        ];
        player.apply(Input::Cut { corners }).expect("sound");
        player.frame().expect("sound");
        let (hash, text) = (player.hash(), player.log().text().expect("a text"));
        player.replay(InputLog::parse(&text).expect("a log"));
        for _ in 0..5 {
            player.frame().expect("sound");
        }
        assert_eq!(player.hash(), hash);
        assert_eq!(player.log().text().expect("a text"), text);
    }

    #[test]
    fn nothing_is_done_within_a_frame() {
        let mut player = touch(RUBBER);
        assert!(!player.advance().expect("sound") && !player.is_between_frames());
        let moved = player.apply(Input::Release {}).expect_err("half done");
        assert!(matches!(moved, PlayerError::WithinFrame));
        player.frame().expect("sound");
        player.apply(Input::Release {}).expect("between frames");
        player.advance().expect("sound");
        player.restart();
        assert!(player.is_between_frames() && player.time() == 0.0);
    }
}
