//! How pictures of a scene look: the camera, the colours, their range.

use pliant_core::measure::Frame;
use pliant_core::world::Setup;
use pliant_geometry::Aabb;
use pliant_math::DVec3;
use pliant_render::{Camera, ColorMap, Coloring, Settings, action_bounds};
use pliant_scene::Scene;

/// Share of its height that a heap is expected to spread to each side.
const SPREAD: f64 = 0.5;

/// The camera of a scene: its first one, or one that shows all of the initial frame with room for
/// what will fall and spread.
pub fn camera_of(scene: &Scene, start: &Frame) -> Camera {
    match scene.cameras().first() {
        Some(camera) => scene_camera(camera, scene.up()),
        None => Camera::framing(expected_bounds(start, scene.up()), scene.up()),
    }
}

/// A camera as the scene writes it.
pub fn scene_camera(camera: &pliant_scene::Camera, up: DVec3) -> Camera {
    Camera {
        position: camera.position,
        target: camera.target,
        up,
        vertical_field_of_view: camera.field_of_view,
    }
}

/// What the pictures of a run look like.
pub fn settings_of(scene: &Scene, setup: &Setup, start: &Frame) -> Settings {
    Settings {
        coloring: coloring_of(&scene.output().color_by, setup, start),
        title: Some(scene.title().to_owned()).filter(|title| !title.is_empty()),
        shows_time: true,
        ..Settings::default()
    }
}

/// The coloring of a name of `output.color_by`, a quantity with the range that can be expected
/// before the run.
fn coloring_of(name: &str, setup: &Setup, start: &Frame) -> Coloring {
    match name {
        "body" => Coloring::Body,
        "material" => Coloring::Material,
        name => Coloring::Quantity {
            name: name.to_owned(),
            range: Some(expected_range(name, setup, start)),
            color_map: color_map_of(name),
        },
    }
}

/// The colour map of a quantity: one with a neutral middle where there is a neutral value.
pub fn color_map_of(name: &str) -> ColorMap {
    match name {
        "det_F" => ColorMap::Balance,
        "stress_von_mises" => ColorMap::Ember,
        _ => ColorMap::Dusk,
    }
}

/// The values a quantity is likely to take: speeds of a fall through the scene, pressures of a
/// column as high, a tenth of compression.
fn expected_range(name: &str, setup: &Setup, start: &Frame) -> [f32; 2] {
    let bounds = action_bounds(start, setup.gravity);
    let height = bounds.extent().max_element().max(1e-6);
    let gravity = setup.gravity.length();
    let densities = setup.materials.iter().map(|m| m.density);
    let density = densities.fold(0.0, f64::max);
    let speeds = start.velocity.iter().map(|v| {
        f64::from(v[0])
            .hypot(f64::from(v[1]))
            .hypot(f64::from(v[2]))
    });
    let fastest = speeds.fold(0.0, f64::max);
    let [low, high] = match name {
        "speed" => [0.0, (gravity * height).sqrt().max(fastest)],
        "density" => [0.9 * density, 1.1 * density],
        "det_F" => [0.9, 1.1],
        "stress_von_mises" => [0.0, density * gravity * height],
        _ => [0.0, 1.0],
    };
    [low as f32, if high > low { high } else { low + 1.0 } as f32]
}

/// The bounds of the action, wider by what will spread: heaps as they are high now.
fn expected_bounds(start: &Frame, up: DVec3) -> Aabb {
    let bounds = action_bounds(start, up);
    let heights = start.position.iter().map(|x| x.dot(up));
    let range = |[low, high]: [f64; 2], height: f64| [low.min(height), high.max(height)];
    let [low, high] = heights.fold([f64::INFINITY, f64::NEG_INFINITY], range);
    let sideways = (DVec3::ONE - up.abs()) * (SPREAD * (high - low).max(0.0));
    Aabb {
        min: bounds.min - sideways,
        max: bounds.max + sideways,
    }
}
