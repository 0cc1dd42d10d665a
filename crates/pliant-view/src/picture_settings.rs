//! How pictures of a scene look: the camera, the colours, their range.

use pliant_core::measure::Frame;
use pliant_core::world::Setup;
use pliant_geometry::Aabb;
use pliant_math::DVec3;
use pliant_render::{Camera, ColorMap, Coloring, Lens, Settings, action_bounds};
use pliant_scene::Scene;

use crate::scene_bounds::{collider_path_bounds, emission_bounds};
use crate::{CameraPath, scene_camera};

/// Share of its height that a heap is expected to spread to each side.
const SPREAD: f64 = 0.5;

/// The camera of a scene at the start: its first one, or one that shows all of the initial frame with room for
/// what will fall and spread, for what emitters feed, and for the paths of colliders, in a run of so
/// many frames.
pub fn camera_of(scene: &Scene, setup: &Setup, start: &Frame, frames: u32) -> Camera {
    let up = scene.up();
    match scene.cameras().first() {
        Some(camera) => scene_camera(camera, up),
        None => {
            let paths = collider_path_bounds(setup, duration_of(setup, frames));
            let bounds = action_of(setup, start, up, frames);
            let bounds = with_room_to_spread(bounds, start, up);
            Camera::framing(bounds.union(paths), up)
        }
    }
}

/// Where the camera of a scene is at each time: its first one, or that of [`camera_of`], which stays.
pub fn camera_path_of(scene: &Scene, setup: &Setup, start: &Frame, frames: u32) -> CameraPath {
    match scene.cameras().first() {
        Some(camera) => CameraPath::of(camera, scene),
        None => CameraPath::fixed(camera_of(scene, setup, start, frames)),
    }
}

/// What the pictures of a run of so many frames look like, under the usual lights.
pub fn settings_of(scene: &Scene, setup: &Setup, start: &Frame, frames: u32) -> Settings {
    let action = action_of(setup, start, scene.up(), frames);
    let (usual, output) = (Settings::default(), scene.output());
    let [width, height] = output.size.unwrap_or([usual.width, usual.height]);
    Settings {
        width,
        height,
        coloring: coloring_of(&output.color_by, setup, start, &action),
        title: Some(scene.title().to_owned()).filter(|title| !title.is_empty()),
        shows_time: true,
        lens: Lens {
            shutter: output.shutter / scene.frame_rate(),
            aperture: output.aperture,
            samples: output.samples,
        },
        ..usual
    }
}

/// The coloring of a name, a quantity with the range that can be expected before a run of so many frames.
pub fn coloring_named(
    name: &str,
    scene: &Scene,
    setup: &Setup,
    start: &Frame,
    frames: u32,
) -> Coloring {
    coloring_of(
        name,
        setup,
        start,
        &action_of(setup, start, scene.up(), frames),
    )
}

/// The coloring of a name of `output.color_by`, a quantity with the range that can be expected
/// before the run.
fn coloring_of(name: &str, setup: &Setup, start: &Frame, action: &Aabb) -> Coloring {
    match name {
        "body" => Coloring::Body,
        "material" => Coloring::Material,
        "fragment" => Coloring::Fragment,
        name => Coloring::Quantity {
            name: name.to_owned(),
            range: Some(expected_range(name, setup, start, action)),
            color_map: color_map_of(name),
        },
    }
}

/// The colour map of a quantity: one with a neutral middle where there is a neutral value.
pub fn color_map_of(name: &str) -> ColorMap {
    match name {
        "det_F" | "fiber_stretch" => ColorMap::Balance,
        "stress_von_mises" => ColorMap::Ember,
        _ => ColorMap::Dusk,
    }
}

/// The values a quantity is likely to take: speeds of a fall through the scene, pressures of a
/// column as high, a tenth of compression.
fn expected_range(name: &str, setup: &Setup, start: &Frame, action: &Aabb) -> [f32; 2] {
    let height = action.extent().max_element().max(1e-6);
    let gravity = setup.gravity.length();
    let densities = setup.materials.iter().map(|m| m.density);
    let density = densities.fold(0.0, f64::max);
    let speeds = start.velocity.iter().map(|v| {
        f64::from(v[0])
            .hypot(f64::from(v[1]))
            .hypot(f64::from(v[2]))
    });
    let emitted = setup.emitters.iter().map(|e| e.velocity.length());
    let fastest = speeds.chain(emitted).fold(0.0, f64::max);
    let [low, high] = match name {
        "speed" => [0.0, (gravity * height).sqrt().max(fastest)],
        "density" => [0.9 * density, 1.1 * density],
        "det_F" => [0.9, 1.1],
        "fiber_stretch" => [0.7, 1.3],
        "stress_von_mises" => [0.0, density * gravity * height],
        _ => [0.0, 1.0],
    };
    [low as f32, if high > low { high } else { low + 1.0 } as f32]
}

/// Where particles are at the start and will be fed, down to the floor.
fn action_of(setup: &Setup, start: &Frame, up: DVec3, frames: u32) -> Aabb {
    action_bounds(start, up).union(emission_bounds(setup, up, duration_of(setup, frames)))
}

/// Seconds of a run of so many frames, the initial one among them.
fn duration_of(setup: &Setup, frames: u32) -> f64 {
    f64::from(frames.saturating_sub(1)) / setup.frame_rate
}

/// Bounds wider by what will spread: heaps as they are high now.
fn with_room_to_spread(bounds: Aabb, start: &Frame, up: DVec3) -> Aabb {
    let heights = start.position.iter().map(|x| x.dot(up));
    let range = |[low, high]: [f64; 2], height: f64| [low.min(height), high.max(height)];
    let [low, high] = heights.fold([f64::INFINITY, f64::NEG_INFINITY], range);
    let sideways = (DVec3::ONE - up.abs()) * (SPREAD * (high - low).max(0.0));
    Aabb {
        min: bounds.min - sideways,
        max: bounds.max + sideways,
    }
}
