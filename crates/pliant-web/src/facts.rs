//! What a page tells about an open scene, as JSON.

use pliant_core::world::Body;
use pliant_parameters::{Kind, Range};
use pliant_render::Coloring;
use pliant_scene::SceneEntry;
use pliant_view::accepted;
use serde_json::{Value, json};

use crate::Player;

/// What pictures need, duration, cost, what can be done to each body, and the values of the scene.
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
    let mut told = player.facts().told();
    told["duration"] = json!(scene.duration());
    told["particles"] = json!(estimate.particle_count);
    told["emitted"] = json!(estimate.emitted_count);
    told["memory"] = json!(estimate.memory);
    told["substepsPerFrame"] = json!(estimate.substeps_per_frame);
    told["bodies"] = json!(bodies);
    told["warnings"] = json!(player.warnings());
    let values = player.facts().entries.iter().map(value);
    told["values"] = values.collect();
    told
}

/// The name of what colours show.
pub(crate) fn name_of(coloring: &Coloring) -> &str {
    match coloring {
        Coloring::Body => "body",
        Coloring::Material => "material",
        Coloring::Fragment => "fragment",
        Coloring::Quantity { name, .. } => name,
    }
}

/// A value of the scene: where it stands, what it means, what it is, and what it may be.
fn value(entry: &SceneEntry) -> Value {
    let field = entry.field;
    let range = |range: &Range| json!([range.low, range.high]);
    json!({
        "item": entry.item,
        "name": field.name,
        "unit": field.unit,
        "doc": field.doc,
        "text": entry.text,
        "accepted": accepted(&field.kind),
        "range": match &field.kind {
            Kind::Number(own) | Kind::Integer(own) => range(own),
            _ => Value::Null,
        },
        "words": match &field.kind {
            Kind::Choice(words) => json!(words),
            Kind::Flag => json!(["true", "false"]),
            _ => Value::Null,
        },
    })
}
