//! What a page tells about an open scene, as JSON.

use pliant_core::world::Body;
use serde_json::{Value, json};

use crate::Player;

/// Title, duration, cost, and what can be done to each body.
pub fn facts(player: &Player) -> Value {
    let (scene, estimate) = (player.scene(), player.estimate());
    let body = |body: &Body| {
        json!({
            "name": body.name,
            "isRigid": body.method.is_rigid(),
            "canBeCut": body.method.can_be_cut(),
            "canBePoured": body.method.can_be_fed(),
        })
    };
    let bodies: Vec<Value> = player.world().setup.bodies.iter().map(body).collect();
    json!({
        "title": scene.title(),
        "duration": scene.duration(),
        "frameRate": scene.frame_rate(),
        "particles": estimate.particle_count,
        "emitted": estimate.emitted_count,
        "memory": estimate.memory,
        "substepsPerFrame": estimate.substeps_per_frame,
        "bodies": bodies,
        "warnings": player.warnings(),
    })
}
