//! What is known of an open scene.

use pliant_core::measure::{Frame, FrameBuffers, Wanted};
use pliant_core::world::{Setup, World};
use pliant_interaction::Hand;
use pliant_render::{Coloring, action_bounds};
use pliant_scene::Scene;

use super::interactive::Interactive;
use super::session::SceneFacts;
use crate::camera_path::scene_camera;
use crate::picture_settings::{camera_of, coloring_named, settings_of};
use crate::prepare::scene_name;
use crate::run::{Layout, Measurements};

/// Quantities that are told for files rather than for colours.
const NOT_COLORS: &[&str] = &[
    "rotation_x",
    "rotation_y",
    "rotation_z",
    "rotation_w",
    "fragment",
];

/// The facts of a scene as it runs.
pub(super) fn facts_of(live: &mut Interactive) -> SceneFacts {
    let name = scene_name(&live.source().path);
    let simulation = live.simulation_mut();
    let scene = simulation.scene().clone();
    let columns = simulation.columns().clone();
    let setup = simulation.world().setup.clone();
    let frame = simulation.frame_with(Wanted {
        quantities: None,
        surfaces: false,
    });
    facts(&name, (&scene, &setup), &columns, &frame)
}

/// The facts of a scene that was recorded, from its world at the start.
///
/// # Errors
/// If what it measures cannot be.
pub(crate) fn facts_of_run(name: &str, scene: &Scene, world: &World) -> Result<SceneFacts, String> {
    let mut start = FrameBuffers::default();
    start.update(world);
    let measurements = Measurements::new(&world.setup, scene).map_err(|error| error.to_string())?;
    let layout = measurements.layout();
    Ok(facts(name, (scene, &world.setup), layout, &start.frame()))
}

/// The facts of a scene.
///
/// * `name` — the title of a scene that has none
/// * `frame` — with every quantity
fn facts(
    name: &str,
    (scene, setup): (&Scene, &Setup),
    columns: &Layout,
    frame: &Frame<'_>,
) -> SceneFacts {
    let frames = scene.frame_count() + 1;
    let camera = |camera| scene_camera(camera, scene.up());
    let cameras = match scene.cameras().as_slice() {
        [] => vec![camera_of(scene, setup, frame, frames)],
        cameras => cameras.iter().map(camera).collect(),
    };
    let told = frame.quantities.iter().map(|quantity| quantity.name);
    let quantities = ["speed"].into_iter().chain(told);
    let quantities = quantities.filter(|name| !NOT_COLORS.contains(name));
    let named = |name| coloring_named(name, scene, setup, frame, frames);
    let measured = columns.probes.iter().chain(&columns.stats);
    let measured = measured.filter(|column| !["frame", "time"].contains(&column.name.as_str()));
    SceneFacts {
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
