//! What is known of an open scene, and of one that was recorded.

use pliant_core::measure::{FrameBuffers, Wanted};
use pliant_core::world::World;
use pliant_scene::Scene;
use pliant_view::SceneFacts;

use super::interactive::Interactive;
use crate::prepare::scene_name;
use crate::run::measurements_of;

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
    SceneFacts::of(&name, (&scene, &setup), &columns, &frame)
}

/// The facts of a scene that was recorded, from its world at the start.
///
/// # Errors
/// If what it measures cannot be.
pub(crate) fn facts_of_run(name: &str, scene: &Scene, world: &World) -> Result<SceneFacts, String> {
    let mut start = FrameBuffers::default();
    start.update(world);
    let measurements = measurements_of(&world.setup, scene).map_err(|error| error.to_string())?;
    let layout = measurements.layout();
    Ok(SceneFacts::of(
        name,
        (scene, &world.setup),
        layout,
        &start.frame(),
    ))
}
