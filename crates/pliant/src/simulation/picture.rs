//! Pictures of a simulation, as `pliant run` would make them.

use pliant_core::measure::FrameBuffers;
use pliant_core::world::{State, World};
use pliant_math::DVec3;
use pliant_render::{Camera, Picture, Renderer, Settings};
use pliant_view::{CameraPath, camera_path_of, coloring_named, settings_of};

use super::{Simulation, SimulationError};
use crate::environment::environment_of;
use crate::shown::in_pictures;

/// What a picture is like where it is not as the scene says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PictureLook {
    /// Columns and rows in place of `output.size`, 1 to 16384.
    pub size: Option<[u32; 2]>,
    /// In place of `output.color_by`: "body", "material", "fragment", the name of a quantity.
    pub color_by: Option<String>,
    /// In place of the scene's camera: where it stands and what is in the middle of the picture [m].
    pub camera: Option<[DVec3; 2]>,
    /// True to leave out title, time and legend.
    pub is_plain: bool,
}

/// What pictures of a scene are like if nothing else is asked for.
pub(super) struct UsualLook {
    settings: Settings,
    camera: CameraPath,
    /// The start, which the range of colours is chosen by.
    start: FrameBuffers,
    /// The moment of the last picture.
    shown: FrameBuffers,
}

impl Simulation {
    /// The picture of the moment, by the scene's camera, `output.size` and `output.color_by`, or by what is asked for
    /// in their place. Equal states give equal pixels, so motion blur is that of particles alone: how colliders have
    /// come is not in a state.
    ///
    /// ```
    /// # use pliant::{PictureLook, Scene, SceneTable, Simulation};
    /// # let ball = SceneTable::new()
    /// #     .with("name", "ball")
    /// #     .with("material", "rubber")
    /// #     .with("shape.sphere.radius", 0.05)
    /// #     .with("spacing", 0.025);
    /// # let scene = Scene::builder()
    /// #     .with("scene.duration", 1.0)
    /// #     .with("material.rubber.preset", "rubber")
    /// #     .add("body", ball)
    /// #     .build()?;
    /// # let mut simulation = Simulation::of(scene)?;
    /// let small = PictureLook {
    ///     size: Some([160, 90]),
    ///     ..PictureLook::default()
    /// };
    /// let picture = simulation.picture(&small)?;
    /// let png = pliant::render::picture::encode_png(&picture);
    /// # assert_eq!(picture.rgb.len(), 3 * 160 * 90);
    /// # assert!(png.is_ok());
    /// # Ok::<(), pliant::SimulationError>(())
    /// ```
    ///
    /// # Errors
    /// If no picture has that size, there is no such quantity, or the environment map that lights it cannot be read.
    pub fn picture(&mut self, look: &PictureLook) -> Result<Picture, SimulationError> {
        let usual = self.usual_look.take();
        let mut usual = match usual {
            Some(usual) => usual,
            None => Box::new(self.find_usual_look()?),
        };
        let settings = self.picture_settings(&usual, look);
        let camera = usual.camera.at(self.time());
        let camera = match look.camera {
            Some([position, target]) => Camera {
                position,
                target,
                ..camera
            },
            None => camera,
        };
        let (world, shown) = (&self.world, &mut usual.shown);
        let picture = self.pool.run(|| {
            shown.update(world);
            let columns = in_pictures(&shown.frame(), shown.surface().as_ref());
            Renderer::new(settings).render(&shown.show(&columns), &camera)
        });
        self.usual_look = Some(usual);
        Ok(picture?)
    }

    fn find_usual_look(&self) -> Result<UsualLook, SimulationError> {
        let scene = &self.provenance.scene;
        let setup = self.start.undone(&self.world.setup);
        let world = World {
            state: State::initial(&setup),
            setup: setup.into(),
        };
        let mut start = FrameBuffers::default();
        self.pool.run(|| start.update(&world));
        let frames = scene.frame_count() + 1;
        let (setup, frame) = (&world.setup, start.frame());
        Ok(UsualLook {
            settings: Settings {
                environment: environment_of(scene)?,
                ..settings_of(scene, setup, &frame, frames)
            },
            camera: camera_path_of(scene, setup, &frame, frames),
            start,
            shown: FrameBuffers::default(),
        })
    }

    fn picture_settings(&self, usual: &UsualLook, look: &PictureLook) -> Settings {
        let mut settings = usual.settings.clone();
        if let Some([width, height]) = look.size {
            (settings.width, settings.height) = (width, height);
        }
        if let Some(name) = &look.color_by {
            let (scene, start) = (&self.provenance.scene, usual.start.frame());
            let frames = scene.frame_count() + 1;
            settings.coloring = coloring_named(name, scene, &self.world.setup, &start, frames);
        }
        if look.is_plain {
            settings.title = None;
            (settings.shows_time, settings.shows_legend) = (false, false);
        }
        settings
    }
}
