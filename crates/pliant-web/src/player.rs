//! A scene that is opened, stepped and seen.

use std::path::Path;

use pliant_core::measure::{FrameBuffers, Wanted};
use pliant_core::parallel::PoolError;
use pliant_core::step::{CpuStepper, StepError, Stepper, advance_frame, substep_length};
use pliant_core::world::{State, World};
use pliant_io::{InputFiles, StateHash};
use pliant_parameters::Files;
use pliant_scene::{BuildWith, Built, Overrides, Scene, SceneErrors};

use crate::View;

/// Memory that particles may take [bytes]: a quarter of what a module can address.
const MEMORY: u64 = 1 << 30;

/// A scene that is stepped on one thread, with the bits of the command on any number of them.
pub struct Player {
    scene: Scene,
    world: World,
    stepper: CpuStepper,
    buffers: FrameBuffers,
    view: View,
    substeps: u64,
    warnings: Vec<String>,
    /// True after a step has failed: the state is then half-way.
    is_broken: bool,
}

/// Why a scene cannot be opened or stepped.
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
}

impl Player {
    /// Of the text of a scene file `path`, from whose folder the files that it names are looked for in `files`.
    ///
    /// # Errors
    /// Everything that is wrong with the scene, each with file, line and key.
    pub fn open(text: &str, path: &Path, files: &dyn Files) -> Result<Self, PlayerError> {
        // From the root, where the files in memory are, wherever the program runs.
        let folder = Path::new("/").join(path.parent().unwrap_or(Path::new("")));
        let name = path.display().to_string();
        let scene = Scene::parse_with(text, &name, &folder, &Overrides::default(), files)?;
        let Built {
            setup, warnings, ..
        } = scene.build(BuildWith {
            meshes: &InputFiles::watched(files, &|_| ()),
            memory: MEMORY,
        })?;
        Ok(Self {
            scene,
            world: World::new(setup),
            stepper: CpuStepper::new(1)?,
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

    /// Simulated time [s].
    pub fn time(&self) -> f64 {
        self.world.state.time
    }

    /// Substeps since the start; those of frames that were done again are counted each time.
    pub fn substeps(&self) -> u64 {
        self.substeps
    }

    /// Advances by one substep of the length that the materials and speeds of the moment admit, outside of frames:
    /// nothing is done again with a shorter one if it gains energy.
    ///
    /// # Errors
    /// If the simulation cannot go on. [`Self::restart`] it then.
    pub fn substep(&mut self) -> Result<(), PlayerError> {
        self.check_sound()?;
        let dt = substep_length(&self.world.setup, &self.world.state);
        let stepped = self.stepper.substep(&mut self.world, dt);
        self.is_broken = stepped.is_err();
        self.substeps += 1;
        stepped.map(|_| ()).map_err(|e| Box::new(e).into())
    }

    /// Advances by one frame, in the substeps that it takes, as `pliant run` does.
    ///
    /// # Errors
    /// As for [`Self::substep`].
    pub fn frame(&mut self) -> Result<(), PlayerError> {
        self.check_sound()?;
        let Self {
            world,
            stepper,
            substeps,
            ..
        } = self;
        let stepped = advance_frame(world, stepper, &mut |_| *substeps += 1);
        self.is_broken = stepped.is_err();
        stepped.map(|_| ()).map_err(|e| Box::new(e).into())
    }

    /// Puts it back to its start.
    pub fn restart(&mut self) {
        self.world.state = State::initial(&self.world.setup);
        self.stepper.forget();
        self.substeps = 0;
        self.is_broken = false;
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
}
