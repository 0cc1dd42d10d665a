//! What is known of a scene, as JSON for pages and for windows elsewhere.

use pliant_core::schedule::Ease;
use pliant_math::DVec3;
use pliant_render::{Camera, Coloring, illumination};
use serde_json::{Value, json};

use crate::{CameraPath, GAUGES, SceneFacts};

impl SceneFacts {
    /// Title, vertical, frame rate, cameras, bounds, colours and columns; not the values of the scene.
    pub fn told(&self) -> Value {
        let is_up = |axis: &DVec3| self.up.dot(*axis).abs() > 0.5;
        json!({
            "title": self.title,
            "upAxis": DVec3::AXES.iter().position(is_up).unwrap_or(1),
            "up": self.up.to_array(),
            "frameRate": self.frame_rate,
            "cameras": self.cameras.iter().map(camera_told).collect::<Vec<_>>(),
            "bounds": [self.bounds.min.to_array(), self.bounds.max.to_array()],
            "coloring": coloring_told(&self.coloring),
            "colorings": self.colorings.iter().map(coloring_told).collect::<Vec<_>>(),
            "columns": self.columns,
            "gauges": GAUGES,
            "light": light_told(),
        })
    }
}

/// A camera and its way: the same at all times if it has one keyframe and does not turn.
fn camera_told(path: &CameraPath) -> Value {
    let keyframe = |(time, camera): &(f64, Camera)| {
        json!({
            "time": time,
            "position": camera.position.to_array(),
            "target": camera.target.to_array(),
            "up": camera.up.to_array(),
            "fieldOfView": camera.vertical_field_of_view,
        })
    };
    json!({
        "keyframes": path.keyframes().iter().map(keyframe).collect::<Vec<_>>(),
        "ease": match path.ease() {
            Ease::Linear => "linear",
            Ease::Smooth => "smooth",
        },
        "turn": path.turn(),
    })
}

fn coloring_told(coloring: &Coloring) -> Value {
    match coloring {
        Coloring::Body => json!({ "name": "body" }),
        Coloring::Material => json!({ "name": "material" }),
        Coloring::Fragment => json!({ "name": "fragment" }),
        Coloring::Quantity { name, range, .. } => json!({ "name": name, "range": range }),
    }
}

/// What lights pictures, in linear light.
fn light_told() -> Value {
    json!({
        "lamp": illumination::LAMP.to_array(),
        "sky": illumination::SKY.to_array(),
        "bounce": illumination::BOUNCE.to_array(),
        "horizon": illumination::HORIZON.to_array(),
        "zenith": illumination::ZENITH.to_array(),
    })
}
