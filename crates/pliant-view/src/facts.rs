//! What is known of an open scene.

use pliant_core::measure::Frame;
use pliant_core::world::Setup;
use pliant_geometry::Aabb;
use pliant_interaction::Hand;
use pliant_math::DVec3;
use pliant_render::{Coloring, action_bounds};
use pliant_scene::{Scene, SceneEntry};

use crate::{CameraPath, Layout, camera_of, coloring_named, settings_of};

/// What is known of an open scene.
#[derive(Clone, Debug)]
pub struct SceneFacts {
    /// Its title, or the name of its file.
    pub title: String,
    /// The axis that points up, a unit vector.
    pub up: DVec3,
    /// Its cameras with the ways they take, or one that stays and shows everything; at least one.
    pub cameras: Vec<CameraPath>,
    /// Where particles are at the start, with the colliders that have an end and the floor below.
    pub bounds: Aabb,
    /// What the scene colours particles by.
    pub coloring: Coloring,
    /// What particles can be coloured by beside body and material, with the range that can be expected.
    pub colorings: Vec<Coloring>,
    /// The values of the scene.
    pub entries: Vec<SceneEntry>,
    /// Names of the bodies that can be poured.
    pub pourable: Vec<String>,
    /// Columns that can be plotted, with their units.
    pub columns: Vec<(String, String)>,
    /// Frames a second of simulated time.
    pub frame_rate: f64,
}

/// Quantities that are told for files rather than for colours.
const NOT_COLORS: &[&str] = &[
    "rotation_x",
    "rotation_y",
    "rotation_z",
    "rotation_w",
    "fragment",
];

impl SceneFacts {
    /// Those of a scene.
    ///
    /// * `name` — the title of a scene that has none
    /// * `frame` — with every quantity
    pub fn of(
        name: &str,
        (scene, setup): (&Scene, &Setup),
        columns: &Layout,
        frame: &Frame<'_>,
    ) -> Self {
        let frames = scene.frame_count() + 1;
        let cameras = match scene.cameras().as_slice() {
            [] => vec![CameraPath::fixed(camera_of(scene, setup, frame, frames))],
            cameras => cameras
                .iter()
                .map(|own| CameraPath::of(own, scene))
                .collect(),
        };
        let told = frame.quantities.iter().map(|quantity| quantity.name);
        let quantities = ["speed"].into_iter().chain(told);
        let quantities = quantities.filter(|name| !NOT_COLORS.contains(name));
        let named = |name| coloring_named(name, scene, setup, frame, frames);
        let measured = columns.probes.iter().chain(&columns.stats);
        let measured = measured.filter(|column| !["frame", "time"].contains(&column.name.as_str()));
        Self {
            title: match scene.title() {
                "" => name.to_owned(),
                title => title.to_owned(),
            },
            up: scene.up(),
            cameras,
            bounds: action_bounds(frame, scene.up()),
            coloring: settings_of(scene, setup, frame, frames).coloring,
            colorings: quantities.map(named).chain([Coloring::Fragment]).collect(),
            entries: scene.entries(),
            pourable: Hand::pourable(setup),
            columns: measured
                .map(|column| (column.name.clone(), column.unit.to_owned()))
                .collect(),
            frame_rate: scene.frame_rate(),
        }
    }
}
